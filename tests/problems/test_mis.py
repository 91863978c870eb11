from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from g2milp.problems.mis import barabasi_albert, clique_partition
from g2milp.problems.registry import make, make_many


def test_sizes_are_the_published_ones() -> None:
    """500 columns, and on average about 1953 rows (published; 1955 on twenty of the original)."""
    instances = list(make_many("mis", 100, 0))
    assert {m.n_cols for m in instances} == {500}
    rows = [m.n_rows for m in instances]
    assert 1950 <= np.mean(rows) <= 1956
    assert min(rows) > 1930
    assert max(rows) < 1975


def test_the_graph_has_always_the_same_number_of_edges() -> None:
    for seed in range(5):
        edges = barabasi_albert(500, 4, np.random.default_rng(seed))
        assert len(edges) == 1984
        assert len({tuple(e) for e in edges.tolist()}) == 1984
        assert (edges[:, 0] < edges[:, 1]).all()
        assert (np.bincount(edges[:, 1], minlength=500)[5:] == 4).all()


def test_attachment_is_proportional_to_the_degree() -> None:
    """Nodes 0 to 3 have degree 1 and node 4 degree 4 when node 5 draws one of them."""
    drawn = np.zeros(5)
    for seed in range(4000):
        edges = barabasi_albert(3, 1, np.random.default_rng(seed))
        drawn[edges[1, 0]] += 1
    assert drawn[:2] / 4000 == pytest.approx([0.5, 0.5], abs=0.03)
    third = np.zeros(3)
    for seed in range(6000):
        edges = barabasi_albert(4, 1, np.random.default_rng(seed))
        degree = np.bincount(edges[:2].ravel(), minlength=3)
        third[0] += degree[edges[2, 0]] == 2
    assert third[0] / 6000 == pytest.approx(0.5, abs=0.03)


def test_the_partition_is_one_of_cliques() -> None:
    for seed in range(5):
        edges = barabasi_albert(80, 5, np.random.default_rng(seed))
        graph = nx.Graph(edges.tolist())
        clique_of, cliques = clique_partition(80, edges)
        assert sorted(node for clique in cliques for node in clique) == list(range(80))
        for number, clique in enumerate(cliques):
            assert all(graph.has_edge(u, v) for u, v in combinations(clique, 2))
            assert (clique_of[clique] == number).all()


def test_the_model_is_the_independent_set_problem() -> None:
    """Every edge is covered by exactly one row, and no row joins nodes without an edge."""
    milp = make("mis", 2, n_nodes=40)
    pairs = [
        tuple(sorted(pair))
        for i in range(milp.n_rows)
        for pair in combinations(milp.row(i)[0].tolist(), 2)
    ]
    assert len(pairs) == len(set(pairs)) == 4 * 36
    assert milp.sense == "max"
    assert milp.is_binary.all()
    assert set(milp.values) == set(milp.objective) == set(milp.row_upper) == {1.0}
