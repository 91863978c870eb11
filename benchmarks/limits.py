"""Limits on a busy machine: same results, no overrun, memory survived, no orphans.

The load is six processes that compute for ever on a machine of two cores (three times its own).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from faults import is_alive, workers_of
from g2milp.execution.ledger import digest_of, read
from g2milp.execution.local import run
from g2milp.execution.task import Done, Task, WorkerLimits, kill_after
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make_many
from g2milp.solvers.base import Capability, Limits
from g2milp.solvers.labelling import Plan, label
from g2milp.solvers.records import KEY
from g2milp.solvers.registry import available, get
from g2milp.solvers.solving import SolveJob, solve_job
from harness import RESULTS, record

if TYPE_CHECKING:
    from collections.abc import Iterator

ORPHAN_SECONDS = 2.0
"""A worker that lives so long after its parent is an orphan; on a busy machine dying takes time."""
TIMELESS = ("status", "objective", "bound", "nodes", "lp_iterations", "work", "root_gap")


@contextmanager
def load(processes: int) -> Iterator[None]:
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def hard(seed: int) -> Milp:
    """A market split problem: equality knapsacks that no solver finishes soon."""
    rng = np.random.default_rng(seed)
    rows, cols = 4, 30
    matrix = rng.integers(0, 100, (rows, cols)).astype(float)
    slack = np.concatenate([np.eye(rows), -np.eye(rows)], axis=1)
    whole = np.hstack([matrix, slack])
    row, column = np.nonzero(whole)
    side = np.floor(matrix.sum(1) / 2)
    return Milp.build(
        objective=np.concatenate([np.zeros(cols), np.ones(2 * rows)]),
        indptr=np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))]),
        indices=column,
        values=whole[row, column],
        row_lower=side,
        row_upper=side,
        col_upper=np.concatenate([np.ones(cols), np.full(2 * rows, np.inf)]),
        kinds=np.concatenate([np.ones(cols), np.zeros(2 * rows)]),
    )


def deterministic() -> dict[str, Any]:
    """Work, node and iteration limits: the same outcome idle and loaded."""
    wanted = {
        Capability.NODE_LIMIT: Limits(nodes=200),
        Capability.WORK_LIMIT: {"gurobi": Limits(work=0.5), "scip": Limits(work=5000)},
        Capability.ITERATION_LIMIT: Limits(iterations=3000),
    }
    milps = [hard(seed) for seed in range(5)]
    found: dict[str, Any] = {}
    for solver in available():
        for capability, limits in wanted.items():
            if capability not in get(solver).capabilities:
                continue
            chosen = limits if isinstance(limits, Limits) else limits[solver]
            tasks = [
                Task(k, SolveJob(milp=milp, solver=solver, limits=chosen, cross_check=False))
                for k, milp in enumerate(milps)
            ]
            idle = outcomes(tasks)
            with load(6):
                loaded = outcomes(tasks)
            found[f"{solver}, {capability.value}"] = {
                "solves": len(milps),
                "statuses": sorted({outcome["status"] for outcome in idle}),
                "different": sum(a != b for a, b in zip(idle, loaded, strict=True)),
            }
            print(solver, capability.value, found[f"{solver}, {capability.value}"])
    return found


def outcomes(tasks: list[Task]) -> list[dict[str, Any]]:
    results = run(tasks, solve_job, jobs=2, ordered=True)
    return [
        {name: getattr(result.value, name) for name in TIMELESS}
        for result in results
        if isinstance(result, Done)
    ]


def overruns(limit: float = 1.0) -> dict[str, Any]:
    """20 hard instances, threefold load: seconds from the start of a task to its end."""
    milps = [hard(seed) for seed in range(14)]
    milps += list(make_many("setcover", 6, 0))
    found: dict[str, Any] = {}
    for solver in available():
        longest, ends = 0.0, []
        with load(6):
            for k, milp in enumerate(milps):
                job = SolveJob(
                    milp=milp, solver=solver, limits=Limits(seconds=limit), cross_check=False
                )
                began = time.perf_counter()
                (result,) = run([Task(k, job, kill_after(limit))], solve_job)
                longest = max(longest, time.perf_counter() - began)
                ends.append(
                    result.value.status.value if isinstance(result, Done) else result.failure.value
                )
        found[solver] = {
            "limit": limit,
            "allowed": kill_after(limit),
            "longest_with_start_of_the_worker": longest,
            "ends": {end: ends.count(end) for end in set(ends)},
        }
        print(solver, found[solver])
    return found


def memory(megabytes: int = 60) -> dict[str, Any]:
    """Instances that need more than the limit, between instances that do not."""
    small, big = hard(0), next(iter(make_many("setcover", 1, 0, n_rows=2000, n_cols=20000)))
    found = {}
    for solver in available():
        limits = Limits(seconds=20, memory_mb=megabytes, nodes=1)
        tasks = [
            Task(name, SolveJob(milp=milp, solver=solver, limits=limits, cross_check=False), 60)
            for name, milp in (("small", small), ("big", big), ("small again", small))
        ]
        ends = {
            r.task.key: r.value.status.value if isinstance(r, Done) else f"{r.failure}: {r.reason}"
            for r in run(tasks, solve_job, limits=WorkerLimits(memory_mb=megabytes))
        }
        found[solver] = ends
        print(solver, ends)
    return {"megabytes": megabytes, **found}


def child(ledger: Path) -> None:
    """What the signals are sent to: a run that would take minutes.

    Its solves are long, or so short that the signals meet lines that are being written.
    """
    from g2milp.execution.signals import stop_on_signals

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's `&` lets it be ignored
    is_short = ledger.name == "short"
    milps = list(make_many("mis", 100, 0, n_nodes=20)) if is_short else map(hard, range(20))
    with stop_on_signals():
        label(milps, ledger, Plan(seeds=tuple(range(300)), limits=Limits(seconds=30)), jobs=2)


def orphans(rounds: int = 100) -> dict[str, Any]:
    """INT, TERM and KILL of the parent at random moments: who is left, and after how long."""
    rng = np.random.default_rng(0)
    left = strange = torn = 0
    slowest = slowest_worker = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(rounds):
            ledger = Path(folder) / ("short" if k % 2 else "long")
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[k % 3]
            parent = subprocess.Popen(
                [sys.executable, __file__, "--child", str(ledger)], stderr=subprocess.DEVNULL
            )
            children: list[int] = []
            started = time.perf_counter()
            while len(children) < 2 and time.perf_counter() - started < 60:
                time.sleep(0.01)
                children = workers_of(parent.pid)
            time.sleep(rng.uniform(0, 1.0))
            children = sorted({*children, *workers_of(parent.pid)})
            began = time.perf_counter()
            os.kill(parent.pid, number)
            parent.wait()
            gone = time.perf_counter()
            slowest = max(slowest, gone - began)
            while any(map(is_alive, children)) and time.perf_counter() - gone < ORPHAN_SECONDS:
                time.sleep(0.01)
            slowest_worker = max(slowest_worker, time.perf_counter() - gone)
            left += sum(map(is_alive, children))
            strange += len(children) != 2
            for file in ledger.glob("*.jsonl"):
                text = file.read_text(encoding="utf-8")
                torn += bool(text) and not text.endswith("\n")
        lines = [record for name in ("short", "long") for record in read(Path(folder) / name)]
    found = {
        "signals": rounds,
        "orphans": left,
        "slowest_exit_seconds": slowest,
        "slowest_worker_after_its_parent_seconds": slowest_worker,
        "rounds_that_ended_in_a_torn_line": torn,
        "rounds_without_two_workers": strange,
        "lines_kept": len(lines),
        "lines_twice": len(lines) - len({digest_of(line, KEY) for line in lines}),
    }
    print(found)
    return found


PARTS = {"deterministic": deterministic, "overruns": overruns, "memory": memory, "orphans": orphans}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--child", type=Path)
    parser.add_argument("--only", choices=list(PARTS))
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return
    path = RESULTS / "limits.json"
    results = json.loads(path.read_text(encoding="utf-8"))["results"] if path.exists() else {}
    for name, part in PARTS.items():
        if options.only in (None, name):
            results[name] = part()
            record("limits", "python benchmarks/limits.py", results)


if __name__ == "__main__":
    main()
