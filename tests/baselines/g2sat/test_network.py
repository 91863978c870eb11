"""The merge classifier computes its formula, whatever the order of nodes and entries."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from g2milp.baselines.g2sat.network import (  # noqa: E402
    MergeScorer,
    clause_graph,
    variable_features,
)
from g2milp.testing import training_milps  # noqa: E402


@pytest.fixture
def scorer() -> MergeScorer:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return MergeScorer().eval()


def test_it_is_the_normalised_convolution(scorer: MergeScorer) -> None:
    milp = training_milps()[0]
    n, m = milp.n_cols, milp.n_rows
    graph = clause_graph(
        variable_features(milp), milp.indices.astype(np.int64), milp.entry_rows.astype(np.int64), m
    )
    a = torch.eye(n + m)
    a[graph.variable, graph.clause] = 1.0
    a[graph.clause, graph.variable] = 1.0
    root = a.sum(1).rsqrt()
    a = root[:, None] * a * root[None, :]
    h = scorer.embed(graph.features)
    first, second, third = scorer.layers
    h = a @ third(torch.relu(a @ second(torch.relu(a @ first(h)))))
    h = h / h.norm(dim=1, keepdim=True)
    assert torch.allclose(scorer(graph), h, atol=1e-5)


def test_the_order_of_clauses_and_entries_does_not_matter(scorer: MergeScorer) -> None:
    milp = training_milps()[0]
    rng = np.random.default_rng(0)
    features = variable_features(milp)
    variable, clause = milp.indices.astype(np.int64), milp.entry_rows.astype(np.int64)
    renamed, shuffled = rng.permutation(milp.n_rows), rng.permutation(variable.size)
    one = scorer(clause_graph(features, variable, clause, milp.n_rows))
    other = scorer(
        clause_graph(features, variable[shuffled], renamed[clause][shuffled], milp.n_rows)
    )
    back = np.concatenate([np.arange(milp.n_cols), milp.n_cols + renamed])
    assert torch.allclose(one, other[back], atol=1e-5)


def test_variables_show_cost_kind_and_bounds() -> None:
    milp = training_milps()[0]
    features = variable_features(milp)
    assert features.shape == (milp.n_cols, 6)
    assert np.abs(features[:, 2]).max() == 1.0
    assert np.all(features[:, 3] == 1.0)
