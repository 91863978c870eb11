"""Real series of related models (MIP competition 2023), with scope ``cols``.

In one series only the objective varies, in the other only the bounds; the constraints are the same
in all instances, so there is nothing to redraw in the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import column_of, similarity
from g2milp.experiments.hardness import recipe_findings
from g2milp.experiments.lab import Recipe
from g2milp.experiments.two_sample import recipe_cells

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab
    from g2milp.generation.contract import Scope

SERIES = ("objective-series", "bounds-series")
GENERATORS = ("random", "rewire", "best")


def run(lab: Lab) -> Outcome:
    """Similarity, two-sample distance and effort for every mask ratio."""
    findings: list[Finding] = []
    for of in SERIES:
        for ratio in lab.scale.ratios:
            for generator in GENERATORS:
                scope: Scope = "rows" if generator == "rewire" else "cols"
                recipe = Recipe(of=of, generator=generator, mask_ratio=ratio, scope=scope)
                findings.append(similarity(lab, recipe, "v1", column_of(of, "v1")))
                findings += recipe_cells(lab, recipe)
                findings += recipe_findings(lab, recipe, "nodes", "work")
    return Outcome(
        findings=tuple(findings),
        notes=(
            "Change is counted in rows; what scope cols redraws is columns. Rewire can only "
            "exchange within rows, which are the same in all instances of a series: it stands "
            "here to show what it costs to change what does not vary.",
        ),
    )
