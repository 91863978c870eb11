from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.instance.exact import Point, enclose, exact_sum

FLOATS = st.floats(allow_nan=False, allow_infinity=False, width=64)


def single_row(values: list[float], point: Point) -> tuple[float, float, Fraction]:
    indices = np.arange(len(values), dtype=np.int32)
    coefficients = np.array(values, dtype=np.float64)
    found = enclose(np.array([0, len(values)]), indices, coefficients, point)
    exact = exact_sum(indices, coefficients, point)
    return float(found.sums[0]), float(found.errors[0]), exact


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(FLOATS.filter(bool), FLOATS), max_size=8))
def test_the_enclosure_holds_for_any_floats(pairs: list[tuple[float, float]]) -> None:
    values = [a for a, _ in pairs]
    x = [b for _, b in pairs]
    total, error, exact = single_row(values, Point.of(np.array(x, dtype=np.float64)))
    oracle = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
    assert exact == oracle
    if error < np.inf:
        assert abs(Fraction(total) - oracle) <= Fraction(error)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(FLOATS.filter(bool), st.fractions()), max_size=6))
def test_the_enclosure_holds_for_rationals(pairs: list[tuple[float, Fraction]]) -> None:
    values = [a for a, _ in pairs]
    total, error, exact = single_row(values, Point.of([b for _, b in pairs]))
    oracle = sum((Fraction(a) * b for a, b in pairs), Fraction(0))
    assert exact == oracle
    if error < np.inf:
        assert abs(Fraction(total) - oracle) <= Fraction(error)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000)), max_size=20))
def test_whole_numbers_need_no_bound(pairs: list[tuple[int, int]]) -> None:
    """Ties of whole numbers, the usual case, are decided without rational arithmetic."""
    quarters = [a / 4 for a, _ in pairs]
    total, error, exact = single_row(quarters, Point.of(np.array([float(b) for _, b in pairs])))
    assert error == 0.0
    assert Fraction(total) == exact


def test_whole_numbers_beyond_53_bits_stay_exact() -> None:
    point = Point.of([2**60 + 1, 3])
    assert point.value(0) == 2**60 + 1
    assert point.rounded.tolist() == [True, False]
    _, _, exact = single_row([1.0, 1.0], point)
    assert exact == 2**60 + 4
    assert Point.of(np.array([2**60 + 1])).value(0) == 2**60 + 1
