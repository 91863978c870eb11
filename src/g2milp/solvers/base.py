"""One face for every solver: what can be asked, what comes back, what each can do.

A solver's "optimal" is a claim. `checked` says how far the claim was verified by us, from the
returned point alone.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


class Status(enum.StrEnum):
    """How a solve ended; one vocabulary for all solvers."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    INFEASIBLE_OR_UNBOUNDED = "infeasible_or_unbounded"
    TIME_LIMIT = "time_limit"
    WORK_LIMIT = "work_limit"
    NODE_LIMIT = "node_limit"
    ITERATION_LIMIT = "iteration_limit"
    MEMORY_LIMIT = "memory_limit"
    SOLUTION_LIMIT = "solution_limit"
    INTERRUPTED = "interrupted"
    ERROR = "error"
    CRASHED = "crashed"
    KILLED = "killed"

    @property
    def is_censored(self) -> bool:
        """Stopped by a limit: the effort is a lower bound of the true one."""
        return self.value.endswith("_limit") or self is Status.KILLED


class Checked(enum.StrEnum):
    """How far a claim was verified.

    A point proves what it costs and that it is feasible; that nothing is better rests on the
    solver's bound, unless other solves confirm it. `is_proven` is what statistics should rest on.
    """

    NOTHING = "nothing"  # no point came back, or the claim rests on the solver alone
    WRONG = "wrong"  # the claim is better than its own point, or another point disproves it
    TOLERANCE = "tolerance"  # feasible within 1e-6 only: no rational point of this value is known
    EXACT = "exact"  # rounded on the integers, feasible and of this objective in exact arithmetic
    CROSS_CHECKED = "cross_checked"  # exact, and another solver or a run without presolve agrees

    @property
    def is_proven(self) -> bool:
        """Whether the objective is that of a point which is feasible in exact arithmetic.

        Also an infeasible or unbounded end that other solves confirmed.
        """
        return self in (Checked.EXACT, Checked.CROSS_CHECKED)


class Capability(enum.Enum):
    """What a solver can do; asked as data, never by trying."""

    WORK_LIMIT = "deterministic work limit"
    NODE_LIMIT = "node limit"
    ITERATION_LIMIT = "iteration limit"
    MEMORY_LIMIT = "memory limit of its own"
    SEMI_CONTINUOUS = "semi-continuous columns"
    SEMI_INTEGER = "semi-integer columns"
    WARM_START = "start from a point"


DEFAULT_GAP = 1e-4
"""The relative gap at which every solver calls a point optimal, unless `Limits.gap` says else."""

LARGEST_SEED = 2**31 - 1
"""Seeds run from 0 to here: what all solvers take."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When to stop.

    None means no limit (`gap`: `DEFAULT_GAP`, set for every solver, so that "optimal" means the
    same). Limits of work, nodes and iterations give the same result on a busy machine; the limit of
    seconds does not.
    """

    seconds: float | None = None
    work: float | None = None
    nodes: int | None = None
    iterations: int | None = None
    memory_mb: int | None = None
    gap: float | None = None
    solutions: int | None = None


NO_LIMITS = Limits()


class Incumbent(NamedTuple):
    """A point that the solver found on its way: when, after how much work, and its objective.

    HiGHS does not tell its simplex iterations while it runs; then `work` is None.
    """

    seconds: float
    work: float | None
    objective: float


@dataclass(frozen=True, kw_only=True)
class SolveOutcome:
    """What one solve of one instance gave.

    Attributes
    ----------
    objective, bound
        Of the returned point in the instance's own sense with its offset, recomputed by us; the
        dual bound as claimed.
    work
        Deterministic effort in the solver's own unit (Gurobi: Work; SCIP: LP iterations; HiGHS:
        simplex iterations).
    root_gap
        |bound after the root node - objective| / max(1, |objective|), None where the solver does
        not tell.
    solution
        The point, rounded on the integer columns; None without an incumbent.
    incumbents
        The points as the solver reported them, first to last; not kept in ledgers.
    """

    status: Status
    solver: str
    solver_version: str
    seed: int
    threads: int = 1
    objective: float | None = None
    bound: float | None = None
    gap: float | None = None
    nodes: int | None = None
    lp_iterations: int | None = None
    work: float | None = None
    root_gap: float | None = None
    presolved_rows: int | None = None
    presolved_cols: int | None = None
    first_incumbent_seconds: float | None = None
    seconds: float = 0.0
    checked: Checked = Checked.NOTHING
    message: str = ""
    solution: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)
    incumbents: tuple[Incumbent, ...] = field(default=(), repr=False, compare=False)

    @property
    def has_solution(self) -> bool:
        """Whether a point came back."""
        return self.solution is not None

    def but(self, **changes: Any) -> SolveOutcome:
        """The same outcome with some fields changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class LicenseStatus:
    """Whether the solver may be used here, and in words why or why not."""

    ok: bool
    message: str


class Solver(Protocol):
    """A solver. Implementations import their library only inside methods."""

    name: ClassVar[str]
    capabilities: ClassVar[frozenset[Capability]]

    def is_available(self) -> bool:
        """Whether the library can be imported."""
        ...

    def license_status(self) -> LicenseStatus:
        """Whether a licence is there, and how large a model it takes."""
        ...

    def version(self) -> str:
        """The version of the solver, not of its Python wrapper."""
        ...

    def solve(
        self,
        milp: Milp,
        *,
        limits: Limits = NO_LIMITS,
        seed: int = 0,
        threads: int = 1,
        presolve: bool = True,
        options: Mapping[str, object] | None = None,
        start: NDArray[np.float64] | None = None,
    ) -> SolveOutcome:
        """Solve one instance in this process. The model is handed over in memory."""
        ...
