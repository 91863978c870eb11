"""The task of contrast: hide entries of a block of rows, and ask which of two arrangements is real.

Some rows of each graph are chosen, and a quarter of their entries is hidden, here as in generation;
what stays tells the row. The hidden entries of a bucket are the slots that an exchange permutes. A
contrast is a pair of them, (r, c) and (s, d), and its counterpart (r, d), (s, c), which an exchange
could have made of it: columns that their rows do not have.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor

from g2milp.graph.bipartite import collate
from g2milp.models.contrast.shared import N_SHARED, at_pairs, shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite, GraphBatch
    from g2milp.models.contrast.typed import Typing

HIDDEN_SHARE = 0.25
"""Chance of an entry of a chosen row to be hidden.

Measured on combinatorial auctions at η = 0.5 (energy distance to real in real–real units, typed
rewire 2.96): half hidden 2.34, a quarter 1.12, at equal numbers of moves.
"""

MAX_CONTRASTS = 600
"""Of one graph and step."""


@dataclass(frozen=True, eq=False, kw_only=True)
class View:
    """Graphs with hidden entries, as the network sees them.

    Shapes
    ------
    visible : the batch without the hidden entries
    row_counts (M, 2), col_counts (N, 2) : log(1 + hidden entries), log(1 + all entries)
    """

    visible: GraphBatch
    row_counts: Tensor
    col_counts: Tensor

    def to(self, device: torch.device) -> View:
        """A copy on `device`."""
        return View(
            visible=self.visible.to(device),
            row_counts=self.row_counts.to(device),
            col_counts=self.col_counts.to(device),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Contrasts:
    """P pairs of real entries (r, c), (s, d) and what would be exchanged.

    Shapes
    ------
    rows, cols : (4, P) global ids of (r, c), (s, d), (r, d), (s, c)
    shared : (4, P, 4), see `shared`
    share : (P,) weights that make a mean over the contrasts of a graph and then over graphs
    """

    view: View
    rows: Tensor
    cols: Tensor
    shared: Tensor
    share: Tensor

    def to(self, device: torch.device) -> Contrasts:
        """A copy on `device`."""
        moved = {entry.name: getattr(self, entry.name).to(device) for entry in fields(self)}
        return replace(self, **moved)


def look(
    graphs: Sequence[Bipartite],
    hidden: Sequence[NDArray[np.int64]],
    *,
    dtype: torch.dtype = torch.float32,
) -> View:
    """The graphs without the entries at the places `hidden` (of each graph, ascending)."""
    full = collate(graphs, dtype=dtype)
    sizes = np.array([graph.n_edges for graph in graphs], dtype=np.int64)
    shift = np.cumsum(sizes) - sizes
    places = np.concatenate([h + s for h, s in zip(hidden, shift, strict=True)])
    visible = full.without_entries(places)

    def counts(before: Tensor, after: Tensor) -> Tensor:
        return torch.log1p(torch.stack([before - after, before], dim=1).to(dtype))

    return View(
        visible=visible,
        row_counts=counts(full.by_row.degrees, visible.by_row.degrees),
        col_counts=counts(full.by_col.degrees, visible.by_col.degrees),
    )


def hide(graph: Bipartite, rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Places of the entries of `rows` that are hidden this time, ascending."""
    degrees = np.diff(graph.indptr)[rows]
    starts = graph.indptr[rows] - (np.cumsum(degrees) - degrees)
    places = np.sort(np.arange(degrees.sum()) + np.repeat(starts, degrees))
    return places[rng.random(places.size) < HIDDEN_SHARE]


def visible_pattern(graph: Bipartite, hidden: NDArray[np.int64]) -> csr_array:
    """The 0/1 pattern of what is not hidden, (m, n)."""
    kept = np.ones(graph.n_edges, bool)
    kept[hidden] = False
    indptr = np.concatenate([[0], np.cumsum(kept)])[graph.indptr]
    indices = graph.indices[kept]
    ones = np.ones(indices.size, np.float64)
    return csr_array((ones, indices, indptr), shape=(graph.n_rows, graph.n_cols))


