"""HiGHS: the solver that is always there.

Deterministic effort is the number of simplex iterations. HiGHS has no work or iteration limit for
MIPs, so only the node limit gives the same result on a busy machine. Its threads live in a pool of
the process, which must be given up before another number of threads can be used.
"""

from __future__ import annotations

import re
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from g2milp.errors import InvalidMilp, UsageError
from g2milp.instance.convert.highs import to_highs
from g2milp.solvers.ambiguity import settled
from g2milp.solvers.base import (
    DEFAULT_GAP,
    NO_LIMITS,
    Capability,
    Incumbent,
    LicenseStatus,
    SolveOutcome,
    Status,
)
from g2milp.solvers.faithful import NumberRange, refusal
from g2milp.solvers.posing import posed
from g2milp.solvers.settings import check_limits
from g2milp.solvers.verify import relative_gap, verified

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import Limits

_threads_of_pool: int | None = None

_ENDS = {
    "kOptimal": Status.OPTIMAL,
    "kModelEmpty": Status.OPTIMAL,
    "kInfeasible": Status.INFEASIBLE,
    "kUnbounded": Status.UNBOUNDED,
    "kUnboundedOrInfeasible": Status.INFEASIBLE_OR_UNBOUNDED,
    "kTimeLimit": Status.TIME_LIMIT,
    "kIterationLimit": Status.ITERATION_LIMIT,
    "kMemoryLimit": Status.MEMORY_LIMIT,
    "kInterrupt": Status.INTERRUPTED,
    "kHighsInterrupt": Status.INTERRUPTED,
}


class Highs:
    """HiGHS through highspy; a model is built in memory and nothing is printed."""

    name: ClassVar[str] = "highs"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(
        {
            Capability.NODE_LIMIT,
            Capability.SEMI_CONTINUOUS,
            Capability.SEMI_INTEGER,
            Capability.WARM_START,
        }
    )
    takes: ClassVar[NumberRange] = NumberRange(
        largest_entry=1e15, smallest_entry=1e-12, semi_upper=1e5
    )

    def is_available(self) -> bool:
        """Whether the library can be imported."""
        return find_spec("highspy") is not None

    def license_status(self) -> LicenseStatus:
        """HiGHS is free software: there is nothing but the library to be missing."""
        if not self.is_available():
            return LicenseStatus(False, "highspy is not installed (pip install highspy)")
        return LicenseStatus(True, "MIT licence, models of any size")

    def version(self) -> str:
        """The version of the solver."""
        import highspy

        numbers = (
            highspy.HIGHS_VERSION_MAJOR,
            highspy.HIGHS_VERSION_MINOR,
            highspy.HIGHS_VERSION_PATCH,
        )
        return ".".join(str(number) for number in numbers)

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
        """Solve one instance in this process; Ctrl-C stops it."""
        check_limits(self, limits)
        began = time.perf_counter()
        blank = SolveOutcome(
            status=Status.ERROR,
            solver=self.name,
            solver_version=self.version(),
            seed=seed,
            threads=threads,
        )
        given = posed(milp, self.takes)
        reason = refusal(given, "HiGHS", self.takes)
        if reason:
            return blank.but(message=reason)
        allowed_gap = DEFAULT_GAP if limits.gap is None else limits.gap
        if not milp.n_cols:
            return verified(milp, _without_columns(milp, blank), allowed_gap=allowed_gap)
        try:
            model = to_highs(given)
        except InvalidMilp as refused:
            return blank.but(message=refused.message)
        _give_up_pool(threads)
        for key, value in {
            **_settings(limits, seed, threads, presolve, allowed_gap),
            **(options or {}),
        }.items():
            _set(model, key, value)
        if start is not None:
            _start_from(model, start)
        watch = _Watch(model)
        run = _run(model)
        watch.reraise()
        claim = _claim(given, model, watch, limits, blank, run)
        outcome = verified(milp, claim, allowed_gap=allowed_gap)
        outcome = settled(
            milp,
            outcome,
            lambda same: self.solve(
                same, limits=limits, seed=seed, threads=threads, presolve=presolve, options=options
            ),
        )
        return outcome.but(seconds=time.perf_counter() - began)


def _without_columns(milp: Milp, blank: SolveOutcome) -> SolveOutcome:
    """HiGHS calls such a model empty and does not look at its rows."""
    if ((milp.row_lower > 0) | (milp.row_upper < 0)).any():
        return blank.but(status=Status.INFEASIBLE)
    value = milp.offset
    return blank.but(
        status=Status.OPTIMAL,
        objective=value,
        bound=value,
        nodes=0,
        lp_iterations=0,
        work=0.0,
        solution=np.zeros(0),
    )


def _settings(
    limits: Limits, seed: int, threads: int, presolve: bool, allowed_gap: float
) -> dict[str, object]:
    settings: dict[str, object] = {
        "threads": threads,
        "random_seed": seed,
        "presolve": "choose" if presolve else "off",
        "mip_rel_gap": allowed_gap,
        "mip_abs_gap": 0.0,
        "output_flag": True,  # for the size after presolve, which only the log tells
        "log_to_console": False,
    }
    if limits.seconds is not None:
        settings["time_limit"] = float(limits.seconds)
    if limits.nodes is not None:
        settings["mip_max_nodes"] = int(limits.nodes)
    if limits.solutions is not None:
        settings["mip_max_improving_sols"] = int(limits.solutions)
    return settings


