"""What every solver must do alike: the contract behind `g2milp.solvers.base.Solver`."""

from __future__ import annotations

import dataclasses
import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests_solvers_instances import milp_of

from g2milp.errors import UnavailableError, UsageError
from g2milp.problems.registry import make
from g2milp.solvers.base import Capability, Checked, Limits, Solver, Status
from g2milp.solvers.registry import get

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp

INF = np.inf
BOX = {"col_upper": [9, 9]}
MAX_PLUS_10 = {"sense": "max", "offset": 10.0}
NO_INTEGER = {"col_lower": [0.2], "col_upper": [0.8]}
SMALL = {"min": {"n_rows": 60, "n_cols": 90, "density": 0.08}, "max": {"n_nodes": 60}}
TIMELESS = ("status", "objective", "bound", "nodes", "lp_iterations", "work", "root_gap", "gap")


def hard(seed: int = 0) -> Milp:
    """A market split problem: it keeps a solver busy for much longer than a test lasts."""
    rng = np.random.default_rng(seed)
    m, n = 5, 40
    matrix = rng.integers(0, 100, (m, n)).astype(float)
    rows = [
        {**{j: v for j, v in enumerate(row) if v}, n + 2 * i: 1.0, n + 1 + 2 * i: -1.0}
        for i, row in enumerate(matrix.tolist())
    ]
    half = np.floor(matrix.sum(1) / 2)
    return milp_of(
        rows,
        half,
        half,
        np.concatenate([np.zeros(n), np.ones(2 * m)]),
        col_upper=np.concatenate([np.ones(n), np.full(2 * m, INF)]),
        kinds=np.concatenate([np.ones(n), np.zeros(2 * m)]),
    )


def test_an_optimum_comes_with_its_proof(solver: Solver, knapsack: Milp) -> None:
    outcome = solver.solve(knapsack, seed=3)
    assert outcome.status is Status.OPTIMAL
    assert outcome.objective == 16.0
    assert outcome.bound == pytest.approx(16.0)
    assert outcome.gap == pytest.approx(0.0, abs=1e-9)
    assert outcome.checked is Checked.EXACT
    assert (outcome.solver, outcome.solver_version) == (solver.name, solver.version())
    assert (outcome.seed, outcome.threads) == (3, 1)
    assert outcome.solution is not None
    assert outcome.solution @ knapsack.objective + 1 == 16.0
    assert outcome.nodes is not None
    assert outcome.lp_iterations is not None
    assert outcome.work is not None
    assert outcome.seconds > 0


