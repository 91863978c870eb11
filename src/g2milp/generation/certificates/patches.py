"""Row patches taken apart and put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.edit import RowPatch

if TYPE_CHECKING:
    from numpy.typing import NDArray


def taken(patch: RowPatch, which: NDArray[np.bool_]) -> RowPatch:
    """The rows of `patch` at which `which` is true."""
    degrees = np.diff(patch.indptr)
    entries = np.repeat(which, degrees)
    return RowPatch(
        rows=patch.rows[which],
        lower=patch.lower[which],
        upper=patch.upper[which],
        indptr=np.concatenate([[0], np.cumsum(degrees[which])]).astype(np.int64),
        indices=patch.indices[entries],
        values=patch.values[entries],
    )


def joined(a: RowPatch, b: RowPatch) -> RowPatch:
    """Both patches as one; their rows must differ."""
    return RowPatch(
        rows=np.concatenate([a.rows, b.rows]),
        lower=np.concatenate([a.lower, b.lower]),
        upper=np.concatenate([a.upper, b.upper]),
        indptr=np.concatenate([a.indptr, b.indptr[1:] + a.indptr[-1]]),
        indices=np.concatenate([a.indices, b.indices]),
        values=np.concatenate([a.values, b.values]),
    )
