"""Features of rows and columns, in both forms of rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.graph.features import (
    COLUMN_FEATURES,
    ROW_FEATURES,
    bias_of_rows,
    build_graph,
    class_to_kind,
    sides_from_bias,
)
from g2milp.graph.selection import select_rows
from g2milp.instance.milp import Kind, Milp

INF = float("inf")


def every_kind() -> Milp:
    """Rows ≤, ≥, =, range, free; columns binary, integer, continuous, semi-continuous, free."""
    return Milp.build(
        objective=[1, -2, 3, 0, 5],
        indptr=[0, 2, 4, 6, 8, 9],
        indices=[0, 1, 1, 2, 0, 4, 2, 3, 0],
        values=[1, -1, 2, 2, 3, 4, 5, 6, 7],
        row_lower=[-INF, 2, 3, -1, -INF],
        row_upper=[4, INF, 3, 5, INF],
        col_lower=[0, 0, -INF, 0, -INF],
        col_upper=[1, 7, 9.5, 8, INF],
        kinds=[Kind.INTEGER, Kind.INTEGER, 0, Kind.SEMI_CONTINUOUS, 0],
        sense="max",
    )


def test_columns_have_the_nine_features_in_ecoles_order() -> None:
    assert COLUMN_FEATURES[0] == "objective"
    assert len(COLUMN_FEATURES) == 9
    features = build_graph(every_kind()).col_features
    assert features[:, 0].tolist() == [-1, 2, -3, 0, -5]  # of the minimisation
    assert features[:, 1:5].argmax(axis=1).tolist() == [0, 1, 3, 3, 3]
    assert features[2].tolist() == [-3, 0, 0, 0, 1, 0, 1, 0, 9.5]
    assert features[4, 5:].tolist() == [0, 0, 0, 0]
    assert np.isfinite(features).all()


def test_a_row_stays_one_row_and_tells_its_kind() -> None:
    graph = build_graph(every_kind(), "rows")
    assert graph.row_features.shape == (5, len(ROW_FEATURES["rows"]))
    assert graph.row_features.tolist() == [
        [4, 1, 0, 0, 0, 0],
        [2, 0, 1, 0, 0, 0],
        [3, 0, 0, 1, 0, 0],
        [5, 0, 0, 0, 1, 6],
        [0, 0, 0, 0, 0, 0],
    ]
    assert graph.maskable.tolist() == [True, True, True, True, False]


def test_canonical_form_is_equation_1() -> None:
    graph = build_graph(every_kind(), "canonical")
    assert graph.source_rows.tolist() == [0, 1, 2, 2, 3, 3]
    assert graph.row_features[:, 0].tolist() == [4, -2, -3, 3, 1, 5]
    assert graph.row(1)[1].tolist() == [-2, -2]
    assert graph.row(2)[1].tolist() == [-3, -4]
    assert graph.row(3)[1].tolist() == [3, 4]
    assert graph.negated.tolist() == [False, True, True, False, True, False]


def test_both_sides_of_a_row_are_selected_and_the_upper_one_leads() -> None:
    graph = build_graph(every_kind(), "canonical")
    chosen = select_rows(graph, np.array([3, 1, 2]))
    assert chosen.graph_rows.tolist() == [1, 2, 3, 4, 5]
    assert chosen.graph_rows[chosen.leading].tolist() == [5, 1, 3]


@settings(max_examples=50, deadline=None)
@given(new=st.lists(st.floats(-1e6, 1e6), min_size=5, max_size=5))
def test_a_new_bias_keeps_the_kind_of_every_row(new) -> None:
    milp, rows = every_kind(), np.arange(5)
    lower, upper = sides_from_bias(milp, rows, np.array(new))
    assert np.array_equal(np.isfinite(lower), np.isfinite(milp.row_lower))
    assert np.array_equal(np.isfinite(upper), np.isfinite(milp.row_upper))
    assert lower[2] == upper[2] == new[2]
    assert upper[3] - lower[3] == pytest.approx(6)


def test_the_old_bias_gives_the_old_sides() -> None:
    milp = every_kind()
    lower, upper = sides_from_bias(milp, np.arange(5), bias_of_rows(milp))
    assert np.array_equal(lower, milp.row_lower)
    assert np.array_equal(upper, milp.row_upper)


def test_types_become_kinds() -> None:
    assert [class_to_kind(c) for c in range(4)] == [Kind.INTEGER] * 3 + [Kind.CONTINUOUS]


def test_an_instance_without_rows_or_entries_is_a_graph() -> None:
    empty = Milp.build(
        objective=[1.0], indptr=[0], indices=[], values=[], row_lower=[], row_upper=[]
    )
    for form in ("rows", "canonical"):
        graph = build_graph(empty, form)
        assert (graph.n_rows, graph.n_cols, graph.n_edges) == (0, 1, 0)
