"""Rows that repeat another one or that another one implies: what a careless refill leaves behind.

Refilling rows one by one gives duplicates that no real instance has, and a classifier tells
generated instances by them at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import column_of, each_cell, measured
from g2milp.experiments.lab import SETS
from g2milp.experiments.redundancy import redundant_rows
from g2milp.experiments.solving import mean_interval

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab

GENERATORS = ("bowly", "random", "rewire", "code", "best")
MEASURES = ("repeated rows", "dominated rows")


def run(lab: Lab) -> Outcome:
    """Mean numbers an instance, and in how many instances there are any."""
    findings: list[Finding] = []
    for of in SETS:
        findings += _cells("training set", of, _counts(lab, lab.real(of)))
        findings += _cells("fresh real instances", of, _counts(lab, lab.fresh(of)))
    for recipe in each_cell(lab, GENERATORS):
        kept: list[Finding] = []

        def count(data: Dataset, row: str = recipe.title, of: str = recipe.of) -> Finding:
            kept.extend(_cells(row, of, _counts(lab, data)))  # noqa: B023 (called at once)
            return kept[0]  # noqa: B023

        failed = measured(lab, recipe, column_of(recipe.of, MEASURES[0]), count)
        findings += kept or [failed]
    return Outcome(
        findings=tuple(findings),
        notes=(
            "Mean number an instance. A dominated row is implied by a single other row and the "
            "signs of the columns; repetitions count apart.",
        ),
    )


def _counts(lab: Lab, data: Dataset) -> list[list[int]]:
    found: list[list[int]] = lab.once(
        "redundancy", (data.hash,), lambda: [list(redundant_rows(milp)) for milp in data]
    )
    return found


def _cells(row: str, of: str, counts: list[list[int]]) -> list[Finding]:
    cells = []
    for measure, values in zip(MEASURES, np.array(counts, float).T, strict=True):
        half = mean_interval(float(values.std(ddof=1)) if values.size > 1 else 0.0, values.size)
        mean, some = float(values.mean()), int(np.count_nonzero(values))
        cells.append(
            Finding(
                row=row,
                column=column_of(of, measure),
                value=mean,
                interval=(max(mean - half, 0.0), mean + half) if some else None,
                note=f"in {some} of {values.size}",
                count=values.size,
            )
        )
    return cells
