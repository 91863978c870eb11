"""Nurse scheduling: two real instances of 200,000 to 600,000 coefficients, a case study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import measured, similarity
from g2milp.experiments.lab import Recipe
from g2milp.experiments.plots import standalone
from g2milp.reports.figures.matrix import changed_rows, matrix_picture

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab

GENERATORS = ("random", "rewire", "best")
INSTANCES = 4


def run(lab: Lab) -> Outcome:
    """Statistics, certificates of feasibility, and the look of a matrix."""
    findings: list[Finding] = []
    figures = {}
    for ratio in (0.01, 0.05):
        for generator in GENERATORS:
            recipe = Recipe(of="nurse", generator=generator, mask_ratio=ratio, certify="feasible")
            findings += [similarity(lab, recipe, "v1", "v1", n=INSTANCES), _certified(lab, recipe)]
    recipe = Recipe(of="nurse", generator="best", mask_ratio=0.05, certify="feasible")
    made = lab.made(recipe, INSTANCES)
    records = made.manifest or []
    template = lab.real("nurse")[lab.real("nurse").names.index(str(records[0]["parent"]))]
    child = made[0]
    picture = matrix_picture("A generated instance", child, changed_rows(template, child)[1])
    figures["matrix.svg"] = standalone(picture)
    return Outcome(findings=tuple(findings), figures=figures)


def _certified(lab: Lab, recipe: Recipe) -> Finding:
    column = "certificates that verify"

    def verified(data: Dataset) -> Finding:
        from g2milp.evaluation.validity.certificates import verified as verify

        good = sum(verify(data).values())
        return Finding(row=recipe.title, column=column, value=good / len(data), count=len(data))

    return measured(lab, recipe, column, verified, n=INSTANCES)
