"""The predictor of optimal values: pooling, order, and that it learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from g2milp.downstream.fitting import Schedule, fit
from g2milp.downstream.network import NetworkSettings, Scales
from g2milp.downstream.optimal_value import model
from g2milp.downstream.optimal_value.model import ValueNet, ValueProblem, predict
from g2milp.graph.bipartite import collate
from g2milp.graph.features import build_graph
from g2milp.problems.registry import make, make_many
from g2milp.testing import permuted

SMALL = NetworkSettings(width=8, hidden=8, depth=2)


def net(graphs) -> ValueNet:
    return ValueNet(SMALL, Scales.of(graphs), torch.Generator().manual_seed(0))


def test_pooling_is_the_mean_over_all_vertices():
    graphs = [build_graph(m) for m in make_many("mik", 3, seed=1, n_integers=30, n_knapsacks=4)]
    module = net(graphs)
    for graph, value in zip(graphs, predict(module, graphs), strict=True):
        with torch.no_grad():
            rows, cols = module.trunk(collate([graph]))
            pooled = torch.cat([rows, cols]).mean(dim=0, keepdim=True)
            assert float(module.head(pooled)) == pytest.approx(value, abs=1e-5)


def test_the_order_of_rows_and_columns_does_not_matter():
    milp = make("mik", seed=1, n_integers=30, n_knapsacks=4)
    rng = np.random.default_rng(1)
    other = permuted(milp, rng.permutation(milp.n_rows), rng.permutation(milp.n_cols))
    graphs = [build_graph(milp), build_graph(other)]
    first, second = predict(net(graphs), graphs)
    assert first == pytest.approx(second, abs=1e-5)


def test_predictions_do_not_depend_on_how_graphs_are_joined(monkeypatch):
    graphs = [build_graph(m) for m in make_many("mis", 5, seed=1, n_nodes=20)]
    module = net(graphs)
    together = predict(module, graphs)
    monkeypatch.setattr(model, "MAX_EDGES", 1)
    np.testing.assert_allclose(predict(module, graphs), together, atol=1e-5)
    assert predict(module, []).shape == (0,)


def test_it_learns_what_a_graph_tells():
    """The mean objective coefficient is a function of the graph that pooling can express."""
    milps = list(make_many("setcover", 30, seed=1, n_rows=15, n_cols=20, density=0.15))
    values = np.array([milp.objective.mean() for milp in milps])
    values = (values - values.mean()) / values.std()
    graphs = [build_graph(milp) for milp in milps]
    module = net(graphs)
    problem = ValueProblem(module, graphs[:20], values[:20], graphs[20:], values[20:])
    before = problem.judge()
    told = fit(problem, Schedule(epochs=30, batch=5, learning_rate=1e-2), seed=0)
    assert told.best_value == pytest.approx(problem.judge())
    assert told.best_value < 0.3 < before
