from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from g2milp.instance.describe import describe
from g2milp.instance.milp import Milp

INF = np.inf


def small(**changes) -> Milp:
    given = {
        "objective": [1.0, -2.0, 0.0, 4.0],
        "indptr": [0, 2, 3, 5, 5, 6],
        "indices": [0, 1, 1, 2, 3, 0],
        "values": [1.0, -3.0, 0.5, 1.0, 1.0, 7.0],
        "row_lower": [-INF, 2.0, 1.0, -INF, 3.0],
        "row_upper": [5.0, 2.0, INF, INF, 4.0],
        "col_lower": [0.0, 0.0, -INF, 0.0],
        "col_upper": [1.0, 9.0, INF, 20.0],
        "kinds": [1, 1, 0, 2],
    }
    return Milp.build(**{**given, **changes})


def test_rows_and_columns_are_counted_by_kind():
    found = describe(small())
    assert found.rows == {"equality": 1, "less": 1, "greater": 1, "range": 1, "free": 1}
    assert found.columns == {
        "binary": 1,
        "integer": 1,
        "continuous": 1,
        "semi_continuous": 1,
        "semi_integer": 0,
    }
    assert (found.n_rows, found.n_cols, found.n_nonzeros) == (5, 4, 6)
    assert found.objective_nonzeros == 3


def test_ranges_skip_zeros_and_infinities():
    found = describe(small())
    assert found.coefficients == (0.5, 7.0)
    assert found.objective == (1.0, 4.0)
    assert found.sides == (1.0, 5.0)
    assert found.bounds == (1.0, 20.0)


def test_degrees_and_density():
    found = describe(small())
    assert found.row_degree == (0, 6 / 5, 2)
    assert found.col_degree == (1, 1.5, 2)
    assert found.density == 6 / 20


def test_an_instance_of_nothing():
    found = describe(
        Milp.build(objective=[], indptr=[0], indices=[], values=[], row_lower=[], row_upper=[])
    )
    assert found.density == 0
    assert found.row_degree == (0, 0.0, 0)
    assert found.coefficients is None


@given(
    st.lists(st.tuples(st.sampled_from([-INF, -1.0, 0.0, 2.0]), st.sampled_from([INF, 2.0, 3.0]))),
    st.lists(st.integers(0, 3)),
)
def test_the_kinds_add_up(sides, kinds):
    milp = Milp.build(
        objective=np.zeros(len(kinds)),
        indptr=np.zeros(len(sides) + 1),
        indices=[],
        values=[],
        row_lower=[low for low, _ in sides],
        row_upper=[high for _, high in sides],
        kinds=kinds,
    )
    found = describe(milp)
    assert sum(found.rows.values()) == found.n_rows == len(sides)
    assert sum(found.columns.values()) == found.n_cols == len(kinds)
