"""How many instances are enough: training on 1, 2, 5, 10, 50, scored against the full set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import column_of, similarity
from g2milp.experiments.lab import SETS, Recipe
from g2milp.experiments.two_sample import recipe_cells

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

COUNTS = (1, 2, 5, 10, 50)
SUITE = "g2milp-2023"


def run(lab: Lab) -> Outcome:
    """η = 0.1; templates are the training instances alone, so few of them show."""
    findings: list[Finding] = []
    for of in SETS:
        size = lab.size(of).instances
        for count in [*(c for c in COUNTS if c < size), None]:
            recipe = Recipe(of=of, generator="best", mask_ratio=0.1, learned_from=count)
            findings.append(similarity(lab, recipe, SUITE, column_of(of, SUITE)))
            findings += recipe_cells(lab, recipe)
    return Outcome(findings=tuple(findings))
