"""What presolve leaves open: "infeasible or unbounded" is settled by one more question.

An instance of that status is unbounded if it has any feasible point, so the same rows are solved
again with nothing to optimise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.solvers.base import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import SolveOutcome


def settled(
    milp: Milp, outcome: SolveOutcome, solve_again: Callable[[Milp], SolveOutcome]
) -> SolveOutcome:
    """The outcome with `INFEASIBLE` or `UNBOUNDED` in place of either, where that can be told."""
    if outcome.status is not Status.INFEASIBLE_OR_UNBOUNDED or not milp.objective.any():
        return outcome
    again = solve_again(replace(milp, objective=np.zeros(milp.n_cols)))
    if again.status is Status.INFEASIBLE:
        return outcome.but(status=Status.INFEASIBLE)
    if again.status is Status.OPTIMAL:
        return outcome.but(status=Status.UNBOUNDED)
    return outcome
