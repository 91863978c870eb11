"""A claim is held against its own point, exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests_solvers_instances import milp_of

from g2milp.solvers.base import Checked, SolveOutcome, Status
from g2milp.solvers.verify import relative_gap, rounded, verified

INF = np.inf
PACKING = milp_of(
    [{0: 1, 1: 1}], [-INF], [1.5], [3, 2], sense="max", kinds=[1, 0], col_upper=[1, 1]
)


def claim(point: Any, objective: float | None, bound: float | None, **more: Any) -> SolveOutcome:
    return SolveOutcome(
        status=more.pop("status", Status.OPTIMAL),
        solver="x",
        solver_version="1",
        seed=0,
        objective=objective,
        bound=bound,
        solution=None if point is None else np.array(point, dtype=float),
        **more,
    )


def test_a_true_claim_is_exact() -> None:
    outcome = verified(PACKING, claim([1, 0.5], 4.0, 4.0), allowed_gap=0.0)
    assert outcome.checked is Checked.EXACT
    assert (outcome.objective, outcome.gap) == (4.0, 0.0)


def test_integers_are_rounded_and_the_objective_is_ours() -> None:
    outcome = verified(PACKING, claim([1 - 1e-7, 0.5], 4.0 - 3e-7, 4.0), allowed_gap=0.0)
    assert outcome.checked is Checked.EXACT
    assert outcome.objective == 4.0
    assert outcome.solution is not None
    assert outcome.solution.tolist() == [1.0, 0.5]


def test_a_point_within_the_tolerance_is_called_that() -> None:
    outcome = verified(PACKING, claim([1, 0.5 + 1e-9], 4.0, 4.0), allowed_gap=0.0)
    assert outcome.checked is Checked.TOLERANCE


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (claim([1, 0.6], 4.2, 4.2), "violates row 'r0' by 0.1"),
        (claim([0.5, 1], 3.5, 3.5), "violates"),  # rounded to (0, 1) or (1, 1)? half to even: 0
        (claim([1, 0.25], 4.0, 4.0), "claims the objective 4.0, its point has 3.5"),
        (claim([1, 0.25], 3.5, 4.0), "leaves a gap: 3.5 against 4.0"),
        (claim([1, 0.5], 4.0, 3.9), "bound 3.9 is beaten by its own point"),
        (claim([1, 0.5], 4.0, 3.9, status=Status.TIME_LIMIT), "beaten by its own point"),
        (claim([np.nan, 0.5], 4.0, 4.0), "NaN"),
    ],
)
def test_wrong_claims_are_stored_as_such(wrong: SolveOutcome, words: str) -> None:
    if words == "violates":
        wrong = replace(wrong, solution=np.array([0.6, 1.0]))
    outcome = verified(PACKING, wrong, allowed_gap=0.0)
    assert outcome.checked is Checked.WRONG
    assert words in outcome.message


def test_the_gap_that_was_asked_for_is_allowed() -> None:
    outcome = verified(PACKING, claim([1, 0.5], 4.0, 4.03), allowed_gap=0.01)
    assert outcome.checked is Checked.EXACT
    outcome = verified(PACKING, claim([1, 0.5], 4.0, 4.05), allowed_gap=0.01)
    assert outcome.checked is Checked.WRONG


def test_a_limit_may_leave_any_gap_or_no_point() -> None:
    outcome = verified(PACKING, claim([0, 0], 0.0, 5.0, status=Status.NODE_LIMIT), allowed_gap=0.0)
    assert (outcome.checked, outcome.gap) == (Checked.EXACT, 5.0)
    outcome = verified(PACKING, claim(None, None, 5.0, status=Status.NODE_LIMIT), allowed_gap=0.0)
    assert (outcome.checked, outcome.gap) == (Checked.NOTHING, None)


def test_minimising_turns_better_around() -> None:
    milp = milp_of([{0: 1}], [1], [INF], [2])
    assert verified(milp, claim([1], 2.0, 2.0), allowed_gap=0.0).checked is Checked.EXACT
    assert verified(milp, claim([1], 1.0, 1.0), allowed_gap=0.0).checked is Checked.WRONG
    assert verified(milp, claim([1], 2.0, 2.5), allowed_gap=0.0).checked is Checked.WRONG


def test_rounding_makes_no_negative_zero() -> None:
    point = rounded(PACKING, np.array([-1e-9, -0.0]))
    assert not np.signbit(point).any()


def test_relative_gap() -> None:
    assert relative_gap(10.0, 9.0) == 0.1
    assert relative_gap(0.0, 0.5) == 0.5
    assert relative_gap(None, 1.0) is None
    assert relative_gap(1.0, -INF) is None