def _set(model: Any, key: str, value: object) -> None:
    import highspy

    if model.setOptionValue(key, value) == highspy.HighsStatus.kError:
        raise UsageError(f"HiGHS has no option {key!r} or does not take {value!r} for it")


def _give_up_pool(threads: int) -> None:
    """A pool made for another number of threads makes every later solve fail."""
    global _threads_of_pool
    if _threads_of_pool not in (None, threads):
        import highspy

        highspy.Highs.resetGlobalScheduler(True)
    _threads_of_pool = threads


def _run(model: Any) -> Any:
    """Solve; once more if somebody else in this process left a pool of another size behind."""
    import highspy

    run = model.run()
    if (
        run == highspy.HighsStatus.kError
        and model.getModelStatus() == highspy.HighsModelStatus.kNotset
    ):
        highspy.Highs.resetGlobalScheduler(True)
        run = model.run()
    return run


def _start_from(model: Any, point: NDArray[np.float64]) -> None:
    import highspy

    solution = highspy.HighsSolution()
    solution.col_value = list(point)
    model.setSolution(solution)


class _Watch:
    """What HiGHS tells only while it runs; lets Ctrl-C through, too."""

    def __init__(self, model: Any) -> None:
        import highspy

        kinds = highspy.cb.HighsCallbackType
        self._improving = int(kinds.kCallbackMipImprovingSolution)
        self._logging = int(kinds.kCallbackLogging)
        self._log: list[str] = []
        self._log_is_open = True
        self._stopped_by: BaseException | None = None
        self.root_bound: float | None = None
        self.incumbents: list[Incumbent] = []
        model.setCallback(self._note, None)
        for kind in (
            kinds.kCallbackLogging,
            kinds.kCallbackMipImprovingSolution,
            kinds.kCallbackMipInterrupt,
            kinds.kCallbackSimplexInterrupt,
            kinds.kCallbackIpmInterrupt,
        ):
            model.startCallback(kind)

    def _note(self, kind: int, message: str, out: Any, answer: Any, _data: object) -> None:
        try:
            if int(kind) == self._logging:
                if self._log_is_open:
                    self._log.append(message)
                    self._log_is_open = "Src " not in message
                return
            if out.mip_node_count == 0 and np.isfinite(out.mip_dual_bound):
                self.root_bound = out.mip_dual_bound
            if int(kind) == self._improving:
                found = Incumbent(out.running_time, None, out.objective_function_value)
                self.incumbents.append(found)
        except KeyboardInterrupt as interrupt:
            self._stopped_by = interrupt
        if self._stopped_by is not None:
            answer.user_interrupt = True

    def reraise(self) -> None:
        """Pass on the Ctrl-C that stopped the solve."""
        if self._stopped_by is not None:
            raise self._stopped_by

    def presolved_size(self) -> tuple[int | None, int | None]:
        """Rows and columns that were left after presolve."""
        text = "".join(self._log)
        found = re.search(r"Solving MIP model with:\s+(\d+) rows\s+(\d+) cols", text)
        if found:
            return int(found[1]), int(found[2])
        if re.search(r"Presolve: (Optimal|Infeasible)", text) or "reduced to empty" in text:
            return 0, 0
        return None, None


def _claim(
    milp: Milp, model: Any, watch: _Watch, limits: Limits, blank: SolveOutcome, run: Any
) -> SolveOutcome:
    import highspy

    end = model.getModelStatus().name
    info = model.getInfo()
    status = _ENDS.get(end, Status.ERROR)
    if end == "kSolutionLimit":
        status = _which_limit(info, limits)
    if run == highspy.HighsStatus.kError:
        return blank.but(message=f"HiGHS failed ({end})")
    is_mip = bool(milp.kinds.any())
    has_point = (status is Status.OPTIMAL or status.is_censored) and (
        info.primal_solution_status == int(highspy.SolutionStatus.kSolutionStatusFeasible)
    )
    objective = float(info.objective_function_value) if has_point else None
    bound = _finite(info.mip_dual_bound) if is_mip else None
    if not is_mip and status is Status.OPTIMAL:
        bound = objective
    iterations = max(0, info.simplex_iteration_count)
    rows, cols = watch.presolved_size() if is_mip else (None, None)
    root_bound = watch.root_bound
    if info.mip_node_count <= 1:  # it ended in the root
        root_bound = bound
    return blank.but(
        status=status,
        message=f"HiGHS ends with {end}" if status is Status.ERROR else "",
        objective=objective,
        bound=bound,
        nodes=max(0, info.mip_node_count) if is_mip else 0,
        lp_iterations=iterations,
        work=float(iterations),
        root_gap=relative_gap(objective, root_bound),
        presolved_rows=rows,
        presolved_cols=cols,
        first_incumbent_seconds=watch.incumbents[0].seconds if watch.incumbents else None,
        incumbents=tuple(watch.incumbents),
        solution=np.array(model.getSolution().col_value) if has_point else None,
    )


def _which_limit(info: Any, limits: Limits) -> Status:
    """HiGHS has one word for its node limit and its limit of improving solutions."""
    if limits.nodes is not None and info.mip_node_count >= limits.nodes:
        return Status.NODE_LIMIT
    return Status.SOLUTION_LIMIT


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
