"""The vectorised exact check against a plain loop over Fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import InputError, UsageError
from g2milp.instance.checks import check_point
from g2milp.instance.edit import RowPatch, replace_rows
from g2milp.instance.milp import Kind, Milp
from g2milp.testing import random_milp, tiny_milps


def outside(value: Fraction, lower: float, upper: float) -> Fraction:
    amount = Fraction(0)
    if lower != -np.inf:
        amount = max(amount, Fraction(float(lower)) - value)
    if upper != np.inf:
        amount = max(amount, value - Fraction(float(upper)))
    return amount


def plain_violation(milp: Milp, x: list[Fraction]) -> Fraction:
    """The oracle: every row and column, one after the other."""
    worst = Fraction(0)
    for i in range(milp.n_rows):
        columns, values = milp.row(i)
        total = sum(
            (Fraction(float(a)) * x[j] for j, a in zip(columns, values, strict=True)), Fraction(0)
        )
        worst = max(worst, outside(total, milp.row_lower[i], milp.row_upper[i]))
    for j in range(milp.n_cols):
        amount = outside(x[j], milp.col_lower[j], milp.col_upper[j])
        if milp.kinds[j] in (Kind.SEMI_CONTINUOUS, Kind.SEMI_INTEGER):
            amount = min(amount, abs(x[j]))
        if milp.kinds[j] in (Kind.INTEGER, Kind.SEMI_INTEGER):
            amount = max(amount, abs(x[j] - round(x[j])))
        worst = max(worst, amount)
    return worst


def plain_objective(milp: Milp, x: list[Fraction]) -> Fraction:
    terms = (Fraction(float(c)) * v for c, v in zip(milp.objective, x, strict=True))
    return sum(terms, Fraction(float(milp.offset)))


def same_verdict(milp: Milp, x: list[Fraction], given_x: object, tolerance: float) -> None:
    check = check_point(milp, given_x, tolerance=tolerance)  # type: ignore[arg-type]
    worst = plain_violation(milp, x)
    assert check.exact == (worst == 0)
    assert check.feasible == (worst <= Fraction(tolerance))
    assert check.objective == plain_objective(milp, x)
    assert (check.worst == "") == check.exact
    if worst > 10**300:
        assert check.max_violation > 1e299
    elif worst:
        assert check.max_violation == pytest.approx(float(worst), rel=1e-9, abs=1e-300)
        assert check.max_violation > 0
    else:
        assert check.max_violation == 0.0


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 1e-9, 1e-6, 0.5]))
def test_random_points_get_the_verdict_of_rational_arithmetic(seed: int, tolerance: float) -> None:
    rng = np.random.default_rng(seed)
    milp = random_milp(rng, density=0.5)
    x = np.where(rng.random(10) < 0.5, rng.integers(-5, 6, size=10), rng.normal(size=10))
    same_verdict(milp, [Fraction(v) for v in x.tolist()], x, tolerance)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 1e-6]))
def test_rows_that_are_tight_to_the_last_bit(seed: int, tolerance: float) -> None:
    rng = np.random.default_rng(seed)
    milp = random_milp(rng, density=0.6)
    x = rng.normal(size=milp.n_cols) * 2.0 ** rng.integers(-30, 30, size=milp.n_cols)
    sides = milp.activity(x)
    nudged = np.nextafter(sides, np.where(rng.random(sides.size) < 0.5, np.inf, -np.inf))
    sides = np.where(rng.random(sides.size) < 0.5, sides, nudged)
    patch = RowPatch(
        rows=np.arange(milp.n_rows),
        lower=np.where(rng.random(sides.size) < 0.5, sides, -np.inf),
        upper=sides,
        indptr=milp.indptr,
        indices=milp.indices,
        values=milp.values,
    )
    tight = replace_rows(milp, patch)
    same_verdict(tight, [Fraction(v) for v in x.tolist()], x, tolerance)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_rational_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    milp = random_milp(rng, density=0.5)
    x = [Fraction(int(p), int(q)) for p, q in rng.integers(1, 50, size=(milp.n_cols, 2))]
    x[0] = Fraction(1, 10**400)
    x[1] = Fraction(10**400)
    same_verdict(milp, x, x, 1e-6)


def test_one_third_three_times_is_exactly_one_only_for_rationals() -> None:
    milp = Milp.build(
        objective=[0.0], indptr=[0, 1], indices=[0], values=[3.0], row_lower=[1.0], row_upper=[1.0]
    )
    assert check_point(milp, [Fraction(1, 3)]).exact
    by_float = check_point(milp, np.array([1 / 3]))
    assert not by_float.exact
    assert by_float.feasible
    assert by_float.worst == "row 'r0'"


def test_the_violation_that_equals_the_tolerance_is_allowed() -> None:
    milp = Milp.build(
        objective=[0.0], indptr=[0, 1], indices=[0], values=[1.0], row_lower=[1.0], row_upper=[2.0]
    )
    assert check_point(milp, np.array([2.5]), tolerance=0.5).feasible
    assert not check_point(milp, np.array([np.nextafter(2.5, 3)]), tolerance=0.5).feasible


def test_semi_continuous_columns_may_be_zero() -> None:
    milp = tiny_milps()["semi"]
    assert check_point(milp, np.array([3.0, 0.0])).exact
    assert check_point(milp, np.array([0.0, 7.0])).exact
    half = check_point(milp, np.array([1.0, 3.0]))
    assert (half.feasible, half.max_violation, half.worst) == (False, 1.0, "column 'c0'")


def test_sums_that_overflow_are_done_exactly() -> None:
    milp = Milp.build(
        objective=[1e308, 1e308],
        indptr=[0, 2],
        indices=[0, 1],
        values=[1e308, -1e308],
        row_lower=[0.0],
        row_upper=[0.0],
    )
    assert check_point(milp, np.array([1e10, 1e10])).exact


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_points_with_nan_or_infinity_are_refused(bad: float) -> None:
    milp = tiny_milps()["knapsack"]
    with pytest.raises(InputError, match="'c1'"):
        check_point(milp, np.array([0.0, bad, 0.0]))


def test_wrong_calls_are_refused() -> None:
    milp = tiny_milps()["knapsack"]
    with pytest.raises(UsageError, match="2 values for 3 columns"):
        check_point(milp, np.zeros(2))
    with pytest.raises(UsageError, match="tolerance"):
        check_point(milp, np.zeros(3), tolerance=-1.0)
    with pytest.raises(InputError, match="no number"):
        check_point(milp, ["a", 1, 2])  # type: ignore[list-item]
