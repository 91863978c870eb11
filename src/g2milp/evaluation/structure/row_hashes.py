"""Hashes of rows: equal rows have equal hashes, so duplicates and copies are found by sorting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.communities import mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


def hash_rows(milp: Milp) -> NDArray[np.uint64]:
    """64-bit hash of each row: its columns (by number), coefficients and sides."""
    entries = mix(mix(milp.indices.astype(np.uint64)) ^ bits(milp.values))
    total = sum_by(milp.entry_rows, entries, milp.n_rows)
    return mix(total + mix(bits(milp.row_lower) ^ mix(bits(milp.row_upper))))


def hash_supports(milp: Milp) -> NDArray[np.uint64]:
    """64-bit hash of the set of columns of each row."""
    return sum_by(milp.entry_rows, mix(milp.indices.astype(np.uint64)), milp.n_rows)


def hash_columns(milp: Milp) -> NDArray[np.uint64]:
    """64-bit hash of what belongs to each column alone: objective, bounds, kind."""
    return mix(
        mix(bits(milp.objective) ^ mix(bits(milp.col_lower)))
        ^ mix(bits(milp.col_upper) + milp.kinds.astype(np.uint64))
    )


def hash_column_supports(milp: Milp) -> NDArray[np.uint64]:
    """64-bit hash of the rows and coefficients of each column."""
    entries = mix(mix(milp.entry_rows.astype(np.uint64)) ^ bits(milp.values))
    return sum_by(milp.indices, entries, milp.n_cols)


def bits(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    """The bit patterns of numbers, with one zero only."""
    return (values + 0.0).view(np.uint64)


def sum_by(group: NDArray[np.int32], terms: NDArray[np.uint64], groups: int) -> NDArray[np.uint64]:
    """Sum of the terms of each group, modulo 2**64."""
    total = np.zeros(groups, dtype=np.uint64)
    np.add.at(total, group, terms)
    return total
