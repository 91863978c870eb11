"""Gurobi: the paper's solver, where there is a licence.

The licence that comes with the package takes up to 2000 rows and 2000 columns. Deterministic effort
is Gurobi's own Work.
"""

from __future__ import annotations

import re
import time
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from g2milp.errors import UnavailableError, UsageError
from g2milp.instance.convert.gurobi import to_gurobi
from g2milp.instance.convert.loading import load
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

EXTRA = "'g2milp[gurobi]'"
_SIZE_LIMITED = 10010
_ENDS = {
    2: Status.OPTIMAL,
    3: Status.INFEASIBLE,
    4: Status.INFEASIBLE_OR_UNBOUNDED,
    5: Status.UNBOUNDED,
    7: Status.ITERATION_LIMIT,
    8: Status.NODE_LIMIT,
    9: Status.TIME_LIMIT,
    10: Status.SOLUTION_LIMIT,
    11: Status.INTERRUPTED,
    16: Status.WORK_LIMIT,
    17: Status.MEMORY_LIMIT,
}


class Gurobi:
    """Gurobi through gurobipy; a model is built in memory and nothing is printed."""

    name: ClassVar[str] = "gurobi"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(Capability)
    takes: ClassVar[NumberRange] = NumberRange(smallest_entry=1e-13, semi_upper=np.inf)

    def is_available(self) -> bool:
        """Whether the library can be imported."""
        return find_spec("gurobipy") is not None

    def license_status(self) -> LicenseStatus:
        """Whether there is a licence, and whether it is the size-limited one of the package."""
        if not self.is_available():
            return LicenseStatus(False, "gurobipy is not installed (pip install 'g2milp[gurobi]')")
        return _license_status()

    def version(self) -> str:
        """The version of the solver."""
        return ".".join(str(number) for number in load("gurobipy", EXTRA).gurobi.version())

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
        library = load("gurobipy", EXTRA)
        blank = SolveOutcome(
            status=Status.ERROR,
            solver=self.name,
            solver_version=self.version(),
            seed=seed,
            threads=threads,
        )
        given = posed(milp, self.takes)
        reason = refusal(given, "Gurobi", self.takes)
        if reason:
            return blank.but(message=reason)
        allowed_gap = DEFAULT_GAP if limits.gap is None else limits.gap
        with to_gurobi(given, _environment()) as model:
            try:
                _set_up(model, limits, seed, threads, presolve, allowed_gap, options)
                if start is not None:
                    model.setAttr("Start", model.getVars(), start.tolist())
                watch = _Watch(library)
                model.optimize(watch)
                claim = _claim(model, watch, blank)
            except library.GurobiError as failure:
                out = failure.errno == library.GRB.Error.OUT_OF_MEMORY
                status = Status.MEMORY_LIMIT if out else Status.ERROR
                return blank.but(status=status, message=_explained(failure, milp))
        outcome = verified(milp, claim, allowed_gap=allowed_gap)
        outcome = settled(
            milp,
            outcome,
            lambda same: self.solve(
                same, limits=limits, seed=seed, threads=threads, presolve=presolve, options=options
            ),
        )
        return outcome.but(seconds=time.perf_counter() - began)


@cache
def _environment() -> Any:
    """One environment for the process: each new one costs a licence check and leaks memory."""
    library = load("gurobipy", EXTRA)
    try:
        return library.Env(params={"OutputFlag": 0})
    except library.GurobiError as refused:
        raise UnavailableError(f"Gurobi has no licence here: {refused}") from refused


@cache
def _license_status() -> LicenseStatus:
    """Tell the package's own licence by what it does: it refuses 2001 columns."""
    library = load("gurobipy", EXTRA)
    try:
        with library.Model(env=_environment()) as model:
            model.addMVar(2001)
            model.optimize()
    except UnavailableError as refused:
        return LicenseStatus(False, refused.message)
    except library.GurobiError as refused:
        if refused.errno != _SIZE_LIMITED:
            return LicenseStatus(False, str(refused))
        return LicenseStatus(True, "size-limited licence: up to 2000 rows and 2000 columns")
    return LicenseStatus(True, "full licence, models of any size")


