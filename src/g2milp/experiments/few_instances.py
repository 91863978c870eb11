"""How many instances are enough: training on 1, 2, 5, 10, 50, scored against the full set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import column_of, similarity
from g2milp.experiments.hardness import ratio_findings
from g2milp.experiments.lab import SETS, TITLES, Recipe
from g2milp.experiments.plots import Curve, curves
from g2milp.experiments.two_sample import recipe_cells

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

COUNTS = (1, 2, 5, 10, 50)
GENERATORS = ("rewire", "best")
SUITE = "g2milp-2023"


def run(lab: Lab) -> Outcome:
    """η = 0.1; templates are the training instances alone, so few of them show."""
    findings: list[Finding] = []
    figures = {}
    for of in SETS:
        size = lab.size(of).instances
        lines = []
        for generator in GENERATORS:
            points = []
            for count in [*(c for c in COUNTS if c < size), None]:
                recipe = Recipe(of=of, generator=generator, mask_ratio=0.1, learned_from=count)
                found = similarity(lab, recipe, SUITE, column_of(of, SUITE))
                points.append((float(count or size), found))
                findings += [found, *recipe_cells(lab, recipe)]
                findings += ratio_findings(lab, recipe, "work", column_of(of, "ratio of work"))
            lines.append(Curve.of(generator, points))
        figures[f"{of}.svg"] = curves(
            f"{TITLES[of]}: similarity over the number of training instances",
            "instances learned from",
            lines,
        )
    return Outcome(
        findings=tuple(findings),
        figures=figures,
        notes=(
            "η = 0.1. Templates are the training instances alone; scores are against the full "
            "set. A row that names no number learned from the full set.",
        ),
    )
