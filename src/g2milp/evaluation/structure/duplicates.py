"""Redundancy: equal rows, rows that another one of the same columns dominates, twin columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.distinct import distinct
from g2milp.evaluation.structure.row_hashes import (
    bits,
    hash_column_supports,
    hash_columns,
    hash_supports,
    sum_by,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.structure.view import View


def surplus(hashes: NDArray[np.uint64]) -> float:
    """How many could be left out without losing a distinct one."""
    return float(hashes.size - distinct(hashes).size)


def _full(view: View, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return hashes[view.milp.row_degrees > 0]


def _dominated(view: View) -> float:
    """Rows with the columns and coefficients of another row but a side that is no tighter."""
    milp = view.milp
    from g2milp.evaluation.structure.communities import mix

    entries = mix(mix(milp.indices.astype(np.uint64)) ^ bits(milp.values))
    return surplus(_full(view, sum_by(milp.entry_rows, entries, milp.n_rows)))


def _twin_columns(view: View) -> float:
    hashes = hash_columns(view.milp) ^ hash_column_supports(view.milp)
    return surplus(hashes[view.milp.col_degrees > 0])


STATISTICS = (
    Statistic(
        "duplicate_rows",
        "redundancy",
        "Rows that repeat another one entirely.",
        lambda v: surplus(_full(v, v.row_hashes)),
    ),
    Statistic(
        "parallel_rows",
        "redundancy",
        "Rows with columns and coefficients of another one, whatever the sides.",
        _dominated,
    ),
    Statistic(
        "repeated_supports",
        "redundancy",
        "Rows on the same columns as another one.",
        lambda v: surplus(_full(v, hash_supports(v.milp))),
    ),
    Statistic(
        "twin_columns",
        "redundancy",
        "Columns equal to another one in rows, coefficients, cost, bounds and kind.",
        _twin_columns,
    ),
)
