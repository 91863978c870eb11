"""A second opinion confirms, disproves or doubts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests_solvers_instances import milp_of

from g2milp.instance.milp import Milp
from g2milp.solvers import cross_check
from g2milp.solvers.base import LARGEST_SEED, NO_LIMITS, Checked, Limits, SolveOutcome, Status
from g2milp.solvers.cross_check import agree, cross_checked, disproof, is_badly_scaled
from g2milp.solvers.registry import get


def outcome(status: Status, objective: float | None, checked: Checked) -> SolveOutcome:
    return SolveOutcome(
        status=status,
        solver="highs",
        solver_version="1",
        seed=0,
        objective=objective,
        checked=checked,
    )


OPTIMAL_16 = outcome(Status.OPTIMAL, 16.0, Checked.EXACT)


def asked(
    monkeypatch: pytest.MonkeyPatch, milp: Milp, claim: SolveOutcome, *others: SolveOutcome
) -> SolveOutcome:
    monkeypatch.setattr(cross_check, "_others", lambda *_: iter(others))
    return cross_checked(milp, claim, limits=NO_LIMITS, allowed_gap=1e-4)


@pytest.mark.parametrize(
    ("claim", "other", "checked"),
    [
        (OPTIMAL_16, OPTIMAL_16, Checked.CROSS_CHECKED),
        (OPTIMAL_16, outcome(Status.OPTIMAL, 16.001, Checked.EXACT), Checked.CROSS_CHECKED),
        (OPTIMAL_16, outcome(Status.OPTIMAL, 17.0, Checked.EXACT), Checked.WRONG),
        (OPTIMAL_16, outcome(Status.TIME_LIMIT, 17.0, Checked.EXACT), Checked.WRONG),
        (OPTIMAL_16, outcome(Status.OPTIMAL, 17.0, Checked.TOLERANCE), Checked.TOLERANCE),
        (OPTIMAL_16, outcome(Status.OPTIMAL, 15.0, Checked.EXACT), Checked.TOLERANCE),
        (OPTIMAL_16, outcome(Status.INFEASIBLE, None, Checked.NOTHING), Checked.TOLERANCE),
        (OPTIMAL_16, outcome(Status.TIME_LIMIT, 12.0, Checked.EXACT), Checked.EXACT),
        (OPTIMAL_16, outcome(Status.ERROR, None, Checked.NOTHING), Checked.EXACT),
        (
            outcome(Status.OPTIMAL, 16.0, Checked.TOLERANCE),
            outcome(Status.OPTIMAL, 16.0, Checked.TOLERANCE),
            Checked.TOLERANCE,
        ),
        (
            outcome(Status.INFEASIBLE, None, Checked.NOTHING),
            outcome(Status.INFEASIBLE, None, Checked.NOTHING),
            Checked.CROSS_CHECKED,
        ),
        (outcome(Status.INFEASIBLE, None, Checked.NOTHING), OPTIMAL_16, Checked.WRONG),
        (
            outcome(Status.OPTIMAL, 16.0, Checked.WRONG),
            OPTIMAL_16,
            Checked.WRONG,
        ),
        (outcome(Status.CRASHED, None, Checked.NOTHING), OPTIMAL_16, Checked.NOTHING),
    ],
)
def test_opinions(
    monkeypatch: pytest.MonkeyPatch,
    knapsack: Milp,
    claim: SolveOutcome,
    other: SolveOutcome,
    checked: Checked,
) -> None:
    assert asked(monkeypatch, knapsack, claim, other).checked is checked


@pytest.mark.parametrize(
    ("bound", "checked"), [(16.5, Checked.EXACT), (15.0, Checked.WRONG), (None, Checked.EXACT)]
)
def test_a_limited_solve_claims_only_its_bound(
    monkeypatch: pytest.MonkeyPatch, knapsack: Milp, bound: float | None, checked: Checked
) -> None:
    limited = outcome(Status.NODE_LIMIT, 12.0, Checked.EXACT).but(bound=bound)
    found = asked(monkeypatch, knapsack, limited, OPTIMAL_16, OPTIMAL_16)
    assert found.checked is checked
    assert bool(found.message) == (checked is Checked.WRONG)


def test_others_are_held_to_the_limits_that_they_have(
    monkeypatch: pytest.MonkeyPatch, knapsack: Milp
) -> None:
    asked_for: list[tuple[str, Limits, int]] = []

    class Silent:
        def __init__(self, name: str) -> None:
            self.name = name
            self.capabilities = get(name).capabilities

        def solve(self, _milp: Milp, *, limits: Limits, seed: int, **_: object) -> SolveOutcome:
            asked_for.append((self.name, limits, seed))
            return outcome(Status.NODE_LIMIT, None, Checked.NOTHING)

    monkeypatch.setattr(cross_check, "get", Silent)
    monkeypatch.setattr(cross_check, "available", lambda: ("highs", "scip", "gurobi"))
    claim = OPTIMAL_16.but(solver="gurobi", seed=LARGEST_SEED)
    for limits, others in (
        (Limits(work=1.0), []),  # nothing would stop HiGHS or SCIP
        (Limits(iterations=9), [("scip", Limits(iterations=9))]),
        (Limits(iterations=9, nodes=3), [("highs", Limits(nodes=3))]),
        (Limits(seconds=9, work=1.0, gap=0.0), [("highs", Limits(seconds=9, gap=0.0))]),
        (NO_LIMITS, [("highs", NO_LIMITS)]),
    ):
        asked_for.clear()
        cross_checked(knapsack, claim, limits=limits, allowed_gap=1e-4)
        assert [(name, given) for name, given, _ in asked_for[:-1]] == others
        assert asked_for[-1] == ("gurobi", limits, 0)


def test_one_disproof_outweighs_an_agreement(
    monkeypatch: pytest.MonkeyPatch, knapsack: Milp
) -> None:
    better = outcome(Status.OPTIMAL, 18.0, Checked.EXACT)
    assert asked(monkeypatch, knapsack, OPTIMAL_16, OPTIMAL_16, better).checked is Checked.WRONG


def test_for_real(knapsack: Milp) -> None:
    first = get("highs").solve(knapsack)
    second = cross_checked(knapsack, first, limits=NO_LIMITS, allowed_gap=1e-4)
    assert second.checked is Checked.CROSS_CHECKED
    lie = first.but(objective=12.0)
    assert cross_checked(knapsack, lie, limits=NO_LIMITS, allowed_gap=1e-4).checked is Checked.WRONG


def test_minimising_turns_better_around() -> None:
    milp = milp_of([{0: 1}], [1], [np.inf], [1])
    low, high = (outcome(Status.OPTIMAL, v, Checked.EXACT) for v in (1.0, 2.0))
    assert disproof(milp, high, low, 1e-4)
    assert not disproof(milp, low, high, 1e-4)
    assert not agree(low, high, 1e-4)


@pytest.mark.parametrize(
    ("expected", "change"),
    [
        (False, {}),
        (True, {"values": [2.0, 3.0, 1e8, 4.0, 1.0, 2.0]}),
        (True, {"values": [2.0, 3.0, 1e-7, 4.0, 1.0, 2.0]}),
        (True, {"values": [2.0, 1e-4, 1.0, 4.0, 1.0, 2e6]}),
        (True, {"objective": [1e9, 1.0, 1.0]}),
        (True, {"row_upper": [5e8, 1.0]}),
        (False, {"col_upper": [np.inf, 9.0, 9.0]}),
        (True, {"col_upper": [1e8, 9.0, 9.0]}),
    ],
)
def test_bad_scaling_is_seen(knapsack: Milp, expected: bool, change: dict[str, Any]) -> None:
    from dataclasses import replace

    changed = replace(knapsack, **{k: np.array(v) for k, v in change.items()})
    assert is_badly_scaled(changed) == expected


def test_an_empty_instance_is_not_badly_scaled() -> None:
    assert not is_badly_scaled(milp_of([], [], [], []))
