"""SCIP: the second open solver.

Deterministic effort is the number of LP iterations over all restarts. SCIP has no limit on them of
its own; an event handler stops it after the node in which the limit was reached, which is the same
node on a busy machine.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from g2milp.errors import UsageError
from g2milp.instance.convert.loading import load
from g2milp.instance.convert.scip import to_scip
from g2milp.instance.milp import Kind
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
from g2milp.solvers.posing import is_semi, posed
from g2milp.solvers.settings import check_limits
from g2milp.solvers.verify import relative_gap, verified

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import Limits

EXTRA = "'g2milp[scip]'"
_ENDS = {
    "optimal": Status.OPTIMAL,
    "infeasible": Status.INFEASIBLE,
    "unbounded": Status.UNBOUNDED,
    "inforunbd": Status.INFEASIBLE_OR_UNBOUNDED,
    "gaplimit": Status.OPTIMAL,
    "timelimit": Status.TIME_LIMIT,
    "nodelimit": Status.NODE_LIMIT,
    "totalnodelimit": Status.NODE_LIMIT,
    "memlimit": Status.MEMORY_LIMIT,
    "sollimit": Status.SOLUTION_LIMIT,
    "bestsollimit": Status.SOLUTION_LIMIT,
    "userinterrupt": Status.INTERRUPTED,
    "terminate": Status.INTERRUPTED,
}


@cache
def _version() -> str:
    scip = load("pyscipopt", EXTRA).Model()
    return f"{scip.getMajorVersion()}.{scip.getMinorVersion()}.{scip.getTechVersion()}"


class Scip:
    """SCIP through PySCIPOpt; a model is built in memory and nothing is printed."""

    name: ClassVar[str] = "scip"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(
        {
            Capability.NODE_LIMIT,
            Capability.ITERATION_LIMIT,
            Capability.WORK_LIMIT,
            Capability.MEMORY_LIMIT,
            Capability.SEMI_CONTINUOUS,
            Capability.SEMI_INTEGER,
            Capability.WARM_START,
        }
    )
    takes: ClassVar[NumberRange] = NumberRange(
        largest_entry=1e20, smallest_entry=1e-9, semi_upper=np.inf
    )

    def is_available(self) -> bool:
        """Whether the library can be imported."""
        return find_spec("pyscipopt") is not None

    def license_status(self) -> LicenseStatus:
        """SCIP is free software: there is nothing but the library to be missing."""
        if not self.is_available():
            return LicenseStatus(False, "pyscipopt is not installed (pip install 'g2milp[scip]')")
        return LicenseStatus(True, "Apache 2.0 licence, models of any size")

    def version(self) -> str:
        """The version of the solver."""
        return _version()

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
        """Solve one instance in this process; Ctrl-C stops it. SCIP uses one thread."""
        check_limits(self, limits)
        began = time.perf_counter()
        blank = SolveOutcome(
            status=Status.ERROR, solver=self.name, solver_version=self.version(), seed=seed
        )
        given = posed(milp, self.takes)
        reason = refusal(given, "SCIP", self.takes)
        if reason:
            return blank.but(message=reason)
        scip, columns = _model(given)
        allowed_gap = DEFAULT_GAP if limits.gap is None else limits.gap
        _set_up(scip, limits, seed, presolve, allowed_gap, options)
        if start is not None:
            _start_from(scip, columns, start)
        watch = _watch(limits.work if limits.iterations is None else limits.iterations)
        scip.includeEventhdlr(watch, "g2milp", "first incumbent and limit of LP iterations")
        try:
            scip.optimize()
        except MemoryError:  # SCIP's own state is broken now: let the worker be replaced
            raise
        except Exception as failure:  # noqa: BLE001 - PySCIPOpt raises plain Exception
            return blank.but(message=f"SCIP failed: {failure}")
        if scip.getStatus() == "userinterrupt" and not watch.limit_reached:
            raise KeyboardInterrupt
        claim = _claim(milp, scip, columns, watch, limits, blank)
        outcome = verified(milp, claim, allowed_gap=allowed_gap)
        outcome = settled(
            milp,
            outcome,
            lambda same: self.solve(
                same, limits=limits, seed=seed, threads=threads, presolve=presolve, options=options
            ),
        )
        return outcome.but(seconds=time.perf_counter() - began)


def _model(milp: Milp) -> tuple[Any, list[Any]]:
    """The model and its columns in order. A semi-continuous column is at most 0 or at least l."""
    semi = is_semi(milp)
    whole = np.where(milp.kinds == Kind.SEMI_INTEGER, Kind.INTEGER, Kind.CONTINUOUS)
    plain = replace(
        milp,
        kinds=np.where(semi, whole, milp.kinds).astype(milp.kinds.dtype),
        col_lower=np.where(semi, 0.0, milp.col_lower),
    )
    scip = to_scip(plain)
    columns = sorted(scip.getVars(transformed=False), key=lambda column: column.getIndex())
    for j in np.flatnonzero(semi).tolist():
        either = [columns[j] <= 0, columns[j] >= float(milp.col_lower[j])]
        scip.addConsDisjunction(either, name=f"semi_{j}")
    return scip, columns


def _set_up(
    scip: Any,
    limits: Limits,
    seed: int,
    presolve: bool,
    allowed_gap: float,
    options: Mapping[str, object] | None,
) -> None:
    settings: dict[str, object] = {
        "randomization/randomseedshift": seed,
        "limits/gap": allowed_gap,
        "lp/threads": 1,
        "parallel/maxnthreads": 1,
    }
    if limits.seconds is not None:
        settings["limits/time"] = min(limits.seconds, 1e20)
    if limits.nodes is not None:
        settings["limits/totalnodes"] = limits.nodes
    if limits.memory_mb is not None:
        settings["limits/memory"] = float(limits.memory_mb)
    if limits.solutions is not None:
        settings["limits/solutions"] = limits.solutions
    if not presolve:
        scip.setPresolve(load("pyscipopt", EXTRA).SCIP_PARAMSETTING.OFF)
    for key, value in {**settings, **(options or {})}.items():
        try:
            scip.setParam(key, value)
        except (KeyError, ValueError, TypeError, LookupError) as refused:
            raise UsageError(
                f"SCIP has no parameter {key!r} or does not take {value!r} for it"
            ) from refused


def _start_from(scip: Any, columns: list[Any], point: NDArray[np.float64]) -> None:
    solution = scip.createSol()
    for column, value in zip(columns, point.tolist(), strict=True):
        scip.setSolVal(solution, column, value)
    scip.addSol(solution)


def _watch(most_iterations: float | None) -> Any:
    """An event handler; its class is made here because its base lives in the library."""
    library = load("pyscipopt", EXTRA)
    events, stages = library.SCIP_EVENTTYPE, library.SCIP_STAGE
    searching = (stages.SOLVING, stages.SOLVED)
    caught = [events.BESTSOLFOUND]
    if most_iterations is not None:
        caught += [events.NODESOLVED, events.LPSOLVED]

    class Watch(library.Eventhdlr):  # type: ignore[misc, name-defined]
        limit_reached = False

        def __init__(self) -> None:
            self.incumbents: list[Incumbent] = []

        def eventinit(self) -> None:
            for kind in caught:
                self.model.catchEvent(kind, self)

        def eventexit(self) -> None:
            for kind in caught:
                self.model.dropEvent(kind, self)

        def eventexec(self, event: Any) -> None:
            if event.getType() == events.BESTSOLFOUND:
                scip = self.model  # its primal bound is still the one before this point
                objective = scip.getSolObjVal(scip.getBestSol())
                # Before the search SCIP cannot tell its iterations, and says so on stderr.
                iterations = scip.getNLPIterations() if scip.getStage() in searching else 0
                self.incumbents.append(Incumbent(scip.getSolvingTime(), iterations, objective))
            elif self.model.getNLPIterations() >= most_iterations and not self.limit_reached:
                self.limit_reached = True
                self.model.interruptSolve()

    return Watch()


def _claim(
    milp: Milp, scip: Any, columns: list[Any], watch: Any, limits: Limits, blank: SolveOutcome
) -> SolveOutcome:
    end = scip.getStatus()
    status = _ENDS.get(end, Status.ERROR)
    if watch.limit_reached and status is Status.INTERRUPTED:
        status = Status.WORK_LIMIT if limits.iterations is None else Status.ITERATION_LIMIT
    point, objective = None, None
    if scip.getNSols() and (status is Status.OPTIMAL or status.is_censored):
        best = scip.getBestSol()
        point = np.array([scip.getSolVal(best, column) for column in columns])
        objective = float(scip.getSolObjVal(best))
    iterations = int(scip.getNLPIterations())
    bound = _finite(scip, scip.getDualbound())
    root_bound = _finite(scip, scip.getDualboundRoot())
    if scip.getNTotalNodes() <= 1:  # it ended in the root
        root_bound = bound
    return blank.but(
        status=status,
        message=f"SCIP ends with {end}" if status is Status.ERROR else "",
        objective=objective,
        bound=bound,
        nodes=int(scip.getNTotalNodes()),
        lp_iterations=iterations,
        work=float(iterations),
        root_gap=relative_gap(objective, root_bound),
        presolved_rows=int(scip.getNConss(transformed=True)),
        presolved_cols=int(scip.getNVars(transformed=True)),
        first_incumbent_seconds=watch.incumbents[0].seconds if watch.incumbents else None,
        incumbents=tuple(watch.incumbents),
        solution=point,
    )


def _finite(scip: Any, value: float) -> float | None:
    return None if abs(value) >= scip.infinity() else float(value)
