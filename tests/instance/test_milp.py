from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

from g2milp.errors import InvalidMilp
from g2milp.instance.milp import Kind, Milp, RowSense, differing_fields
from g2milp.testing import assert_milp_equal, random_milp, tiny_milps


def build(**changes: Any) -> Milp:
    fields: dict[str, Any] = {
        "objective": [1.0, 2.0],
        "indptr": [0, 1, 3],
        "indices": [0, 1, 0],
        "values": [5.0, 6.0, 7.0],
        "row_lower": [0.0, 0.0],
        "row_upper": [1.0, np.inf],
    }
    return Milp.build(**{**fields, **changes})


def test_build_sorts_rows_fills_in_names_and_bounds() -> None:
    milp = build()
    assert milp.indices.tolist() == [0, 0, 1]
    assert milp.values.tolist() == [5.0, 7.0, 6.0]
    assert milp.col_names == ("c0", "c1")
    assert milp.row_names == ("r0", "r1")
    assert milp.col_upper.tolist() == [np.inf, np.inf]


def test_build_drops_explicit_zeros() -> None:
    milp = build(values=[0.0, 6.0, -0.0])
    assert milp.indptr.tolist() == [0, 0, 1]
    assert milp.values.tolist() == [6.0]


def test_nothing_can_be_changed() -> None:
    milp = build()
    with pytest.raises(ValueError, match="read-only"):
        milp.objective[0] = 3.0
    with pytest.raises(FrozenInstanceError):
        milp.sense = "max"  # type: ignore[misc]


def test_there_is_one_zero_only() -> None:
    assert build(objective=[0.0, 2.0]) == build(objective=[-0.0, 2.0])
    assert build(offset=-0.0) == build()


def test_build_copies() -> None:
    cost = np.array([1.0, 2.0])
    milp = build(objective=cost)
    cost[0] = 9.0
    assert milp.objective[0] == 1.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"objective": [[1.0, 2.0]]}, "one-dimensional"),
        ({"objective": [np.nan, 2.0]}, "objective holds"),
        ({"values": [1.0, np.inf, 1.0]}, "values holds"),
        ({"offset": np.nan}, "offset"),
        ({"row_lower": [np.inf, 0.0]}, "row 0 has the sides"),
        ({"col_upper": [1.0, np.nan]}, "column 1 has the sides"),
        ({"indices": [0, 2, 0]}, "outside 0..1"),
        ({"indices": [0, 0, 0]}, "two entries"),
        ({"indptr": [0, 2, 1]}, "indptr"),
        ({"indptr": [0, 1, 2]}, "do not fit together"),
        ({"col_names": ["a", "a"]}, "two columns are called 'a'"),
        ({"row_names": ["a"]}, "row_names has 1 entries for 2 rows"),
        ({"kinds": [0, 9]}, "no kind"),
        ({"sense": "maximise"}, "sense"),
        ({"col_lower": [0.0]}, "col_lower has 1"),
    ],
)
def test_what_is_no_instance_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidMilp, match=message):
        build(**changes)


def test_crossed_bounds_are_an_infeasible_instance_not_an_invalid_one() -> None:
    assert tiny_milps()["crossed bounds"].col_lower[0] == 2.0


def test_equality_is_bit_for_bit() -> None:
    assert build() == build()
    assert build(objective=[1.0, 2.0]) != build(objective=[np.nextafter(1.0, 2.0), 2.0])
    assert build(offset=5e-324) != build()
    assert build(col_names=["a", "b"]) != build()
    assert replace(build(), notes=("x",)) == build()
    assert build() != "a string"
    assert differing_fields(build(sense="max"), build()) == ["sense"]


def test_matrix_and_activity_agree_with_a_dense_product() -> None:
    milp = random_milp(np.random.default_rng(0), hard_numbers=False)
    x = np.arange(milp.n_cols, dtype=np.float64)
    dense = np.zeros((milp.n_rows, milp.n_cols))
    dense[milp.entry_rows, milp.indices] = milp.values
    assert np.array_equal(milp.matrix().toarray(), dense)
    assert np.array_equal(milp.matrix_by_column().toarray(), dense)
    assert np.allclose(milp.activity(x), dense @ x)
    assert np.array_equal(milp.row_degrees, (dense != 0).sum(axis=1))
    assert np.array_equal(milp.col_degrees, (dense != 0).sum(axis=0))


def test_kinds_and_senses() -> None:
    semi = tiny_milps()["semi"]
    assert semi.is_integer.tolist() == [False, True]
    assert tiny_milps()["knapsack"].is_binary.all()
    assert not semi.is_binary.any()
    inf = np.inf
    sides = build(
        indptr=[0] * 6,
        indices=[],
        values=[],
        row_lower=[-inf, 0, 1, 0, -inf],
        row_upper=[1, inf, 1, 2, inf],
    )
    assert [RowSense(code).name for code in sides.senses] == [
        "LESS",
        "GREATER",
        "EQUAL",
        "RANGE",
        "FREE",
    ]
    assert Kind(0) is Kind.CONTINUOUS


def test_the_difference_names_the_place() -> None:
    changed = replace(build(), values=np.array([5.0, 7.5, 6.0]))
    with pytest.raises(AssertionError, match=r"values\[1\] \(row 'r1', column index 0\): 7.5"):
        assert_milp_equal(changed, build())
    with pytest.raises(AssertionError, match="sense: 'max' instead of 'min'"):
        assert_milp_equal(build(sense="max"), build())
    assert_milp_equal(build(), build())


def test_repr_says_what_it_is() -> None:
    assert repr(build(name="x")) == "Milp('x', min, 2 rows × 2 columns (0 integer), 3 non-zeros)"
