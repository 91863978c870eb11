"""Where tasks run, by name: this machine, or a Ray cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from g2milp.errors import UsageError
from g2milp.execution.task import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from g2milp.execution.task import Result, Task, WorkerLimits

ENGINES = ("local", "ray")


def run_on(
    engine: str,
    tasks: Iterable[Task],
    function: Callable[[Any], Any],
    *,
    jobs: int | None = None,
    limits: WorkerLimits = DEFAULT_LIMITS,
    address: str | None = None,
) -> Iterator[Result]:
    """Run tasks on the engine of this name; both give the same results.

    `jobs` are worker processes, on Ray the most tasks at a time (None: all cores of the cluster).
    """
    if engine == "local":
        if address is not None:
            raise UsageError("an address belongs to the engine ray")
        from g2milp.execution.local import run

        return run(tasks, function, jobs=jobs or 1, limits=limits)
    if engine == "ray":
        from g2milp.execution.ray_engine import run_on_ray

        return run_on_ray(tasks, function, jobs=jobs, limits=limits, address=address)
    raise UsageError(f"no engine is called {engine!r}", hint=f"Choose from {', '.join(ENGINES)}.")