@pytest.mark.parametrize("presolve", [True, False])
def test_nothing_is_printed(
    solver: Solver, knapsack: Milp, presolve: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    badly_scaled = milp_of(  # SCIP finds its first point before its search
        [{0: 1.1}, {0: -3e-5, 1: -7000, 2: 1.4e-7}],
        [0.77, -INF],
        [1.4300000000000002, 23099.999979182],
        [1.2e-3, 1.2e-8, -10000],
        col_lower=[1, -3, 1],
        col_upper=[1, 0, 3],
        kinds=[1, 1, 1],
    )
    for milp in (knapsack, milp_of([{0: 1}], [3], [2], [1]), badly_scaled):
        solver.solve(milp, presolve=presolve, limits=Limits(gap=0.0))
    assert capfd.readouterr() == ("", "")


def test_effort_is_told(solver: Solver) -> None:
    outcome = solver.solve(make("setcover", 0, n_rows=80, n_cols=160))
    assert outcome.status is Status.OPTIMAL
    assert outcome.lp_iterations > 0  # type: ignore[operator]
    assert outcome.work > 0  # type: ignore[operator]
    assert outcome.root_gap is not None
    assert 0 <= outcome.root_gap < 1
    assert outcome.presolved_rows is not None
    assert outcome.presolved_rows <= 80
    assert outcome.first_incumbent_seconds is not None
    assert 0 <= outcome.first_incumbent_seconds <= outcome.seconds


@pytest.mark.parametrize(
    ("problem", "sizes"),
    [("mis", {"n_nodes": 60}), ("setcover", {"n_rows": 60, "n_cols": 120})],
)
def test_same_seed_same_effort(solver: Solver, problem: str, sizes: dict[str, int]) -> None:
    for seed in range(3):
        milp = make(problem, seed, **sizes)
        first, second = (solver.solve(milp, seed=seed) for _ in range(2))
        assert [getattr(first, x) for x in TIMELESS] == [getattr(second, x) for x in TIMELESS]


@pytest.mark.parametrize(
    ("milp", "status", "objective"),
    [
        (
            milp_of([{0: 2, 1: 2}], [3], [3], [1, 1], kinds=[1, 1], col_upper=[9, 9]),
            "infeasible",
            None,
        ),
        (milp_of([{0: 1, 1: 1}], [3], [2], [1, 1]), "infeasible", None),
        (milp_of([{0: 1}], [0], [5], [1], col_lower=[2], col_upper=[1]), "infeasible", None),
        (milp_of([{}, {0: 1}], [1, 1], [INF, INF], [1]), "infeasible", None),
        (milp_of([{0: 1, 1: -1}], [0], [INF], [-1, 0]), "unbounded", None),
        (milp_of([{0: 1, 1: -1}], [0], [INF], [-1, 0], kinds=[1, 1]), "unbounded", None),
        (milp_of([], [], [], [1, -1]), "unbounded", None),
        (milp_of([], [], [], []), "optimal", 0.0),
        (milp_of([{}], [1], [2], []), "infeasible", None),
        (milp_of([{}], [-1], [2], [], offset=4.0), "optimal", 4.0),
        (milp_of([], [], [], [1, -1], col_upper=[9, 9]), "optimal", -9.0),
        (milp_of([{0: 1, 1: 1}, {0: 1}], [1, -INF], [INF, INF], [1, 2]), "optimal", 1.0),
        (milp_of([{0: 1, 1: 1}], [1.5], [3.5], [-1, -2], kinds=[1, 1]), "optimal", -6.0),
        (milp_of([{0: 1, 1: 2}], [2], [7], [0, 0], offset=-3.0), "optimal", -3.0),
        (
            milp_of([{0: 1e12, 1: 1}], [1], [INF], [1, 3], kinds=[1, 1], col_upper=[9, 9]),
            "optimal",
            1.0,
        ),
        (
            milp_of([{0: 1}], [-INF], [7.5], [3], sense="max", offset=10.0, kinds=[1]),
            "optimal",
            31.0,
        ),
        (
            milp_of([{0: 1}], [0], [INF], [1], kinds=[1], col_lower=[0.2], col_upper=[0.8]),
            "infeasible",
            None,
        ),
    ],
)
def test_odd_instances_get_one_answer(
    solver: Solver, milp: Milp, status: str, objective: float | None
) -> None:
    outcome = solver.solve(milp)
    assert (outcome.status.value, outcome.objective) == (status, objective)
    assert outcome.message == ""
    assert (outcome.checked is Checked.EXACT) == (objective is not None)


@pytest.mark.parametrize(
    ("milp", "words"),
    [
        (milp_of([{0: 1}], [1], [1e30], [1]), "the upper side of row 'r0' is 1e+30"),
        (milp_of([{0: 1}], [-1e20], [3], [1]), "the lower side of row 'r0' is -1e+20"),
        (milp_of([{0: 1}], [1], [3], [1], col_upper=[1e21]), "the upper bound of column 'c0'"),
        (milp_of([{0: 1}], [1], [3], [1e25]), "the cost of column 'c0'"),
    ],
)
def test_a_finite_number_never_becomes_infinite(solver: Solver, milp: Milp, words: str) -> None:
    outcome = solver.solve(milp)
    assert outcome.status is Status.ERROR
    assert words in outcome.message


@pytest.mark.parametrize("kind", [2, 3])
def test_semi_columns_or_a_clear_word(solver: Solver, kind: int) -> None:
    milp = milp_of(
        [{0: 1, 1: 1}], [1], [INF], [1, 5], kinds=[kind, 0], col_lower=[2, 0], col_upper=[5, 5]
    )
    outcome = solver.solve(milp)
    needed = Capability.SEMI_CONTINUOUS if kind == 2 else Capability.SEMI_INTEGER
    if needed in solver.capabilities:
        assert outcome.objective == pytest.approx(2.0)
        assert outcome.checked in (Checked.EXACT, Checked.TOLERANCE)
    else:
        assert outcome.status is Status.ERROR
        assert "no semi-" in outcome.message


@pytest.mark.parametrize(
    ("limits", "capability", "status"),
    [
        (Limits(nodes=20), Capability.NODE_LIMIT, Status.NODE_LIMIT),
        (Limits(iterations=300), Capability.ITERATION_LIMIT, Status.ITERATION_LIMIT),
        (Limits(work=0.02), Capability.WORK_LIMIT, Status.WORK_LIMIT),
    ],
)
def test_deterministic_limits(
    solver: Solver, limits: Limits, capability: Capability, status: Status
) -> None:
    if capability not in solver.capabilities:
        with pytest.raises(UnavailableError, match="has no"):
            solver.solve(hard(), limits=limits)
        return
    if solver.name == "scip" and limits.work:
        limits = Limits(work=300)
    first, second = (solver.solve(hard(), limits=limits) for _ in range(2))
    assert first.status is status
    assert first.status.is_censored
    assert [getattr(first, x) for x in TIMELESS] == [getattr(second, x) for x in TIMELESS]


def test_a_time_limit_leaves_what_was_found(solver: Solver) -> None:
    outcome = solver.solve(hard(), limits=Limits(seconds=0.2))
    assert outcome.status is Status.TIME_LIMIT
    assert outcome.objective is not None
    assert outcome.bound is not None
    assert outcome.bound <= outcome.objective
    assert outcome.checked in (Checked.EXACT, Checked.TOLERANCE)


def test_threads_may_change_between_solves(solver: Solver, knapsack: Milp) -> None:
    for threads in (1, 2, 1):
        outcome = solver.solve(knapsack, threads=threads)
        assert (outcome.status, outcome.objective) == (Status.OPTIMAL, 16.0)


def test_a_pool_that_others_left_behind_does_no_harm(knapsack: Milp) -> None:
    import highspy

    for threads in (1, 2):
        other = highspy.Highs()
        other.setOptionValue("output_flag", False)
        other.resetGlobalScheduler(True)
        other.setOptionValue("threads", threads)
        other.addVariable(lb=0, ub=1)
        other.run()
        assert get("highs").solve(knapsack, threads=1).objective == 16.0


def test_without_presolve(solver: Solver, knapsack: Milp) -> None:
    assert solver.solve(knapsack, presolve=False).objective == 16.0


def test_a_start_is_taken(solver: Solver) -> None:
    milp = hard(1)
    best = solver.solve(milp, limits=Limits(seconds=0.3)).solution
    assert best is not None
    value = milp.objective @ best
    outcome = solver.solve(milp, start=best, limits=Limits(nodes=1, seconds=20))
    assert outcome.objective is not None
    assert outcome.objective <= value + 1e-6


def test_an_unknown_option_is_refused(solver: Solver, knapsack: Milp) -> None:
    with pytest.raises(UsageError, match="no_such_option"):
        solver.solve(knapsack, options={"no_such_option": 1})


@pytest.mark.parametrize("limits", [Limits(seconds=-1), Limits(gap=float("nan"))])
def test_senseless_limits_are_refused(solver: Solver, knapsack: Milp, limits: Limits) -> None:
    with pytest.raises(UsageError, match="must be a number"):
        solver.solve(knapsack, limits=limits)


def test_the_instance_is_untouched(solver: Solver, knapsack: Milp) -> None:
    copy = dataclasses.replace(knapsack)
    solver.solve(knapsack)
    assert knapsack == copy


def test_licence_and_version(solver: Solver) -> None:
    assert solver.is_available()
    assert solver.license_status().ok
    assert solver.version().count(".") == 2


def test_ctrl_c_stops_a_solve(solver: Solver) -> None:
    milp = hard()
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            solver.solve(milp, limits=Limits(seconds=60))
    finally:
        timer.cancel()  # a signal after the solve would end the tests
    assert time.monotonic() - began < 30
    assert solver.solve(milp, limits=Limits(nodes=1)).status is Status.NODE_LIMIT


@pytest.mark.parametrize("sense", ["min", "max"])
def test_incumbents_lead_to_the_optimum(solver, sense):
    milp = make("setcover" if sense == "min" else "mis", seed=1, **SMALL[sense])
    outcome = solver.solve(milp, limits=Limits(gap=0.0))
    assert outcome.status is Status.OPTIMAL
    seconds = [found.seconds for found in outcome.incumbents]
    assert seconds == sorted(seconds)
    best = {"min": min, "max": max}[sense]
    assert best(found.objective for found in outcome.incumbents) == pytest.approx(outcome.objective)
    if solver.name != "highs":
        work = [found.work for found in outcome.incumbents]
        assert work == sorted(work)
        assert work[-1] <= outcome.work
