"""The instance as a solver gets it has the same points as the instance itself."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_solvers_instances import milp_of

from g2milp.instance.checks import check_point
from g2milp.instance.milp import Kind
from g2milp.solvers.base import Checked, Limits, Status
from g2milp.solvers.faithful import NumberRange, refusal
from g2milp.solvers.posing import posed

if TYPE_CHECKING:
    from g2milp.solvers.base import Solver

INF = np.inf
TAKES = NumberRange(largest_entry=1e15, smallest_entry=1e-9, semi_upper=1e5)


@given(st.floats(5e-324, 1e9), st.floats(1e-9, 1e9), st.floats(-1e9, 1e9), st.floats(0, 1e3))
def test_a_small_entry_is_kept_with_all_digits(a: float, b: float, side: float, x: float) -> None:
    milp = milp_of([{0: a, 1: b}, {0: 3.0}], [side, -INF], [INF, 7.0], [1, 1])
    given_to = posed(milp, TAKES)
    fits = a > 1e-9 or (b / a < 1e24 and abs(side) / a < 1e29)
    if refusal(given_to, "X", TAKES) is None:
        assert (np.abs(given_to.values) > 1e-9).all()
    else:
        assert not fits or b <= 1e-9
        assert given_to == milp
    factor = given_to.values[0] / a
    assert np.log2(factor) == round(np.log2(factor))
    assert given_to.values[:2].tolist() == [a * factor, b * factor]
    assert given_to.row_lower[0] == side * factor
    assert given_to.values[2] == 3.0
    point = [x, x]
    assert check_point(given_to, point).exact == check_point(milp, point).exact


def test_nothing_to_do_gives_the_instance_itself() -> None:
    milp = milp_of([{0: 1e16}], [0], [1], [1])
    assert posed(milp, TAKES) is milp


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    ("lower", "upper", "kind_is_kept"),
    [
        (0.0, 5.0, False),
        (-1.0, 4.0, False),
        (0.0, INF, False),
        (3.0, 2.0, False),
        (0.0, -1.0, False),
        (2.0, 5.0, True),
        (2.0, INF, True),
        (-3.0, -2.0, True),
    ],
)
def test_semi_continuous_only_where_there_is_a_gap(
    whole: bool, lower: float, upper: float, kind_is_kept: bool
) -> None:
    kind = Kind.SEMI_INTEGER if whole else Kind.SEMI_CONTINUOUS
    milp = milp_of([{0: 1}], [-9], [9], [1], kinds=[kind], col_lower=[lower], col_upper=[upper])
    given_to = posed(milp, TAKES)
    plain = Kind.INTEGER if whole else Kind.CONTINUOUS
    assert given_to.kinds[0] == (kind if kind_is_kept else plain)
    for x in (-3.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 6.0):
        assert check_point(given_to, [x]).exact == check_point(milp, [x]).exact


@pytest.mark.parametrize("kind", [Kind.SEMI_CONTINUOUS, Kind.SEMI_INTEGER])
@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize(("low", "high"), [(2, 3), (0, 3), (3, 2), (3, 3)])
def test_all_solvers_read_semi_continuous_columns_alike(
    solver: Solver, kind: Kind, presolve: bool, low: float, high: float
) -> None:
    """Two such columns and a filler; the optimum is known by trying the ends of the ranges."""
    milp = milp_of(
        [{0: 1, 1: 2, 2: 1}],
        [4],
        [4],
        [1, 1, 1.75],
        kinds=[kind, kind, Kind.INTEGER],
        col_lower=[low, low, 0],
        col_upper=[high, high, 4],
    )
    points = [p for p in product(range(5), repeat=3) if check_point(milp, p).exact]
    best = min(milp.objective @ point for point in points)
    outcome = solver.solve(milp, presolve=presolve, limits=Limits(gap=0.0))
    assert outcome.status is Status.OPTIMAL
    assert outcome.objective == pytest.approx(best, abs=1e-5)
    assert outcome.checked in (Checked.EXACT, Checked.TOLERANCE)


def test_entries_that_a_solver_drops_are_not_dropped(solver: Solver) -> None:
    milp = milp_of([{0: 1e-13, 1: 1}], [0.5], [INF], [1, 1e3], kinds=[1, 1], col_upper=[1e13, 9.0])
    assert refusal(milp, solver.name, solver.takes)  # type: ignore[attr-defined]
    outcome = solver.solve(milp, limits=Limits(gap=0.0))
    assert (outcome.status, outcome.objective) == (Status.OPTIMAL, 1000.0)
