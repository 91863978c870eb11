"""Instances written by hand, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    from collections.abc import Sequence


def milp_of(
    rows: Sequence[dict[int, float]], lower: Any, upper: Any, cost: Any, **rest: Any
) -> Milp:
    """A small instance from rows written as {column: coefficient}."""
    return Milp.build(
        objective=np.asarray(cost, dtype=float),
        indptr=np.cumsum([0, *(len(row) for row in rows)]),
        indices=[column for row in rows for column in row],
        values=[value for row in rows for value in row.values()],
        row_lower=lower,
        row_upper=upper,
        **rest,
    )
