r"""Peeling orders: which variable of a row was there last.

The conflict graph of some rows joins the columns that stand in a row together. It is *peeled* by
taking away, again and again, a column of fewest remaining neighbours. In graphs that grew, such as
those of preferential attachment, every column has about the same number left when its turn comes
(its *rest*); the largest rest is the degeneracy, and a graph with the same degrees but without that
order has a denser core, which makes instances harder.

Given the order, exchanging entries of like *role* – rows of one size, and the same place in the
order within the row – keeps every column's rest and its number of later neighbours. For
preferential attachment this is exact: the chance of a graph given its order of arrival depends on
the degrees alone, so all graphs of these roles are equally likely, and by the same count all orders
that could have made a graph are. Hence ties are broken at random.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

try:
    from g2milp.generation.exchange import _exchange as native
except ImportError:  # built without a compiler
    native = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


def peel(
    milp: Milp,
    rows: NDArray[np.bool_],
    luck: NDArray[np.float64],
    *,
    use_native: bool = True,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """When each column is taken away, and how many neighbours it has left then (its rest).

    Time and memory go with the pairs of columns that stand in a row. Neighbours that share two of
    these rows count twice.

    Shapes
    ------
    rows (m,): the rows whose pairs count; luck (n,): the smaller goes first among equals → (n,) two
    times
    """
    if native is not None and use_native:
        turn, rest = np.empty(milp.n_cols, np.int32), np.empty(milp.n_cols, np.int32)
        native.peel(milp.indptr, milp.indices, rows.astype(np.uint8), luck, turn, rest)
        return turn, rest
    return _peel(milp, rows, luck)


def _peel(
    milp: Milp, rows: NDArray[np.bool_], luck: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    members = {i: milp.row(i)[0].tolist() for i in np.flatnonzero(rows).tolist()}
    rows_of: list[list[int]] = [[] for _ in range(milp.n_cols)]
    left = [0] * milp.n_cols
    for i, cols in members.items():
        for c in cols:
            rows_of[c].append(i)
            left[c] += len(cols) - 1
    turn, rest = np.full(milp.n_cols, -1, np.int32), np.zeros(milp.n_cols, np.int32)
    heap = [(left[c], luck[c], c) for c in range(milp.n_cols)]
    heapq.heapify(heap)
    now = 0
    while heap:
        size, _, c = heapq.heappop(heap)
        if turn[c] >= 0 or size != left[c]:
            continue
        turn[c], rest[c] = now, size
        now += 1
        for i in rows_of[c]:
            for d in members[i]:
                if turn[d] < 0:
                    left[d] -= 1
                    heapq.heappush(heap, (left[d], luck[d], d))
    return turn, rest


def roles(
    milp: Milp, entries: NDArray[np.int64], turn: NDArray[np.int32]
) -> tuple[NDArray[np.int64], int]:
    """The role of each entry, ``size · (longest + 1) + place``, and a bound that none reaches.

    Shapes: entries (k,), whole rows → (k,)
    """
    row = milp.entry_rows[entries]
    order = np.lexsort((turn[milp.indices[entries]], row))
    lengths = milp.row_degrees.astype(np.int64)
    place = np.empty(entries.size, np.int64)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(row[order])) + 1])[: max(1, entries.size)]
    runs = np.diff(np.concatenate([starts, [entries.size]]))
    place[order] = np.arange(entries.size) - np.repeat(starts, runs)
    step = int(lengths.max(initial=0)) + 1
    role: NDArray[np.int64] = lengths[row] * step + place
    return role, step * step
