"""Exact edits: new rows or new column data put into an instance, everything else left bit for bit.

Generators never build a `Milp` of their own: they describe what they regenerated as a `RowPatch` or
a `ColumnPatch`, and these two functions are the only place where it enters the instance. Names,
order, sense, offset and all other rows stay.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import InvalidMilp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


@dataclass(frozen=True, eq=False, kw_only=True)
class RowPatch:
    """New content for some rows.

    Shapes
    ------
    rows, lower, upper : (k,), rows distinct
    indptr : (k + 1,); indices, values : (indptr[-1],), row ``rows[i]`` gets the entries
    ``indptr[i]:indptr[i + 1]``
    """

    rows: NDArray[np.int64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnPatch:
    """New objective, kind or bounds for some columns.

    None leaves that field as it is. Shapes: all (k,).
    """

    cols: NDArray[np.int64]
    objective: NDArray[np.float64] | None = None
    kinds: NDArray[np.uint8] | None = None
    lower: NDArray[np.float64] | None = None
    upper: NDArray[np.float64] | None = None


def replace_rows(milp: Milp, patch: RowPatch) -> Milp:
    """The instance with the rows of `patch` replaced, in O(non-zeros)."""
    if np.unique(patch.rows).size != patch.rows.size:
        raise InvalidMilp("a row is replaced twice by one patch")
    degrees = milp.row_degrees.copy()
    degrees[patch.rows] = np.diff(patch.indptr)
    indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    indices = np.empty(indptr[-1], np.int32)
    values = np.empty(indptr[-1], np.float64)

    kept_row = np.ones(milp.n_rows, dtype=bool)
    kept_row[patch.rows] = False
    kept_entry = kept_row[milp.entry_rows]
    source_rows = milp.entry_rows[kept_entry]
    offset = np.arange(milp.n_nonzeros)[kept_entry] - milp.indptr[source_rows]
    target = indptr[source_rows] + offset
    indices[target] = milp.indices[kept_entry]
    values[target] = milp.values[kept_entry]

    new_rows = np.repeat(patch.rows, np.diff(patch.indptr))
    within = np.arange(new_rows.size) - np.repeat(patch.indptr[:-1], np.diff(patch.indptr))
    order = np.lexsort(
        (patch.indices, np.repeat(np.arange(patch.rows.size), np.diff(patch.indptr)))
    )
    target = indptr[new_rows] + within
    indices[target] = patch.indices[order]
    values[target] = patch.values[order]

    lower, upper = milp.row_lower.copy(), milp.row_upper.copy()
    lower[patch.rows] = patch.lower
    upper[patch.rows] = patch.upper
    return _rebuilt(
        milp, indptr=indptr, indices=indices, values=values, row_lower=lower, row_upper=upper
    )


def replace_columns(milp: Milp, patch: ColumnPatch) -> Milp:
    """The instance with objective, kinds or bounds of the columns of `patch` replaced."""
    changes: dict[str, NDArray[np.generic]] = {}
    for field_name, new in (
        ("objective", patch.objective),
        ("kinds", patch.kinds),
        ("col_lower", patch.lower),
        ("col_upper", patch.upper),
    ):
        if new is not None:
            changed = getattr(milp, field_name).copy()
            changed[patch.cols] = new
            changes[field_name] = changed
    return _rebuilt(milp, **changes)


def _rebuilt(milp: Milp, **changes: NDArray[np.generic]) -> Milp:
    """A checked copy with some arrays exchanged.

    Names and everything else are shared, not copied.
    """
    if "indices" in changes:
        indices, indptr, values = changes["indices"], changes["indptr"], changes["values"]
        first_of_row = np.zeros(indices.size + 1, dtype=bool)
        first_of_row[np.asarray(indptr, dtype=np.int64)] = True
        step = np.diff(np.asarray(indices, dtype=np.int64))
        if np.any((step <= 0) & ~first_of_row[1:-1]):
            raise InvalidMilp("a new row names one column twice")
        if indices.size and (indices.min() < 0 or indices.max() >= milp.n_cols):
            raise InvalidMilp("a new row names a column that does not exist")
        if np.any(values == 0):
            raise InvalidMilp("a new row holds an explicit zero")
    for array in changes.values():
        array[np.equal(array, 0)] = 0  # one zero only, as in `Milp.build`
        array.flags.writeable = False
    rebuilt = replace(milp, **changes)  # type: ignore[arg-type]
    rebuilt.check_numbers()
    return rebuilt
