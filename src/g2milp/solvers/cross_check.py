"""A second opinion: what a solver claims, held against other solves of the same instance.

A point proves that it is feasible and what it costs, never that nothing is better. Only another
solve can show that "optimal" or "infeasible" is wrong, by finding what should not exist. Badly
scaled instances are where that happens, and `is_badly_scaled` finds them from their numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.solvers.base import LARGEST_SEED, Checked, Status
from g2milp.solvers.registry import available, get
from g2milp.solvers.settings import shared_limits
from g2milp.solvers.verify import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import Limits, SolveOutcome

WIDEST_RANGE = 1e6
LARGEST_NUMBER = 1e7
SMALLEST_NUMBER = 1e-5
_FEASIBLE = (Checked.EXACT, Checked.TOLERANCE)


def is_badly_scaled(milp: Milp) -> bool:
    """Whether tolerances of solvers (1e-6 or 1e-9, absolute) may decide the answer.

    That is so when the numbers of the matrix span more than `WIDEST_RANGE`, or when a coefficient,
    side or bound is beyond `LARGEST_NUMBER` or below `SMALLEST_NUMBER`.
    """
    numbers = [
        milp.values,
        milp.objective,
        milp.row_lower,
        milp.row_upper,
        milp.col_lower[milp.is_integer],
        milp.col_upper[milp.is_integer],
    ]
    sizes = np.abs(np.concatenate(numbers))
    sizes = sizes[(sizes > 0) & np.isfinite(sizes)]
    if not sizes.size:
        return False
    entries = np.abs(milp.values)
    spread = entries.max() / entries.min() if entries.size else 1.0
    return bool(
        sizes.max() > LARGEST_NUMBER or sizes.min() < SMALLEST_NUMBER or spread > WIDEST_RANGE
    )


def cross_checked(
    milp: Milp, outcome: SolveOutcome, *, limits: Limits, allowed_gap: float
) -> SolveOutcome:
    """The outcome with what other solves say of it.

    Another solver, where one is installed, and the same one without presolve are asked. `checked`
    becomes `CROSS_CHECKED` if they agree and `WRONG` if one of them disproves the claim. A claim
    that they deny without proof is not `EXACT` any more, and `message` says why. A point that is
    feasible only within the tolerance stays at `TOLERANCE`: they may all use the same slack. A
    solve that a limit ended claims no more than its point and its bound, so it can be disproved but
    has nothing to confirm.
    """
    if outcome.status in (Status.ERROR, Status.CRASHED, Status.KILLED, Status.INTERRUPTED):
        return outcome
    if outcome.checked is Checked.WRONG:
        return outcome
    confirmed, doubts = False, []
    for other in _others(milp, outcome, limits):
        objection = disproof(milp, outcome, other, allowed_gap)
        if objection:
            return outcome.but(checked=Checked.WRONG, message=objection)
        if outcome.status.is_censored:
            continue
        if agree(outcome, other, allowed_gap):
            confirmed = True
        elif not other.status.is_censored and other.status is not Status.ERROR:
            doubts.append(f"{_named(other)} says {other.status.value} {other.objective!r}")
    if outcome.status.is_censored:
        return outcome
    if doubts:
        level = outcome.checked if outcome.checked is not Checked.EXACT else Checked.TOLERANCE
        return outcome.but(checked=level, message="; ".join(doubts))
    if confirmed and outcome.checked is Checked.TOLERANCE:
        return outcome.but(message="others agree, within the same tolerance")
    if confirmed:
        return outcome.but(checked=Checked.CROSS_CHECKED)
    return outcome.but(message="no other solve ended in time to confirm it")


def _others(milp: Milp, outcome: SolveOutcome, limits: Limits) -> Iterator[SolveOutcome]:
    """Other solves of the instance: another solver that can be held to a limit, and the same one.

    A limit that only the first solver knows leaves nothing to stop another, which is not asked.
    """
    for name in available():
        shared = shared_limits(get(name), limits)
        if name != outcome.solver and shared is not None:
            yield get(name).solve(milp, limits=shared, seed=outcome.seed)
            break
    same = replace(limits, solutions=None)
    again = (outcome.seed + 1) % (LARGEST_SEED + 1)
    yield get(outcome.solver).solve(milp, limits=same, seed=again, presolve=False)


def disproof(milp: Milp, claim: SolveOutcome, other: SolveOutcome, allowed_gap: float) -> str:
    """How the point of the other solve shows the claim to be wrong; empty if it does not."""
    if other.objective is None or other.checked is not Checked.EXACT:
        return ""
    if claim.status is Status.INFEASIBLE:
        return f"it claims to be infeasible, {_named(other)} has a feasible point"
    if claim.status.is_censored and claim.bound is not None:
        beyond = (
            other.objective - claim.bound if milp.sense == "max" else claim.bound - other.objective
        )
        if beyond > TOLERANCE * max(1.0, abs(claim.bound)):
            point = f"{_named(other)} has a feasible point of {other.objective!r}"
            return f"its bound {claim.bound!r} is beaten: {point}"
    if claim.objective is None:
        return ""
    better = other.objective - claim.objective
    if milp.sense == "min":
        better = -better
    if claim.status is Status.OPTIMAL and better > slack(claim.objective, allowed_gap):
        return (
            f"{_named(other)} has a feasible point of {other.objective!r}, it {claim.objective!r}"
        )
    return ""


def agree(claim: SolveOutcome, other: SolveOutcome, allowed_gap: float) -> bool:
    """Whether the other solve came to the same end on its own."""
    if claim.status is Status.OPTIMAL:
        return (
            other.status is Status.OPTIMAL
            and other.checked in _FEASIBLE
            and claim.objective is not None
            and other.objective is not None
            and abs(claim.objective - other.objective) <= slack(claim.objective, allowed_gap)
        )
    ends = {claim.status, other.status}
    return len(ends) == 1 and ends <= {
        Status.INFEASIBLE,
        Status.UNBOUNDED,
        Status.INFEASIBLE_OR_UNBOUNDED,
    }


def slack(objective: float, allowed_gap: float) -> float:
    """By how much two optimal values may differ."""
    return (TOLERANCE + allowed_gap) * max(1.0, abs(objective))


def _named(outcome: SolveOutcome) -> str:
    return f"{outcome.solver} {outcome.solver_version} with seed {outcome.seed}"
