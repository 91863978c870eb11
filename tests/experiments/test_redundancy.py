"""Redundant rows against a plain reading of the definition, row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.experiments import redundancy
from g2milp.experiments.redundancy import redundant_rows
from g2milp.instance.milp import Milp

INF = float("inf")


def milp_of(rows, col_lower) -> Milp:
    """Rows as (coefficients, lower, upper)."""
    matrix = np.array([row for row, _, _ in rows], float).reshape(len(rows), len(col_lower))
    at = np.nonzero(matrix)
    return Milp.build(
        objective=np.zeros(len(col_lower)),
        indptr=np.concatenate([[0], np.cumsum((matrix != 0).sum(axis=1))]),
        indices=at[1],
        values=matrix[at],
        row_lower=[low for _, low, _ in rows],
        row_upper=[high for _, _, high in rows],
        col_lower=col_lower,
        col_upper=[INF] * len(col_lower),
    )


def plainly(rows, col_lower) -> tuple[int, int]:
    full = [(tuple(r), low, high) for r, low, high in rows if any(r)]
    repeated = len(full) - len(set(full))

    def sides(row):
        coefficients, low, high = row
        found = [] if high == INF else [(coefficients, high)]
        return found if low == -INF else [*found, (tuple(-a for a in coefficients), -low)]

    def implied(side, row):
        return any(
            d <= side[1]
            and all(
                a == c or (a < c and bound >= 0)
                for a, c, bound in zip(side[0], other, col_lower, strict=True)
            )
            for candidate in full
            if candidate != row
            for other, d in sides(candidate)
        )

    dominated = sum(1 for row in full if sides(row) and all(implied(s, row) for s in sides(row)))
    return repeated, dominated


ROWS = st.lists(
    st.tuples(
        st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=3, max_size=3),
        st.sampled_from([-INF, 0.0, 1.0]),
        st.sampled_from([1.0, 2.0, INF]),
    ),
    max_size=8,
)


@given(ROWS, st.lists(st.sampled_from([0.0, 1.0, -INF]), min_size=3, max_size=3))
def test_as_the_definition_says(rows, col_lower):
    assert redundant_rows(milp_of(rows, col_lower)) == plainly(rows, col_lower)


def test_in_pieces_as_in_one_go(monkeypatch: pytest.MonkeyPatch):
    rows = [([1.0, 1.0, k % 2], -INF, 1.0 + k % 3) for k in range(12)]
    whole = redundant_rows(milp_of(rows, [0.0] * 3))
    monkeypatch.setattr(redundancy, "AT_ONCE", 2)
    assert redundant_rows(milp_of(rows, [0.0] * 3)) == whole


def test_an_edge_within_a_clique_is_dominated_and_a_wider_cover_is():
    edge, clique = ([1.0, 1.0, 0.0], -INF, 1.0), ([1.0, 1.0, 1.0], -INF, 1.0)
    assert redundant_rows(milp_of([edge, clique, clique], [0.0] * 3)) == (1, 1)
    narrow, wide = ([1.0, 1.0, 0.0], 1.0, INF), ([1.0, 1.0, 1.0], 1.0, INF)
    assert redundant_rows(milp_of([narrow, wide], [0.0] * 3)) == (0, 1)
    assert redundant_rows(milp_of([narrow, wide], [-1.0] * 3)) == (0, 0)
