"""Two runs with the same seeds: identical nodes, iterations and work, at the paper's sizes.

20 instances of each of MIS, SetCover and the MIK look-alike, one thread. Limits are deterministic
ones, so that the slow solvers end in minutes: the numbers say nothing about which solver is faster.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from g2milp.execution.local import run
from g2milp.execution.task import Done, Task
from g2milp.problems.registry import PROBLEMS, make_many
from g2milp.solvers.base import Limits
from g2milp.solvers.registry import available
from g2milp.solvers.solving import SolveJob, solve_job
from harness import RESULTS, record

INSTANCES = 20
FIELDS = (
    "status",
    "objective",
    "bound",
    "gap",
    "nodes",
    "lp_iterations",
    "work",
    "root_gap",
    "presolved_rows",
    "presolved_cols",
    "checked",
)
LIMITS = {
    "highs": Limits(nodes=2),
    "scip": Limits(nodes=5, iterations=2_000),
    "gurobi": Limits(work=1.0),
}


def outcomes(solver: str, milps: list[Any], jobs: int) -> list[dict[str, Any]]:
    tasks = [
        Task(
            k,
            SolveJob(
                milp=milp, solver=solver, limits=LIMITS[solver], seed=k % 3, cross_check=False
            ),
        )
        for k, milp in enumerate(milps)
    ]
    results = run(tasks, solve_job, jobs=jobs, ordered=True)
    return [
        {name: getattr(result.value, name) for name in FIELDS}
        for result in results
        if isinstance(result, Done)
    ]


def known_rows() -> dict[str, Any]:
    """What earlier calls found: problems and solvers can be run one by one."""
    path = RESULTS / "determinism.json"
    if not path.exists():
        return {}
    rows: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["results"]["table"]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--problems", nargs="+", default=["mis", "setcover", "mik"])
    parser.add_argument("--solvers", nargs="+", default=list(available()))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for problem in options.problems:
        if problem not in PROBLEMS:
            continue
        milps = list(make_many(problem, INSTANCES, 0))
        for solver in options.solvers:
            began = time.perf_counter()
            first, second = (outcomes(solver, milps, options.jobs) for _ in range(2))
            row = {
                "instances": len(first),
                "limits": {k: v for k, v in vars(LIMITS[solver]).items() if v is not None},
                "statuses": {
                    str(one["status"]): sum(x["status"] == one["status"] for x in first)
                    for one in first
                },
                "total_nodes": sum(one["nodes"] for one in first),
                "total_lp_iterations": sum(one["lp_iterations"] for one in first),
                "different": sum(a != b for a, b in zip(first, second, strict=True)),
                "seconds": round(time.perf_counter() - began, 1),
            }
            print(problem, solver, row, flush=True)
            table = {**known_rows(), f"{problem}, {solver}": row}
            record("determinism", "python benchmarks/determinism.py", {"table": table})


if __name__ == "__main__":
    main()
