"""Instances as bipartite graphs (paper, section 3.1): one graph as arrays, many as one batch.

    G = (V ∪ W, E),  v_i = (b_i, …),  w_j = (9 features),  e_ij = (a_ij)

A `Bipartite` is one instance in NumPy arrays, made once. A `GraphBatch` is the disjoint union of
several as tensors: the edges once grouped by row and once grouped by column, so that sums over
neighbours and their gradients need no atomic operation, and coefficients as codes into a table of
the distinct values, so that the edge network runs once a value and not once an edge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Bipartite:
    """One instance as a graph.

    Shapes
    ------
    row_features : (m, F_r), col_features : (n, F_c)
    indptr : (m + 1,), indices, codes : (E,), by row; table : (C,) the distinct coefficients
    col_indptr : (n + 1,), col_indices, col_codes : (E,), the same edges by column
    col_places : (E,), where each edge of the order by row stands in the order by column
    source_rows : (m,), the row of the `Milp` that a graph row stands for
    maskable : (m,), False for free rows: they constrain nothing and are left alone
    negated : (m,), in canonical form the rows that are lower sides; None otherwise
    """

    row_features: NDArray[np.float64]
    col_features: NDArray[np.float64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    codes: NDArray[np.int32]
    table: NDArray[np.float64]
    col_indptr: NDArray[np.int64]
    col_indices: NDArray[np.int32]
    col_codes: NDArray[np.int32]
    col_places: NDArray[np.int32]
    source_rows: NDArray[np.int64]
    maskable: NDArray[np.bool_]
    negated: NDArray[np.bool_] | None = None

    @classmethod
    def build(
        cls,
        *,
        row_features: NDArray[np.float64],
        col_features: NDArray[np.float64],
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        values: NDArray[np.float64],
        source_rows: NDArray[np.int64] | None = None,
        maskable: NDArray[np.bool_] | None = None,
        negated: NDArray[np.bool_] | None = None,
    ) -> Self:
        """Make the graph from CSR arrays, in O(E log E)."""
        n_rows, n_cols = len(row_features), len(col_features)
        table, inverse = np.unique(values, return_inverse=True)
        rows = np.repeat(np.arange(n_rows, dtype=np.int32), np.diff(indptr))
        by_col = np.argsort(indices, kind="stable")
        places = np.empty(by_col.size, np.int32)
        places[by_col] = np.arange(by_col.size, dtype=np.int32)
        counts = np.bincount(indices, minlength=n_cols)
        codes = inverse.astype(np.int32).ravel()
        return cls(
            row_features=row_features,
            col_features=col_features,
            indptr=np.asarray(indptr, dtype=np.int64),
            indices=np.asarray(indices, dtype=np.int32),
            codes=codes,
            table=table.astype(np.float64),
            col_indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            col_indices=rows[by_col],
            col_codes=codes[by_col],
            col_places=places,
            source_rows=np.arange(n_rows) if source_rows is None else source_rows,
            maskable=np.ones(n_rows, dtype=bool) if maskable is None else maskable,
            negated=negated,
        )

    @property
    def n_rows(self) -> int:
        """Rows of the graph (in canonical form more than rows of the instance)."""
        return len(self.row_features)

    @property
    def n_cols(self) -> int:
        """Columns."""
        return len(self.col_features)

    @property
    def n_edges(self) -> int:
        """Non-zeros."""
        return len(self.indices)

    @property
    def n_bytes(self) -> int:
        """Memory held by the arrays."""
        return sum(array.nbytes for array in vars(self).values() if isinstance(array, np.ndarray))

    def row(self, i: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Columns and coefficients of graph row `i`."""
        span = slice(self.indptr[i], self.indptr[i + 1])
        return self.indices[span], self.table[self.codes[span]]


