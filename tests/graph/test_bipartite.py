"""Batches against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.graph.bipartite import Adjacency, Bipartite, GraphBatch, collate


def random_graph(seed: int, m: int, n: int, density: float) -> tuple[Bipartite, np.ndarray]:
    rng = np.random.default_rng(seed)
    present = rng.random((m, n)) < density
    dense = np.where(present, rng.integers(1, 4, (m, n)) / 2, 0.0)
    graph = Bipartite.build(
        row_features=rng.normal(size=(m, 1)),
        col_features=rng.normal(size=(n, 9)),
        indptr=np.concatenate([[0], present.sum(1).cumsum()]),
        indices=np.nonzero(present)[1].astype(np.int32),
        values=dense[present],
    )
    return graph, dense


def dense_of(adjacency: Adjacency, table: torch.Tensor, width: int) -> np.ndarray:
    dense = np.zeros((adjacency.n_targets, width))
    for target in range(adjacency.n_targets):
        span = slice(int(adjacency.indptr[target]), int(adjacency.indptr[target + 1]))
        ids = adjacency.indices[span].numpy()
        assert np.all(np.diff(ids) > 0)
        dense[target, ids] = table[adjacency.codes[span].long(), 0].numpy()
    return dense


def block_diagonal(blocks: list[np.ndarray]) -> np.ndarray:
    m, n = (sum(b.shape[axis] for b in blocks) for axis in (0, 1))
    joined, row, col = np.zeros((m, n)), 0, 0
    for block in blocks:
        joined[row : row + block.shape[0], col : col + block.shape[1]] = block
        row, col = row + block.shape[0], col + block.shape[1]
    return joined


shape = st.tuples(st.integers(1, 6), st.integers(1, 6), st.sampled_from([0.0, 0.4, 1.0]))


@settings(max_examples=40, deadline=None)
@given(shapes=st.lists(shape, min_size=1, max_size=4), repeats=st.integers(1, 3))
def test_both_orders_of_the_edges_are_the_block_diagonal_matrix(shapes, repeats) -> None:
    made = [random_graph(seed, *s) for seed, s in enumerate(shapes)]
    batch = collate([g for g, _ in made], repeats=repeats, dtype=torch.float64)
    wanted = block_diagonal([dense for _, dense in made for _ in range(repeats)])
    assert np.array_equal(dense_of(batch.by_row, batch.table, wanted.shape[1]), wanted)
    assert np.array_equal(dense_of(batch.by_col, batch.table, wanted.shape[0]), wanted.T)
    assert batch.n_graphs == len(shapes) * repeats
    rows = [
        g
        for g, (m, _, _) in enumerate([s for s in shapes for _ in range(repeats)])
        for _ in range(m)
    ]
    assert batch.row_graph.tolist() == rows


@settings(max_examples=40, deadline=None)
@given(shapes=st.lists(shape, min_size=1, max_size=3), data=st.data())
def test_without_rows_removes_their_edges_and_no_others(shapes, data) -> None:
    made = [random_graph(seed, *s) for seed, s in enumerate(shapes)]
    batch = collate([g for g, _ in made], dtype=torch.float64)
    wanted = block_diagonal([dense for _, dense in made])
    gone = data.draw(st.sets(st.integers(0, len(wanted) - 1)))
    wanted[sorted(gone)] = 0.0
    less = batch.without_rows(np.array(sorted(gone), dtype=np.int64))
    assert np.array_equal(dense_of(less.by_row, less.table, wanted.shape[1]), wanted)
    assert np.array_equal(dense_of(less.by_col, less.table, wanted.shape[0]), wanted.T)


def test_the_table_keeps_each_value_once_and_exactly() -> None:
    graph, _ = random_graph(0, 5, 5, 1.0)
    batch = collate([graph, graph])
    assert np.array_equal(batch.exact.numpy(), np.unique(graph.table))
    assert graph.row(2)[1].tolist() == [graph.table[c] for c in graph.codes[10:15]]


@pytest.mark.parametrize("device", ["cpu"])
def test_a_copy_on_a_device_is_the_same_batch(device) -> None:
    batch = collate([random_graph(1, 3, 4, 0.5)[0]])
    copy = batch.to(torch.device(device))
    assert isinstance(copy, GraphBatch)
    assert torch.equal(copy.by_col.indices, batch.by_col.indices)