def _explained(failure: Any, milp: Milp) -> str:
    if failure.errno == _SIZE_LIMITED:
        return (
            f"the size-limited Gurobi licence takes up to 2000 rows and 2000 columns; this has "
            f"{milp.n_rows} and {milp.n_cols} (a row with two sides counts twice)"
        )
    return f"Gurobi failed: {failure}"


def _set_up(
    model: Any,
    limits: Limits,
    seed: int,
    threads: int,
    presolve: bool,
    allowed_gap: float,
    options: Mapping[str, object] | None,
) -> None:
    settings: dict[str, object] = {
        "Threads": threads,
        "Seed": seed,
        "Presolve": -1 if presolve else 0,
        "MIPGap": allowed_gap,
        "MIPGapAbs": 0.0,
        "LogToConsole": 0,
    }
    for name, limit in (
        ("TimeLimit", limits.seconds),
        ("WorkLimit", limits.work),
        ("NodeLimit", limits.nodes),
        ("IterationLimit", limits.iterations),
        ("SolutionLimit", limits.solutions),
    ):
        if limit is not None:
            settings[name] = limit
    if limits.memory_mb is not None:
        settings["SoftMemLimit"] = limits.memory_mb / 1000
    for key, value in {**settings, **(options or {})}.items():
        try:
            model.setParam(key, value)
        except (load("gurobipy", EXTRA).GurobiError, TypeError) as refused:
            raise UsageError(
                f"Gurobi has no parameter {key!r} or does not take {value!r} for it"
            ) from refused


class _Watch:
    """What Gurobi tells only while it runs."""

    def __init__(self, library: Any) -> None:
        self._at = library.GRB.Callback
        self.root_bound: float | None = None
        self.incumbents: list[Incumbent] = []
        self.presolved: tuple[int | None, int | None] = (None, None)

    def __call__(self, model: Any, where: int) -> None:
        at = self._at
        if where == at.MIP:
            if model.cbGet(at.MIP_NODCNT) == 0:
                self.root_bound = _finite(model.cbGet(at.MIP_OBJBND))
        elif where == at.MIPSOL:
            told = (at.RUNTIME, at.WORK, at.MIPSOL_OBJ)
            self.incumbents.append(Incumbent(*(model.cbGet(what) for what in told)))
        elif where == at.MESSAGE and self.presolved[0] is None:
            found = re.search(r"Presolved: (\d+) rows, (\d+) col", model.cbGet(at.MSG_STRING))
            if found:
                self.presolved = int(found[1]), int(found[2])


def _claim(model: Any, watch: _Watch, blank: SolveOutcome) -> SolveOutcome:
    status = _ENDS.get(model.Status, Status.ERROR)
    if status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    has_point = model.SolCount > 0 and (status is Status.OPTIMAL or status.is_censored)
    objective = float(model.ObjVal) if has_point else None
    bound = _attribute(model, "ObjBound")
    root_bound = watch.root_bound
    if model.NodeCount <= 1:  # it ended in the root
        root_bound = bound
    rows, cols = watch.presolved
    return blank.but(
        status=status,
        message=f"Gurobi ends with status {model.Status}" if status is Status.ERROR else "",
        objective=objective,
        bound=bound,
        nodes=int(model.NodeCount),
        lp_iterations=int(model.IterCount),
        work=float(model.Work),
        root_gap=relative_gap(objective, root_bound),
        presolved_rows=rows,
        presolved_cols=cols,
        first_incumbent_seconds=watch.incumbents[0].seconds if watch.incumbents else None,
        incumbents=tuple(watch.incumbents),
        solution=np.array(model.X) if has_point else None,
    )


def _attribute(model: Any, name: str) -> float | None:
    try:
        return _finite(model.getAttr(name))
    except (load("gurobipy", EXTRA).GurobiError, AttributeError):
        return None


def _finite(value: float) -> float | None:
    return None if abs(value) >= 1e100 else float(value)
