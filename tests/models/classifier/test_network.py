"""The classifier of whole instances: one logit a graph, whatever the order and the company."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.evaluation.instances import permuted

from g2milp.graph.bipartite import collate
from g2milp.graph.features import build_graph
from g2milp.models.classifier.network import GraphClassifier
from g2milp.problems.registry import make_many


def test_the_order_of_rows_and_columns_does_not_matter_nor_does_the_batch():
    milps = list(make_many("mis", 3, 0, n_nodes=30))
    model = GraphClassifier(8, 2, seed=1)
    graphs = [build_graph(milp) for milp in milps]
    model.settle(collate(graphs))
    together = model(collate(graphs))
    assert together.shape == (3,)
    assert together.std() > 1e-3
    for milp, logit in zip(milps, together, strict=True):
        shuffled = build_graph(permuted(milp, np.random.default_rng(4)))
        assert model(collate([shuffled])).item() == pytest.approx(logit.item(), abs=1e-3)


def test_all_parameters_learn_and_come_from_the_seed():
    graphs = [
        build_graph(milp) for milp in make_many("setcover", 4, 0, n_rows=20, n_cols=30, density=0.2)
    ]
    model, same = GraphClassifier(8, 2, seed=1), GraphClassifier(8, 2, seed=1)
    assert all(
        torch.equal(a, b) for a, b in zip(model.parameters(), same.parameters(), strict=True)
    )
    model.settle(collate(graphs))
    model(collate(graphs)).square().sum().backward()
    silent = [name for name, p in model.named_parameters() if p.grad is None]
    assert not silent
