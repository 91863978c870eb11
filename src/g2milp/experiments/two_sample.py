"""Can generated instances be told from real ones? The hardest test there is; the paper has none.

Energy distances are in units of real against real: 1 is as close as another real sample. AUC 0.5
is perfect; a copy has both, so the share of constraints that really changed stands beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import column_of, each_cell, measured
from g2milp.experiments.lab import SETS

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.judging import Scores
    from g2milp.experiments.lab import Lab, Recipe

GENERATORS = ("random", "rewire", "code", "best")
MEASURES = ("energy", "AUC", "changed")


def run(lab: Lab) -> Outcome:
    """Energy distance, AUC of the classifier, realised change."""
    findings: list[Finding] = []
    for of in SETS:
        found = lab.scores(of, lab.fresh(of), suite="v1", two_sample=True)
        findings += cells("fresh real instances", of, found, with_change=False)
    for recipe in each_cell(lab, GENERATORS):
        findings += recipe_cells(lab, recipe)
    return Outcome(
        findings=tuple(findings),
        notes=(
            "Energy: distance on the statistics, where 1 is as far as another real sample. AUC of "
            "a classifier cross-validated by template: 0.5 cannot tell, 1 always can. Changed: "
            "share of constraints that are not as in the template; a copy has 0.",
        ),
    )


def recipe_cells(lab: Lab, recipe: Recipe) -> list[Finding]:
    """All measures of one generated set."""
    kept: list[Finding] = []

    def measure(data: Dataset) -> Finding:
        found = lab.scores(recipe.of, data, suite="v1", two_sample=True)
        kept.extend(cells(recipe.title, recipe.of, found))
        return Finding(row=recipe.title, column="", value=None)

    failed = measured(lab, recipe, column_of(recipe.of, MEASURES[0]), measure)
    return kept or [failed]


def cells(row: str, of: str, found: Scores, *, with_change: bool = True) -> list[Finding]:
    """Energy distance, AUC and change of one set."""
    kept = []
    for measure, value in (("energy", found.distance("energy distance")), ("AUC", found.auc)):
        if value is not None:
            kept.append(
                Finding(
                    row=row,
                    column=column_of(of, measure),
                    value=value[0],
                    interval=value[1],
                    count=found.count,
                )
            )
    if with_change and found.changed is not None:
        kept.append(Finding(row=row, column=column_of(of, "changed"), value=found.changed))
    return kept