@dataclass(frozen=True, eq=False)
class Adjacency:
    """Edges grouped by target: those of target t are ``indptr[t]:indptr[t + 1]``.

    Shapes
    ------
    indptr : int64 (T + 1,); indices : int32 (E,), sources; codes : int32 (E,), into the table
    """

    indptr: Tensor
    indices: Tensor
    codes: Tensor

    @property
    def n_targets(self) -> int:
        """Number of targets, those without edges included."""
        return self.indptr.numel() - 1

    @cached_property
    def degrees(self) -> Tensor:
        """Edges of each target, int64 (T,)."""
        return self.indptr.diff()

    @cached_property
    def targets(self) -> Tensor:
        """The target of each edge, int64 (E,)."""
        ids = torch.arange(self.n_targets, device=self.indptr.device)
        return ids.repeat_interleave(self.degrees, output_size=self.indices.numel())

    def without(self, places: NDArray[np.int64]) -> Adjacency:
        """The same targets, without the edges at these places (ascending; CPU only)."""
        indptr = self.indptr.numpy()
        return Adjacency(
            torch.from_numpy(indptr - np.searchsorted(places, indptr)),
            torch.from_numpy(_cut(self.indices.numpy(), places)),
            torch.from_numpy(_cut(self.codes.numpy(), places)),
        )

    def to(self, device: torch.device) -> Adjacency:
        """A copy on `device`."""
        return Adjacency(self.indptr.to(device), self.indices.to(device), self.codes.to(device))


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphBatch:
    """The disjoint union of graphs; ids of rows and columns are global in the batch.

    Shapes
    ------
    row_features : (M, F_r), col_features : (N, F_c)
    table : (C, 1) the distinct coefficients; exact : (C,) the same in float64
    row_ptr, col_ptr : int64 (G + 1,), graph g owns ``row_ptr[g]:row_ptr[g + 1]``
    col_places : (E,), where each edge of `by_row` stands in `by_col`; empty once rows were removed
    """

    row_features: Tensor
    col_features: Tensor
    table: Tensor
    exact: Tensor
    row_ptr: Tensor
    col_ptr: Tensor
    by_row: Adjacency
    by_col: Adjacency
    col_places: Tensor

    @property
    def n_graphs(self) -> int:
        """Number of graphs."""
        return self.row_ptr.numel() - 1

    @cached_property
    def row_graph(self) -> Tensor:
        """The graph of each row, int64 (M,)."""
        return _owners(self.row_ptr, self.row_features.shape[0])

    @cached_property
    def col_graph(self) -> Tensor:
        """The graph of each column, int64 (N,)."""
        return _owners(self.col_ptr, self.col_features.shape[0])

    def entries(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The edges of `rows` (global ids): index into `rows`, place in the order by row."""
        indptr = self.by_row.indptr.numpy()
        degrees = indptr[rows + 1] - indptr[rows]
        ends = np.cumsum(degrees)
        total = int(ends[-1]) if ends.size else 0
        places = np.arange(total) + np.repeat(indptr[rows] - (ends - degrees), degrees)
        return np.repeat(np.arange(rows.size), degrees), places

    def without_rows(self, rows: NDArray[np.int64]) -> GraphBatch:
        """The same nodes, without the edges of `rows` (distinct global ids; CPU only)."""
        return self.without_entries(np.sort(self.entries(rows)[1]))

    def without_entries(self, places: NDArray[np.int64]) -> GraphBatch:
        """The same nodes, without the edges at `places` (ascending, order by row; CPU only)."""
        in_columns = np.sort(self.col_places.numpy()[places]).astype(np.int64)
        return replace(
            self,
            by_row=self.by_row.without(places),
            by_col=self.by_col.without(in_columns),
            col_places=self.col_places[:0],
        )

    def to(self, device: torch.device) -> GraphBatch:
        """A copy on `device`."""
        return GraphBatch(
            row_features=self.row_features.to(device),
            col_features=self.col_features.to(device),
            table=self.table.to(device),
            exact=self.exact.to(device),
            row_ptr=self.row_ptr.to(device),
            col_ptr=self.col_ptr.to(device),
            by_row=self.by_row.to(device),
            by_col=self.by_col.to(device),
            col_places=self.col_places.to(device),
        )


def collate(
    graphs: Sequence[Bipartite], *, repeats: int = 1, dtype: torch.dtype = torch.float32
) -> GraphBatch:
    """Join graphs to one batch; with `repeats` each graph stands that often in a row.

    Loops over graphs only to hand their arrays to NumPy; every offset is added in one operation.
    """
    chosen = [graph for graph in graphs for _ in range(repeats)]
    n_rows = np.array([graph.n_rows for graph in chosen], dtype=np.int64)
    n_cols = np.array([graph.n_cols for graph in chosen], dtype=np.int64)
    n_edges = np.array([graph.n_edges for graph in chosen], dtype=np.int64)
    row_ptr, col_ptr, edge_ptr = _pointer(n_rows), _pointer(n_cols), _pointer(n_edges)

    sizes = np.array([graph.table.size for graph in chosen], dtype=np.int64)
    table, inverse = np.unique(
        np.concatenate([graph.table for graph in chosen]), return_inverse=True
    )
    merged = inverse.astype(np.int32).ravel()
    code_shift = _pointer(sizes)[:-1]

    def adjacency(pointers: str, indices: str, codes: str, shift: NDArray[np.int64]) -> Adjacency:
        starts = np.concatenate([getattr(graph, pointers)[:-1] for graph in chosen])
        owners = n_rows if pointers == "indptr" else n_cols
        indptr = np.append(starts + np.repeat(edge_ptr[:-1], owners), edge_ptr[-1])
        ids = np.concatenate([getattr(graph, indices) for graph in chosen])
        ids = ids + np.repeat(shift.astype(np.int32), n_edges)
        local = np.concatenate([getattr(graph, codes) for graph in chosen])
        if merged.size == table.size == 1:
            renamed = local
        else:
            renamed = merged[local + np.repeat(code_shift, n_edges)]
        return Adjacency(torch.from_numpy(indptr), torch.from_numpy(ids), torch.from_numpy(renamed))

    return GraphBatch(
        row_features=_features([graph.row_features for graph in chosen], dtype),
        col_features=_features([graph.col_features for graph in chosen], dtype),
        table=_within(torch.from_numpy(table), dtype).reshape(-1, 1),
        exact=torch.from_numpy(table),
        row_ptr=torch.from_numpy(row_ptr),
        col_ptr=torch.from_numpy(col_ptr),
        by_row=adjacency("indptr", "indices", "codes", col_ptr[:-1]),
        by_col=adjacency("col_indptr", "col_indices", "col_codes", row_ptr[:-1]),
        col_places=torch.from_numpy(
            np.concatenate([graph.col_places for graph in chosen])
            + np.repeat(edge_ptr[:-1].astype(np.int32), n_edges)
        ),
    )


def _cut(array: NDArray[np.int32], places: NDArray[np.int64]) -> NDArray[np.int32]:
    """Without the entries at `places` (ascending): what stays is copied in runs."""
    if not places.size:
        return array
    edges = np.concatenate([[-1], places, [array.size]])
    runs = np.flatnonzero(np.diff(edges) > 1)
    starts, ends = (edges[runs] + 1).tolist(), edges[runs + 1].tolist()
    kept = [array[start:end] for start, end in zip(starts, ends, strict=True)]
    return np.concatenate([*kept, array[:0]])


def _pointer(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _features(blocks: list[NDArray[np.float64]], dtype: torch.dtype) -> Tensor:
    return _within(torch.from_numpy(np.concatenate(blocks)), dtype)


def _within(values: Tensor, dtype: torch.dtype) -> Tensor:
    """In `dtype`, with what it cannot hold (sides of 1e300) at its limits, not infinite."""
    limits = torch.finfo(dtype)
    return values.clamp(limits.min, limits.max).to(dtype)


def _owners(pointer: Tensor, total: int) -> Tensor:
    ids = torch.arange(pointer.numel() - 1, device=pointer.device)
    return ids.repeat_interleave(pointer.diff(), output_size=total)
