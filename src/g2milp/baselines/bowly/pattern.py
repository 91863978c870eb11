"""Bowly's degree-controlled sparsity pattern, in O(E log E) for E non-zeros.

Degrees grow by preferential attachment: a vertex i gains each of E half-edges with probability
p (d_i + ε)/Σ(d + ε) + (1 − p) u_i/Σu, u_i ~ U(0, 1). Then an edge (i, j) stands with probability
proportional to d_i d_j. Bowly's code tries all m·n pairs, and loses density where d_i d_j/Σd
exceeds 1; here E distinct pairs are drawn in proportion to d_i d_j, so the density is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

EPSILON = 1e-4


def degree_sequence(
    n: int, n_edges: int, attachment: float, cap: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Degrees of `n` vertices that share `n_edges` half-edges, none above `cap`.

    Step t copies the vertex of a uniform earlier step (chosen in proportion to degree) or draws
    afresh; the copies are resolved together by pointer jumping instead of one after the other.
    """
    popularity = rng.random(n)
    fresh = rng.choice(n, size=n_edges, p=popularity / popularity.sum())
    smoothed = rng.integers(n, size=n_edges)
    steps = np.arange(n_edges)
    by_degree = rng.random(n_edges) < attachment
    smooth = rng.random(n_edges) * (steps + EPSILON * n) < EPSILON * n
    vertex = np.where(by_degree, smoothed, fresh)
    copies = by_degree & ~smooth & (steps > 0)
    source = np.where(copies, (rng.random(n_edges) * steps).astype(np.int64), steps)
    while True:
        further = source[source]
        if np.array_equal(further, source):
            break
        source = further
    degrees = np.bincount(vertex[source], minlength=n)
    return _capped(degrees, cap, popularity)


def pattern(
    row_degrees: NDArray[np.int64], col_degrees: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct (row, column) pairs, drawn in proportion to the degrees, sorted by row.

    Rows and columns that would stay empty get one entry each, as in Bowly's generator.
    """
    m, n = row_degrees.size, col_degrees.size
    wanted = min(int(row_degrees.sum()), m * n)
    of_row = row_degrees / max(row_degrees.sum(), 1)
    of_col = col_degrees / max(col_degrees.sum(), 1)
    keys = np.zeros(0, np.int64)
    for _ in range(64):
        missing = wanted - keys.size
        if missing <= 0:
            break
        rows = rng.choice(m, size=missing + 16, p=of_row)
        cols = rng.choice(n, size=missing + 16, p=of_col)
        new = _first_of_each(rows * n + cols)
        keys = np.concatenate([keys, new[~np.isin(new, keys)][:missing]])
    missing = wanted - keys.size
    if missing > 0 and m * n <= 8 * wanted:  # nearly dense: the last free places are hard to hit
        free = np.setdiff1d(np.arange(m * n), keys)
        keys = np.concatenate([keys, rng.choice(free, size=missing, replace=False)])
    keys = np.concatenate([keys, _connections(keys, m, n, rng)])
    keys.sort()
    return keys // n, keys % n


def _capped(
    degrees: NDArray[np.int64], cap: int, popularity: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Move what exceeds the cap to the most popular vertices that have room."""
    surplus = int(np.maximum(degrees - cap, 0).sum())
    degrees = np.minimum(degrees, cap)
    while surplus > 0 and (degrees < cap).any():
        room = np.flatnonzero(degrees < cap)
        given = room[np.argsort(-popularity[room], kind="stable")][:surplus]
        degrees[given] += 1
        surplus -= given.size
    return degrees


def _first_of_each(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Distinct keys in the order in which they were drawn: no bias towards small ones."""
    _, first = np.unique(keys, return_index=True)
    return keys[np.sort(first)]


def _connections(
    keys: NDArray[np.int64], m: int, n: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Entries that join empty rows and columns with each other, and the rest at random."""
    rows = rng.permutation(np.setdiff1d(np.arange(m), keys // n))
    cols = rng.permutation(np.setdiff1d(np.arange(n), keys % n))
    size = max(rows.size, cols.size)
    rows = np.concatenate([rows, rng.integers(m, size=size - rows.size)])
    cols = np.concatenate([cols, rng.integers(n, size=size - cols.size)])
    return np.asarray(rows * n + cols, dtype=np.int64)
