"""Graphs for other libraries."""

from __future__ import annotations

import pytest

from g2milp.errors import UnavailableError
from g2milp.graph.export import to_hetero_data, to_networkx
from g2milp.instance.milp import Milp


def small() -> Milp:
    return Milp.build(
        objective=[1, 2, 3],
        indptr=[0, 2, 3],
        indices=[0, 2, 1],
        values=[1.5, -1, 4],
        row_lower=[1, 2],
        row_upper=[1, 5],
        name="small",
    )


def test_networkx_keeps_rows_and_columns_apart() -> None:
    graph = to_networkx(small())
    assert graph.number_of_nodes() == 5
    assert graph.number_of_edges() == 3
    assert graph.edges[("row", 0), ("col", 2)]["coefficient"] == -1
    assert graph.nodes["col", 1]["objective"] == 2
    assert {kind for kind, _ in graph.nodes} == {"row", "col"}


def test_hetero_data_has_features_and_coefficients(monkeypatch) -> None:
    pytest.importorskip("torch_geometric")
    data = to_hetero_data(small())
    assert data["row"].x.shape == (2, 6)
    assert data["col"].x.shape == (3, 9)
    edges = data["row", "has", "col"]
    assert edges.edge_index.tolist() == [[0, 0, 1], [0, 2, 1]]
    assert edges.edge_attr.tolist() == [[1.5], [-1.0], [4.0]]


def test_a_missing_library_is_named(monkeypatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch_geometric.data", None)
    with pytest.raises(UnavailableError, match="torch_geometric"):
        to_hetero_data(small())