def make_contrasts(
    graphs: Sequence[Bipartite],
    typings: Sequence[Typing],
    most_rows: int,
    rng: np.random.Generator,
    *,
    count_shared: bool,
    dtype: torch.dtype = torch.float32,
) -> Contrasts:
    """Hide entries in each graph and draw contrasts from them."""
    hidden, quads, features = [], [], []
    row_shift = col_shift = 0
    for graph, typing in zip(graphs, typings, strict=True):
        rows = _block(graph, most_rows, rng)
        hidden.append(hide(graph, rows, rng))
        local = _legal(graph, _partners(hidden[-1], typing, rng))
        quads.append(local + np.array([[[row_shift]], [[col_shift]]]))
        features.append(
            _shared_of(graph, typing, hidden[-1], local)
            if count_shared
            else np.zeros((4, local.shape[2], N_SHARED), np.float32)
        )
        row_shift += graph.n_rows
        col_shift += graph.n_cols
    sizes = np.array([quad.shape[2] for quad in quads])
    held = max(int((sizes > 0).sum()), 1)
    rows_of, cols_of = np.concatenate(quads, axis=2)
    return Contrasts(
        view=look(graphs, hidden, dtype=dtype),
        rows=torch.from_numpy(rows_of),
        cols=torch.from_numpy(cols_of),
        shared=torch.from_numpy(np.concatenate(features, axis=1)).to(dtype),
        share=torch.from_numpy(1.0 / (held * np.repeat(sizes, sizes))).to(dtype),
    )


def _block(graph: Bipartite, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Between two and `most` rows with a side."""
    candidates = np.flatnonzero(graph.maskable)
    limit = min(most, candidates.size)
    count = int(np.ceil(limit ** rng.random())) if limit > 1 else limit
    chosen: NDArray[np.int64] = np.sort(
        rng.choice(candidates, size=max(count, min(2, limit)), replace=False)
    )
    return chosen


def _partners(
    hidden: NDArray[np.int64], typing: Typing, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Pairs of hidden entries of one bucket, each entry with the next of a random order: (2, P)."""
    shuffled = rng.permutation(hidden)
    order = np.argsort(typing.bucket[shuffled], kind="stable")
    line = shuffled[order]
    buckets = typing.bucket[line]
    together = np.flatnonzero(buckets[:-1] == buckets[1:])
    if together.size > MAX_CONTRASTS:
        together = rng.choice(together, size=MAX_CONTRASTS, replace=False)
    return np.stack([line[together], line[together + 1]])


def _legal(graph: Bipartite, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows and columns of (r, c), (s, d), (r, d), (s, c) of pairs whose exchange is legal.

    Shapes: (2, P) → (2, 4, P').
    """
    row_of = np.repeat(np.arange(graph.n_rows), np.diff(graph.indptr))
    (r, s), (c, d) = row_of[pairs], graph.indices[pairs].astype(np.int64)
    known = np.sort(row_of * graph.n_cols + graph.indices)

    def free(row: NDArray[np.int64], col: NDArray[np.int64]) -> NDArray[np.bool_]:
        wanted = row * graph.n_cols + col
        place = np.minimum(np.searchsorted(known, wanted), known.size - 1)
        return known[place] != wanted if known.size else np.ones(wanted.size, bool)

    kept = (r != s) & (c != d)
    kept[kept] = free(r[kept], d[kept]) & free(s[kept], c[kept])
    r, s, c, d = r[kept], s[kept], c[kept], d[kept]
    return np.stack([np.stack([r, s, r, s]), np.stack([c, d, d, c])])


def _shared_of(
    graph: Bipartite, typing: Typing, hidden: NDArray[np.int64], quads: NDArray[np.int64]
) -> NDArray[np.float32]:
    rows, place = np.unique(quads[0], return_inverse=True)
    pattern, features = shared(visible_pattern(graph, hidden), rows, typing.row_group)
    found = at_pairs(pattern, features, place.ravel(), quads[1].ravel())
    return found.reshape(4, quads.shape[2], N_SHARED)
