"""The shared network: its scales, and that the order of rows and columns does not matter."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from g2milp.downstream.network import NetworkSettings, Scales, Trunk
from g2milp.graph.bipartite import collate
from g2milp.graph.features import build_graph
from g2milp.problems.registry import make
from g2milp.testing import permuted

SMALL = NetworkSettings(width=8, hidden=8, depth=2)


def test_scales_are_mean_and_deviation_over_nodes_and_edges(train):
    graphs = [
        build_graph(milp) for milp in [*train, make("mik", seed=1, n_integers=30, n_knapsacks=4)]
    ]
    scales = Scales.of(graphs)
    cols = np.concatenate([graph.col_features for graph in graphs])
    edges = np.concatenate([graph.table[graph.codes] for graph in graphs])
    deviation = cols.std(axis=0)
    np.testing.assert_allclose(scales.cols[0], cols.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(scales.cols[1], np.where(deviation > 0, deviation, 1.0), rtol=1e-4)
    np.testing.assert_allclose(scales.edges[:, 0], [edges.mean(), edges.std()], rtol=1e-4)


def test_states_follow_their_rows_and_columns():
    milp = make("mik", seed=3, n_integers=30, n_knapsacks=4)
    rng = np.random.default_rng(0)
    rows, cols = rng.permutation(milp.n_rows), rng.permutation(milp.n_cols)
    graphs = [build_graph(milp), build_graph(permuted(milp, rows, cols))]
    trunk = Trunk(SMALL, Scales.of(graphs[:1]), torch.Generator().manual_seed(0))
    (own_rows, own_cols), (new_rows, new_cols) = (trunk(collate([graph])) for graph in graphs)
    torch.testing.assert_close(own_rows[torch.from_numpy(rows)], new_rows, rtol=1e-3, atol=1e-4)
    torch.testing.assert_close(own_cols[torch.from_numpy(cols)], new_cols, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("message", ["paper", "code"])
def test_graphs_of_a_batch_do_not_see_each_other(train, message):
    graphs = [build_graph(milp) for milp in train]
    settings = NetworkSettings(width=8, hidden=8, depth=2, message=message)
    trunk = Trunk(settings, Scales.of(graphs), torch.Generator().manual_seed(0))
    _, together = trunk(collate(graphs))
    alone = torch.cat([trunk(collate([graph]))[1] for graph in graphs])
    torch.testing.assert_close(together, alone, rtol=1e-4, atol=1e-5)


def test_enormous_numbers_stay_finite(train):
    graphs = [build_graph(milp) for milp in train]
    wild = train[0].objective.copy()
    wild[0] = 1e300
    from dataclasses import replace

    odd = build_graph(replace(train[0], objective=wild))
    for scaled_on in (graphs, [*graphs, odd]):
        trunk = Trunk(SMALL, Scales.of(scaled_on), torch.Generator().manual_seed(0))
        assert bool(torch.isfinite(trunk(collate([odd]))[1]).all())
