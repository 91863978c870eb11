"""What a solver says is a claim; its point is the evidence, and here it is weighed.

The point is rounded on the integer columns and checked in exact arithmetic by
`g2milp.instance.checks`. From that alone follow the objective that is stored and how far the claim
holds. A claim is *wrong* when its point violates the instance, when the claimed objective or bound
is better than what its point has, or when "optimal" leaves a gap wider than was asked for.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.checks import check_point
from g2milp.solvers.base import Checked, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import SolveOutcome

TOLERANCE = 1e-6
"""Absolute violation of a row or bound that solvers call feasible."""


def verified(milp: Milp, claim: SolveOutcome, *, allowed_gap: float) -> SolveOutcome:
    """The outcome with a rounded point, an objective that we computed, and `checked`.

    Parameters
    ----------
    claim
        As the solver gave it: its point unrounded, its own objective and bound.
    allowed_gap
        The relative gap at which the solver was told to call a point optimal.
    """
    if claim.solution is None:
        return replace(claim, gap=None)
    point = rounded(milp, claim.solution)
    if not np.isfinite(point).all():
        return replace(
            claim, checked=Checked.WRONG, solution=None, message="the point holds a NaN or infinity"
        )
    verdict = check_point(milp, point, tolerance=TOLERANCE)
    objective = float(verdict.objective)
    outcome = replace(
        claim, solution=point, objective=objective, gap=relative_gap(objective, claim.bound)
    )
    if not (verdict.exact or verdict.feasible):
        reason = f"its point violates {verdict.worst} by {float(verdict.max_violation):.3g}"
        return replace(outcome, checked=Checked.WRONG, message=reason)
    reason = contradiction(milp, claim, objective, allowed_gap)
    if reason:
        return replace(outcome, checked=Checked.WRONG, message=reason)
    return replace(outcome, checked=Checked.EXACT if verdict.exact else Checked.TOLERANCE)


def rounded(milp: Milp, point: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point with integer values in the integer columns, and no negative zeros."""
    whole = milp.is_integer
    result = np.array(point, dtype=np.float64)
    result[whole] = np.rint(result[whole])
    return np.asarray(result + 0.0)


def contradiction(milp: Milp, claim: SolveOutcome, objective: float, allowed_gap: float) -> str:
    """What the claim says that its own point disproves; empty if nothing."""
    towards_better = 1.0 if milp.sense == "max" else -1.0
    slack = TOLERANCE * max(1.0, abs(objective))
    if claim.objective is not None and towards_better * (claim.objective - objective) > slack:
        return f"it claims the objective {claim.objective!r}, its point has {objective!r}"
    if claim.bound is None or not math.isfinite(claim.bound):
        return ""
    room = towards_better * (claim.bound - objective)
    if room < -slack:
        return f"its bound {claim.bound!r} is beaten by its own point, {objective!r}"
    if claim.status is Status.OPTIMAL and room > slack + allowed_gap * max(
        abs(objective), abs(claim.bound)
    ):
        return f"it claims to be optimal, but leaves a gap: {objective!r} against {claim.bound!r}"
    return ""


def relative_gap(objective: float | None, bound: float | None) -> float | None:
    """|objective - bound| / max(1, |objective|); None where one is missing or infinite."""
    if objective is None or bound is None or not math.isfinite(bound - objective):
        return None
    return abs(objective - bound) / max(1.0, abs(objective))
