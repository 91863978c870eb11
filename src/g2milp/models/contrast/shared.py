"""What a row and a column share: a number that message passing cannot count.

    t_rc = Σ_{c' ∈ N(r)} |{r' ≠ r : c' ∈ r', c ∈ r'}|        paths r – c' – r' – c

over the visible entries, apart for rows r' of r's own group and of other groups. Anonymous message
passing sees that a neighbour of a neighbour is like c, but not that it is c; whether two bids stand
together in another row, or a customer is served twice by one facility, is just that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_SHARED = 4
"""log(1 + t) for own and other groups, then t over the visible entries of the row for both."""


def shared(
    visible: csr_array, rows: NDArray[np.int64], row_group: NDArray[np.int32]
) -> tuple[csr_array, NDArray[np.float32]]:
    """Features of all pairs of `rows` with columns that share anything.

    `visible` (m, n) is the 0/1 pattern of the visible entries. Returns a pattern (k, n) with sorted
    columns and the features of its entries, (p, 4); pairs that are not in it have zeros.
    """
    first = (visible[rows] @ visible.T).tocsr()
    row = np.repeat(np.arange(rows.size), np.diff(first.indptr))
    weight = np.where(row_group[first.indices] == row_group[rows][row], 1.0 + 0.0j, 1.0j)
    weight[first.indices == rows[row]] = 0.0
    first = csr_array((first.data * weight, first.indices, first.indptr), shape=first.shape)
    first.eliminate_zeros()
    counts = (first @ visible).tocsr()
    counts.sort_indices()
    entries = np.maximum(np.diff(visible.indptr)[rows], 1)
    per_entry = counts.data / np.repeat(entries, np.diff(counts.indptr))
    parts = (
        np.log1p(counts.data.real),
        np.log1p(counts.data.imag),
        per_entry.real,
        per_entry.imag,
    )
    return counts, np.stack(parts, axis=1).astype(np.float32)


def at_pairs(
    pattern: csr_array,
    features: NDArray[np.float32],
    row: NDArray[np.int64],
    col: NDArray[np.int64],
) -> NDArray[np.float32]:
    """The features of the pairs ``(row[p], col[p])``, zeros where nothing is shared: (P, 4)."""
    found = np.zeros((row.size, features.shape[1]), np.float32)
    if not features.size:
        return found
    n_cols = pattern.shape[1]
    owner = np.repeat(np.arange(pattern.shape[0], dtype=np.int64), np.diff(pattern.indptr))
    known = owner * n_cols + pattern.indices
    wanted = row * n_cols + col
    place = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    hit = known[place] == wanted
    found[hit] = features[place[hit]]
    return found


def paths_per_row(indptr: NDArray[np.int64], indices: NDArray[np.int32], n_cols: int) -> float:
    """Mean number of paths r – c' – r' – c of a row: what `shared` costs."""
    if indptr.size < 2 or not indices.size:
        return 0.0
    degrees = np.diff(indptr).astype(np.float64)
    of_col = np.bincount(indices, weights=np.repeat(degrees, np.diff(indptr)), minlength=n_cols)
    return float(of_col[indices].sum() / (indptr.size - 1))
