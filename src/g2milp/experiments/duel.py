"""Our default beside one other generator: the same measures, and whether they differ for sure.

``better`` and ``worse`` are said only where the 95 % intervals lie apart; everything else is
``not apart``, which with few instances proves little: the intervals stand in the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.experiments.finding import Finding
from g2milp.experiments.grid import column_of, measured, similarity
from g2milp.experiments.two_sample import cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab, Recipe

SUITE = "g2milp-2023"
APART = "not apart"
CHANGED, ENERGY, AUC, WORK = "changed rows", "energy", "AUC", "ratio of work"


def changed_share(data: Dataset) -> float:
    """Mean share of rows that are not as in the template."""
    shares = [record["changed_share"] for record in data.manifest or ()]
    return float(np.mean(shares)) if shares else 0.0


def real_cells(lab: Lab, of: str) -> list[Finding]:
    """What fresh real instances get."""
    row, fresh = "fresh real instances", lab.fresh(of)
    suite = lab.scores(of, fresh, suite=SUITE)
    told = lab.scores(of, fresh, suite="v1", two_sample=True)
    return [
        Finding(
            row=row,
            column=column_of(of, SUITE),
            value=suite.score,
            interval=suite.interval,
            count=suite.count,
        ),
        *cells(row, of, told, with_change=False),
        *_work(lab, of, fresh, row),
    ]


def corner(lab: Lab, recipe: Recipe, row: str) -> list[Finding]:
    """All measures of one of the two; a generator that fails leaves its reason."""
    of = recipe.of
    found: list[Finding] = []

    def measure(data: Dataset) -> Finding:
        share = changed_share(data)
        found.append(Finding(row=row, column=column_of(of, CHANGED), value=share, count=len(data)))
        score = similarity(lab, recipe, SUITE, column_of(of, SUITE))
        told = lab.scores(of, data, suite="v1", two_sample=True)
        found.extend([replace(score, row=row), *cells(row, of, told, with_change=False)])
        found.extend(_work(lab, of, data, row))
        return found[0]

    failed = measured(lab, recipe, column_of(of, CHANGED), measure)
    return found if failed.value is not None else [*found, replace(failed, row=row)]


def verdicts(ours: Sequence[Finding], theirs: Sequence[Finding], of: str) -> dict[str, str]:
    """For each measure that both have: better, worse, or not apart."""
    found = {}
    for measure in (SUITE, ENERGY, AUC, WORK):
        mine, other = (_interval(side, column_of(of, measure)) for side in (ours, theirs))
        if mine is None or other is None:
            continue
        (low, high), (least, most) = _loss(measure, mine), _loss(measure, other)
        found[measure] = "better" if high < least else "worse" if low > most else APART
    return found


def said(title: str, found: dict[str, str]) -> str:
    """The verdicts of one pair as a sentence."""
    if not found:
        return f"{title}: nothing to compare."
    words = [f"{measure} {verdict}" for measure, verdict in found.items() if verdict != APART]
    if len(words) < len(found):
        words.append(f"{'the rest' if words else 'nothing'} {'not ' if words else ''}apart")
    return f"{title}: {', '.join(words)}."


def _loss(measure: str, interval: tuple[float, float]) -> tuple[float, float]:
    """As an interval of what should be small."""
    low, high = interval
    if measure == SUITE:
        return -high, -low
    if measure == WORK:
        logs = sorted(abs(np.log(x)) if x > 0 else np.inf for x in interval)
        return (0.0 if low <= 1.0 <= high else float(logs[0])), float(logs[1])
    return low, high


def _interval(findings: Sequence[Finding], column: str) -> tuple[float, float] | None:
    return next((f.interval for f in findings if f.column == column), None)


def _work(lab: Lab, of: str, data: Dataset, row: str) -> list[Finding]:
    found = lab.effort(of, data, "work").comparison
    if found is None:
        return []
    return [
        Finding(
            row=row,
            column=column_of(of, WORK),
            value=found.ratio,
            interval=found.interval,
            count=found.pairs or found.generated.instances,
        )
    ]
