"""What all benchmarks share: timing side by side, and results with the machine they were made on.

A benchmark is a script: ``python benchmarks/<topic>.py`` measures and writes
``results/benchmarks/<topic>.json``. Rivals are timed in turns in one process, since machines are
noisy: read the ratios, not the seconds.
"""

from __future__ import annotations

import json
import os
import platform
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RESULTS = Path(__file__).resolve().parent.parent / "results" / "benchmarks"
PACKAGES = ("g2milp", "numpy", "scipy", "torch", "highspy", "pyscipopt", "gurobipy")


def best_of(rounds: int, **contestants: Callable[[], object]) -> dict[str, float]:
    """Seconds of the fastest of `rounds` calls of each contestant, called in turns."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, call in contestants.items():
            start = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def environment() -> dict[str, Any]:
    """The machine and the versions that a result belongs to."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(x, 2) for x in os.getloadavg()],
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": versions,
    }


def record(topic: str, command: str, results: Mapping[str, Any]) -> Path:
    """Write ``results/benchmarks/<topic>.json``: the command, the environment, the results."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{topic}.json"
    content = {"command": command, "environment": environment(), "results": results}
    path.write_text(json.dumps(content, indent=2, sort_keys=False) + "\n", encoding="utf-8")
    return path


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor()
