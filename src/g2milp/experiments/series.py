"""Real series of related models (MIP competition 2023), with scope ``cols``.

In one series only the objective varies, in the other only the bounds; the constraints are the same
in all instances, so there is nothing to redraw in the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.experiments.duel import changed_share
from g2milp.experiments.feasibility import solved
from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import column_of, measured, similarity
from g2milp.experiments.hardness import ratio_findings
from g2milp.experiments.lab import Recipe
from g2milp.experiments.two_sample import cells

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab
    from g2milp.generation.contract import Scope

SERIES = ("objective-series", "bounds-series")
GENERATORS = ("random", "rewire", "best")


def run(lab: Lab) -> Outcome:
    """Similarity, two-sample tests, change, feasibility and effort for every mask ratio."""
    findings: list[Finding] = []
    for of in SERIES:
        for ratio in lab.scale.ratios:
            for generator in GENERATORS:
                scope: Scope = "rows" if generator == "rewire" else "cols"
                recipe = Recipe(of=of, generator=generator, mask_ratio=ratio, scope=scope)
                findings += _row(lab, recipe)
    return Outcome(
        findings=tuple(findings),
        notes=(
            "Rewire can only exchange within rows, which are the same in all instances of a "
            "series: it stands here to show what it costs to change what does not vary.",
        ),
    )


def _row(lab: Lab, recipe: Recipe) -> list[Finding]:
    of, title = recipe.of, recipe.title
    score = similarity(lab, recipe, "v1", column_of(of, "v1"))
    if score.value is None:  # the reason once is enough
        return [score]
    found = [score]

    def measure(data: Dataset) -> Finding:
        told = lab.scores(of, data, suite="v1", two_sample=True)
        found.extend(cells(title, of, told, with_change=False))
        count = len(data)
        for part, share in (("rows", changed_share(data)), ("columns", changed_columns(data))):
            column = column_of(of, f"changed {part}")
            found.append(Finding(row=title, column=column, value=share, count=count))
        return score

    measured(lab, recipe, column_of(of, "energy"), measure)
    found.append(solved(lab, recipe, column_of(of, "feasible and bounded")))
    for effort in ("work", "nodes"):
        found += ratio_findings(lab, recipe, effort, column_of(of, f"ratio of {effort}"))
    return found


def changed_columns(data: Dataset) -> float:
    """Mean share of columns whose objective, bounds or kind are not as in the template."""
    records = data.manifest or []
    shares = [
        record["changed_cols"] / max(milp.n_cols, 1)
        for record, milp in zip(records, data, strict=True)
    ]
    return float(np.mean(shares)) if shares else 0.0
