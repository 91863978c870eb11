"""What isolation costs: 500 tiny solves in this process and in one supervised worker process."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from g2milp.execution.local import run
from g2milp.execution.task import Task
from g2milp.solvers.base import Limits
from g2milp.solvers.labelling import Plan, label
from g2milp.solvers.solving import SolveJob, solve_job
from harness import record
from labels import tiny

TASKS, ROUNDS = 500, 5


def main() -> None:
    milps = [tiny(seed, badly_scaled=False) for seed in range(TASKS)]
    limits = Limits(seconds=60)
    jobs = [SolveJob(milp=milp, limits=limits, cross_check=False) for milp in milps]
    seconds: dict[str, list[float]] = {"in_process": [], "one_worker": [], "with_ledger": []}
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for job in jobs:
            solve_job(job)
        seconds["in_process"].append(time.perf_counter() - began)
        began = time.perf_counter()
        for _result in run((Task(k, job, 100) for k, job in enumerate(jobs)), solve_job):
            pass
        seconds["one_worker"].append(time.perf_counter() - began)
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            plan = Plan(seeds=(0,), limits=limits, cross_check=None)
            label(milps, Path(folder) / "ledger", plan)
            seconds["with_ledger"].append(time.perf_counter() - began)
    base = min(seconds["in_process"])
    results = {
        "tasks": TASKS,
        "seconds": seconds,
        "overhead_ms_per_task": {
            name: {
                "best": 1000 * (min(values) - base) / TASKS,
                "median": 1000 * (statistics.median(values) - base) / TASKS,
            }
            for name, values in seconds.items()
            if name != "in_process"
        },
    }
    print(results)
    record("solving_overhead", "python benchmarks/solving_overhead.py", results)


if __name__ == "__main__":
    main()
