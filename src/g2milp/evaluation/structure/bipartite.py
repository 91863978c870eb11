r"""Clustering of a bipartite graph after Latapy et al., and its adjacency matrix.

    cc(u, v) = |N(u) ∩ N(v)| / |N(u) ∪ N(v)|
    cc(u)    = mean of cc(u, v) over v ∈ N(N(u)) \\ {u},   0 without such v

Both come from ``B·Bᵀ``, whose entry (u, v) is |N(u) ∩ N(v)|. The product is made in slices of rows,
so memory stays bounded; where it would take more than `EXACT_VISITS` steps, the mean is taken over
a fixed sample of the nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

SLICE_VISITS = 4_000_000
"""Steps of the sparse product that are made at once: bounds its memory (about 100 MB)."""

EXACT_VISITS = 150_000_000
"""Beyond this many steps the mean is taken over a sample of the nodes."""


def clustering_of(pattern: csr_array[Any, Any]) -> float:
    """Mean of cc over the rows of a zero-one matrix; 0 without rows."""
    nodes = pattern.shape[0]
    if nodes == 0 or pattern.nnz == 0:
        return 0.0
    transposed = pattern.T.tocsr()
    visits = np.bincount(
        np.repeat(np.arange(nodes), np.diff(pattern.indptr)),
        weights=np.diff(transposed.indptr)[pattern.indices],
        minlength=nodes,
    ).astype(np.float64)
    chosen = _sample(visits)
    degrees = np.diff(pattern.indptr).astype(np.float64)
    total = 0.0
    for part in slices(visits[chosen], SLICE_VISITS):
        total += _sum_of_slice(pattern, transposed, chosen[part], degrees)
    return total / chosen.size


def combined_adjacency(pattern: csr_array[Any, Any]) -> csr_array[Any, Any]:
    """Adjacency matrix ``[[0, B], [Bᵀ, 0]]`` of rows and columns: the true graph."""
    from scipy.sparse import csr_array

    m, n = pattern.shape
    transposed = pattern.T.tocsr()
    indptr = np.concatenate([pattern.indptr, transposed.indptr[1:] + pattern.nnz])
    indices = np.concatenate([pattern.indices + m, transposed.indices])
    return csr_array((np.ones(indices.size), indices, indptr), shape=(m + n, m + n))


def slices(work: NDArray[np.float64], limit: int) -> list[NDArray[np.int64]]:
    """Cut 0, 1, … into runs of at most `limit` work each (or of one item)."""
    if work.size == 0:
        return []
    number = ((np.cumsum(work) - work) // limit).astype(np.int64)
    return list(np.split(np.arange(work.size), np.flatnonzero(np.diff(number)) + 1))


def _sample(visits: NDArray[np.float64]) -> NDArray[np.int64]:
    total = float(visits.sum())
    nodes = visits.size
    if total <= EXACT_VISITS:
        return np.arange(nodes)
    count = max(200, int(nodes * EXACT_VISITS / total))
    # Every k-th node of the order by work: a stratified sample that no seed has to choose.
    order = np.argsort(visits, kind="stable")
    return np.sort(order[np.linspace(0, nodes - 1, min(count, nodes)).astype(np.int64)])


def _sum_of_slice(
    pattern: csr_array[Any, Any],
    transposed: csr_array[Any, Any],
    nodes: NDArray[np.int64],
    degrees: NDArray[np.float64],
) -> float:
    common = pattern[nodes] @ transposed
    here = np.repeat(np.arange(nodes.size), np.diff(common.indptr))
    there = common.indices
    other = nodes[here] != there
    here, there, shared = here[other], there[other], common.data[other]
    ratio = shared / (degrees[nodes[here]] + degrees[there] - shared)
    sums = np.bincount(here, weights=ratio, minlength=nodes.size)
    pairs = np.bincount(here, minlength=nodes.size)
    return float((sums / np.maximum(pairs, 1)).sum())
