"""Conflicts: pairs of binary columns of which one row allows at most one.

A row ``a·x ≤ b`` over binaries with positive coefficients (in the ≤ form of either side) excludes
every pair with ``a_i + a_j > b``. Looked at are *packing* rows, in which the two smallest
coefficients already exceed the side, so that every pair of the row is a conflict: MIS, clique and
assignment rows are of this kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.distinct import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

PAIR_LIMIT = 2_000_000
"""Beyond this many pairs they are estimated from a fixed sample of the packing rows."""


@dataclass(frozen=True, eq=False)
class Conflicts:
    """The conflict graph of the packing rows, each edge once.

    Attributes
    ----------
    pairs
        Pairs counted row by row, so a pair in two rows counts twice.
    edges
        Distinct pairs.
    degrees
        Conflict degree of each column that stands in a packing row.
    """

    rows: int
    pairs: float
    edges: float
    degrees: NDArray[np.int64]


def conflicts_of(milp: Milp) -> Conflicts:
    """Find the packing rows and their distinct pairs."""
    rows = packing_rows(milp)
    degree = milp.row_degrees[rows]
    pairs_in_row = degree * (degree - 1) // 2
    pairs = float(pairs_in_row.sum())
    if rows.size == 0:
        return Conflicts(0, 0.0, 0.0, np.zeros(0, dtype=np.int64))
    scale = 1.0
    if pairs > PAIR_LIMIT:
        step = int(np.ceil(pairs / PAIR_LIMIT))
        kept = np.argsort(pairs_in_row, kind="stable")[::step]
        kept = kept[np.cumsum(pairs_in_row[kept]) <= 4 * PAIR_LIMIT]
        scale = pairs / max(float(pairs_in_row[kept].sum()), 1.0)
        rows = rows[kept]
    first, second = _pairs(milp, rows)
    key = distinct(first.astype(np.int64) * milp.n_cols + second)
    ends = np.concatenate([key // milp.n_cols, key % milp.n_cols])
    degrees = np.bincount(ends, minlength=milp.n_cols)
    return Conflicts(int(degree.size), pairs, float(key.size) * scale, degrees[degrees > 0])


def packing_rows(milp: Milp) -> NDArray[np.int64]:
    """Rows with at least two entries, all on binaries, of which any two exceed the side."""
    found = np.zeros(milp.n_rows, dtype=np.bool_)
    if milp.n_nonzeros == 0:
        return np.flatnonzero(found)
    degree = milp.row_degrees
    binary = sums(milp, milp.is_binary[milp.indices].astype(np.float64)) == degree
    for sign, side in ((1.0, milp.row_upper), (-1.0, -milp.row_lower)):
        values = sign * milp.values
        positive = sums(milp, (values > 0).astype(np.float64)) == degree
        usable = binary & positive & (degree >= 2) & np.isfinite(side)
        if not usable.any():
            continue
        smallest = _two_smallest(milp, values)
        found |= usable & (smallest > side)
    return np.flatnonzero(found)


def sums(milp: Milp, per_entry: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum over the entries of each row."""
    total = np.bincount(milp.entry_rows, weights=per_entry, minlength=milp.n_rows)
    return total.astype(np.float64)


def _two_smallest(milp: Milp, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of the two smallest entries of each row; infinite with fewer than two."""
    order = np.lexsort((values, milp.entry_rows))
    ordered = values[order]
    result = np.full(milp.n_rows, np.inf)
    rows = np.flatnonzero(milp.row_degrees >= 2)
    start = milp.indptr[rows]
    result[rows] = ordered[start] + ordered[start + 1]
    return result


def _pairs(milp: Milp, rows: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """All pairs (i < j) of columns of each row, rows of one degree at a time."""
    first: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)]
    second: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)]
    degrees = milp.row_degrees[rows]
    for degree in np.unique(degrees):
        start = milp.indptr[rows[degrees == degree]]
        columns = milp.indices[start[:, None] + np.arange(degree)]
        left, right = np.triu_indices(int(degree), k=1)
        first.append(columns[:, left].ravel())
        second.append(columns[:, right].ravel())
    return np.concatenate(first), np.concatenate(second)
