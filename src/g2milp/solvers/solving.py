"""One solve as a task for worker processes: what goes in, what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from g2milp.solvers.base import DEFAULT_GAP, NO_LIMITS, Limits, SolveOutcome
from g2milp.solvers.cross_check import cross_checked, is_badly_scaled
from g2milp.solvers.registry import get

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp


@dataclass(frozen=True, kw_only=True)
class SolveJob:
    """An instance and how to solve it.

    Attributes
    ----------
    cross_check
        True and False ask for a second opinion or not; None asks for one where the instance is
        badly scaled.
    keep_solution
        Whether the point is wanted, which is the larger part of an outcome.
    """

    milp: Milp
    solver: str = "highs"
    limits: Limits = NO_LIMITS
    seed: int = 0
    threads: int = 1
    presolve: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    cross_check: bool | None = None
    keep_solution: bool = False

    @property
    def is_cross_checked(self) -> bool:
        """Whether this job ends with a second opinion."""
        return is_badly_scaled(self.milp) if self.cross_check is None else self.cross_check


def solve_job(job: SolveJob) -> SolveOutcome:
    """Solve, and ask for a second opinion where that is wanted."""
    outcome = get(job.solver).solve(
        job.milp,
        limits=job.limits,
        seed=job.seed,
        threads=job.threads,
        presolve=job.presolve,
        options=job.options,
    )
    if job.is_cross_checked:
        gap = DEFAULT_GAP if job.limits.gap is None else job.limits.gap
        outcome = cross_checked(job.milp, outcome, limits=job.limits, allowed_gap=gap)
    return outcome if job.keep_solution else outcome.but(solution=None)
