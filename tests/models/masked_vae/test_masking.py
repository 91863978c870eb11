"""What a training task hides and asks for."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.graph.bipartite import Bipartite
from g2milp.models.masked_vae.config import Masking
from g2milp.models.masked_vae.masking import make_task


def random_graph(rng: np.random.Generator, m: int, n: int, density: float) -> Bipartite:
    present = rng.random((m, n)) < density
    return Bipartite.build(
        row_features=rng.normal(size=(m, 1)),
        col_features=rng.normal(size=(n, 9)),
        indptr=np.concatenate([[0], present.sum(1).cumsum()]),
        indices=np.nonzero(present)[1].astype(np.int32),
        values=rng.integers(1, 5, int(present.sum())).astype(float),
    )


shape = st.tuples(st.integers(1, 8), st.integers(1, 8), st.sampled_from([0.0, 0.3, 0.8, 1.0]))


@settings(max_examples=80, deadline=None)
@given(
    shapes=st.lists(shape, min_size=1, max_size=3),
    repeats=st.integers(1, 3),
    most=st.integers(1, 4),
    seed=st.integers(0, 2**32),
)
def test_a_task_asks_for_exactly_what_was_hidden(shapes, repeats, most, seed) -> None:
    rng = np.random.default_rng(seed)
    graphs = [random_graph(rng, *s) for s in shapes]
    task = make_task(graphs, repeats, Masking(rows_per_mask=most), rng)
    copies = [graph for graph in graphs for _ in range(repeats)]
    starts, shifts = task.masked.row_ptr.tolist(), task.masked.col_ptr.tolist()
    source_shifts = task.distinct.col_ptr.tolist()
    ids, owner = task.rows.rows.tolist(), task.rows.graph.tolist()
    assert ids == sorted(set(ids))
    assert set(owner) == set(range(len(copies)))
    pairs = list(zip(task.pair_row.tolist(), task.pair_col.tolist(), strict=True))
    lost: dict[int, int] = {}
    for place, (row, g) in enumerate(zip(ids, owner, strict=True)):
        graph = copies[g]
        local = row - starts[g]
        cols, values = graph.row(local)
        assert task.bias[place] == graph.row_features[local, 0]
        assert task.degree[place] == len(cols)
        true = [(q, p[1]) for q, p in enumerate(pairs[: task.n_true]) if p[0] == place]
        assert [int(task.needed[u]) - shifts[g] for _, u in true] == cols.tolist()
        assert [float(task.weights[q]) for q, _ in true] == values.tolist()
        for _, u in true:
            lost[u] = lost.get(u, 0) + 1
        false = [int(task.needed[u]) - shifts[g] for r, u in pairs[task.n_true :] if r == place]
        assert len(false) == (len(cols) if len(cols) < graph.n_cols else 0)
        assert not set(false) & set(cols.tolist())
        assert all(0 <= j < graph.n_cols for j in false)
        assert int(task.rows_source[place]) - task.distinct.row_ptr[g // repeats] == local
    for u, (col, source) in enumerate(
        zip(task.needed.tolist(), task.needed_source.tolist(), strict=True)
    ):
        g = int(np.searchsorted(shifts, col, side="right")) - 1
        assert col - shifts[g] == source - source_shifts[g // repeats]
        assert task.slots[u, 0] == lost.get(u, 0)
    degrees = task.masked.by_row.degrees
    assert int(degrees[task.rows.rows].sum()) == 0
    hidden = sum(int(d) for d in task.degree)
    assert task.masked.by_col.indices.numel() == sum(c.n_edges for c in copies) - hidden


def test_negatives_are_uniform_over_the_other_columns() -> None:
    rng = np.random.default_rng(0)
    graph = random_graph(rng, 1, 9, 0.4)
    other = np.setdiff1d(np.arange(9), graph.row(0)[0])
    seen = np.zeros(9)
    for _ in range(3000):
        task = make_task([graph], 1, Masking(), rng)
        for u in task.pair_col[task.n_true :].tolist():
            seen[int(task.needed[u])] += 1
    share = seen[other] / seen.sum()
    assert seen.sum() == seen[other].sum()
    assert np.abs(share - 1 / other.size).max() < 0.02


def test_shares_average_over_items_then_graphs() -> None:
    rng = np.random.default_rng(1)
    graphs = [random_graph(rng, 6, 7, 0.5) for _ in range(4)]
    task = make_task(graphs, 2, Masking(rows_per_mask=3), rng)
    assert float(task.row_share.sum()) == pytest.approx(1.0)
    assert torch.all(make_task(graphs, 2, Masking(), rng, mean=False).row_share == 1 / 8)


def test_free_rows_are_never_masked() -> None:
    rng = np.random.default_rng(2)
    graph = random_graph(rng, 4, 4, 0.9)
    graph = Bipartite(**{**vars(graph), "maskable": np.array([False, True, False, False])})
    for _ in range(20):
        assert make_task([graph], 1, Masking(), rng).rows.rows.tolist() == [1]


def test_scope_both_takes_turns() -> None:
    rng = np.random.default_rng(3)
    graphs = [random_graph(rng, 4, 5, 0.5) for _ in range(3)]
    task = make_task(graphs, 2, Masking(scope="both"), rng)
    assert task.cols.numel() == task.rows.rows.numel() == 3
    one = [make_task(graphs, 1, Masking(scope="both"), rng, turn=t).cols.numel() for t in (0, 1)]
    assert one == [3, 0]
