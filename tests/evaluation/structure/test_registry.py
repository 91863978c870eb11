"""Every statistic against an independent oracle, and under permutation."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from tests.evaluation.instances import milp_of, permuted, random_milp
from tests.evaluation.structure import oracle

from g2milp.errors import UsageError
from g2milp.evaluation.structure.bipartite import combined_adjacency
from g2milp.evaluation.structure.communities import modularity, partition
from g2milp.evaluation.structure.merged_graph import merged_adjacency
from g2milp.evaluation.structure.registry import STATISTICS, statistics_of
from g2milp.evaluation.structure.view import View

SEEDS = range(200)


def test_every_statistic_has_an_oracle():
    assert set(STATISTICS) == set(oracle.expected(random_milp(0))) | oracle.LOUVAIN


@pytest.mark.parametrize("block", range(10))
def test_every_statistic_equals_its_oracle(block: int):
    for seed in SEEDS[block::10]:
        milp = random_milp(seed)
        found, wanted = statistics_of(milp), oracle.expected(milp)
        for name, value in wanted.items():
            assert found[name] == pytest.approx(value, rel=1e-9, abs=1e-9), (seed, name)


@pytest.mark.parametrize("block", range(4))
def test_modularity_is_that_of_a_partition_and_as_good_as_networkx(block: int):
    for seed in SEEDS[block:100:4]:
        milp = random_milp(seed)
        found = statistics_of(milp, oracle.LOUVAIN)
        upper, _ = oracle.upper_rows(milp)
        graphs = {
            "modularity": oracle.true_graph(oracle.dense(milp), milp.n_cols),
            "upper_modularity": oracle.true_graph(upper, milp.n_cols),
            "merged_modularity": oracle.merged_graph(upper, milp.n_cols),
        }
        for name, graph in graphs.items():
            assert found[name] >= oracle.best_known_modularity(graph) - 0.06, (seed, name)
            assert found[name] <= 1


def test_modularity_of_a_partition_equals_networkx_with_self_loops():
    for seed in range(40):
        view = View(random_milp(seed))
        for adjacency in (combined_adjacency(view.pattern), merged_adjacency(view)):
            if not adjacency.nnz:
                continue
            loops = adjacency.diagonal() > 0
            weighted = adjacency.tolil()
            weighted.setdiag(np.where(loops, 2.0, 0.0))
            weighted = weighted.tocsr()
            weighted.eliminate_zeros()
            labels = partition(weighted, 0)
            graph = nx.from_scipy_sparse_array(adjacency, parallel_edges=False)
            sets = [set(np.flatnonzero(labels == k).tolist()) for k in np.unique(labels)]
            wanted = nx.community.modularity(graph, sets, weight=None)
            assert modularity(weighted, labels) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("block", range(4))
def test_statistics_do_not_depend_on_the_order_of_rows_and_columns(block: int):
    names = [name for name, s in STATISTICS.items() if s.is_invariant]
    louvain = {"modularity", "communities", "upper_modularity"}
    for seed in SEEDS[block:100:4]:
        milp = random_milp(seed)
        other = permuted(milp, np.random.default_rng(seed))
        a, b = statistics_of(milp, names), statistics_of(other, names)
        for name in names:
            # Louvain: equal unless colours cannot tell nodes apart, then close.
            room = 0.05 if name in louvain - {"communities"} else 1e-9
            if name != "communities":
                assert a[name] == pytest.approx(b[name], rel=1e-9, abs=room), (seed, name)


def test_modularity_of_an_irregular_graph_is_exactly_invariant():
    rng = np.random.default_rng(3)
    matrix = (rng.random((60, 90)) < 0.06).astype(float)
    milp = milp_of(matrix, np.full(60, -np.inf), np.ones(60), objective=np.ones(90))
    found = {
        statistics_of(permuted(milp, np.random.default_rng(k)), ["modularity"])["modularity"]
        for k in range(5)
    }
    assert len(found) == 1


def test_merged_statistics_depend_on_the_order():
    rng = np.random.default_rng(4)
    matrix = (rng.random((30, 40)) < 0.1).astype(float)
    milp = milp_of(matrix, np.full(30, -np.inf), np.ones(30), objective=np.ones(40))
    other = permuted(milp, rng)
    name = ["merged_clustering"]
    assert statistics_of(milp, name) != statistics_of(other, name)


def test_unknown_names_are_refused():
    with pytest.raises(UsageError, match="no statistic"):
        statistics_of(random_milp(1), ["beauty"])


def test_statistics_of_an_empty_instance_are_finite():
    milp = milp_of(np.zeros((0, 1)), np.zeros(0), np.zeros(0), objective=[1.0])
    assert all(np.isfinite(value) for value in statistics_of(milp).values())


def test_large_products_are_sliced_and_sampled_consistently(monkeypatch: pytest.MonkeyPatch):
    from g2milp.evaluation.structure import bipartite

    rng = np.random.default_rng(5)
    matrix = (rng.random((300, 200)) < 0.1).astype(float)
    milp = milp_of(matrix, np.full(300, -np.inf), np.ones(300), objective=np.ones(200))
    whole = statistics_of(milp, ["clustering"])["clustering"]
    monkeypatch.setattr(bipartite, "SLICE_VISITS", 500)
    assert statistics_of(milp, ["clustering"])["clustering"] == pytest.approx(whole, abs=1e-12)
    monkeypatch.setattr(bipartite, "EXACT_VISITS", 60_000)
    assert statistics_of(milp, ["clustering"])["clustering"] == pytest.approx(whole, rel=0.02)
