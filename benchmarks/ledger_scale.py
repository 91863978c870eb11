"""100,000 tasks that do nothing, through two workers and a ledger: seconds and memory."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from g2milp.execution.ledger import Ledger, merged
from g2milp.execution.local import run
from g2milp.execution.task import Task
from harness import record

TASKS = 100_000


def nothing(number: int) -> int:
    return number


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    from ledger_scale import nothing as importable

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger"
        before, most = resident_mb(), 0.0
        at: dict[int, float] = {}
        began = time.perf_counter()
        with Ledger(path, ("number",)) as ledger:
            tasks = (Task(k, k) for k in range(TASKS))
            for done, result in enumerate(run(tasks, importable, jobs=2), 1):
                ledger.append({"number": result.value, "status": "optimal", "schema_version": 1})
                if done % 10_000 == 0:
                    at[done] = resident_mb() - before
                    most = max(most, at[done])
        seconds = time.perf_counter() - began
        began = time.perf_counter()
        with Ledger(path, ("number",)) as ledger:
            again = sum({"number": k} in ledger for k in range(TASKS))
        results = {
            "tasks": TASKS,
            "seconds": seconds,
            "lines": sum(1 for _ in merged(path, ("number",))),
            "resume_finds": again,
            "resume_seconds": time.perf_counter() - began,
            "parent_mb_added": most,
            "parent_mb_added_at": at,
        }
    print(results)
    record("ledger_scale", "python benchmarks/ledger_scale.py", results)


if __name__ == "__main__":
    main()
