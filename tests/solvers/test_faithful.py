from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_solvers_instances import milp_of

from g2milp.instance.milp import Kind
from g2milp.solvers.faithful import NumberRange, refusal

TAKES = NumberRange(largest_entry=1e15, smallest_entry=1e-9, semi_upper=1e5)


@given(st.floats(1e-300, 1e300))
def test_exactly_the_numbers_in_range_pass(size: float) -> None:
    milp = milp_of([{0: -size}], [-np.inf], [1], [1])
    assert (refusal(milp, "X", TAKES) is None) == (1e-9 < size < 1e15)
    milp = milp_of([{0: 1}], [-np.inf], [size], [1])
    assert (refusal(milp, "X", TAKES) is None) == (size < 1e20)


@pytest.mark.parametrize(
    ("upper", "lower", "words"),
    [(np.inf, 0.0, "takes up to 100000"), (9.0, -1.0, "negative lower bound"), (9.0, 2.0, None)],
)
def test_semi_continuous_columns(upper: float, lower: float, words: str | None) -> None:
    milp = milp_of([{0: 1}], [0], [1], [1], kinds=[2], col_upper=[upper], col_lower=[lower])
    found = refusal(milp, "X", TAKES)
    assert (found is None) == (words is None)
    assert words is None or words in str(found)


def test_the_row_and_the_kind_are_named() -> None:
    milp = milp_of([{0: 1}, {0: 1e16}], [0, 0], [1, 1], [1], row_names=["a", "b"])
    assert "row 'b' has the coefficient 1e+16; X refuses" in str(refusal(milp, "X", TAKES))
    takes = NumberRange(kinds=frozenset({Kind.CONTINUOUS}))
    whole = milp_of([{0: 1}], [0], [1], [1], kinds=[1], col_names=["z"])
    assert refusal(whole, "X", takes) == "X has no integer columns (column 'z')"
