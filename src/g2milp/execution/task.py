"""A task and what can become of it: the words of this room.

A task is an importable function with one argument. Whatever happens to the process that runs it,
the task ends in exactly one of `Done` and `Failed`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Task:
    """One piece of work.

    Attributes
    ----------
    key
        What the caller calls it; names it in messages.
    payload
        The argument of the function.
    seconds
        The worker is killed when the task takes longer; None lets it take for ever.
    second_payload
        What to try with after a crash, where that is not the same.
    """

    key: Any
    payload: Any = field(repr=False)
    seconds: float | None = None
    second_payload: Any = field(default=None, repr=False)


@dataclass(frozen=True)
class Done:
    """The function returned `value`."""

    task: Task
    value: Any
    attempts: int = 1


class Failure(enum.StrEnum):
    """Why a task has no value."""

    ERROR = "error"  # the function raised
    CRASHED = "crashed"  # the process died in every attempt: signal, exit
    KILLED = "killed"  # we killed the process: it was out of time
    MEMORY = "memory"  # it needed more memory than allowed


@dataclass(frozen=True)
class Failed:
    """The task has no value; `reason` says in words why not."""

    task: Task
    failure: Failure
    reason: str
    attempts: int = 1
    seconds: float = 0.0


Result: TypeAlias = Done | Failed


@dataclass(frozen=True, kw_only=True)
class WorkerLimits:
    """How a worker process is kept in bounds.

    Attributes
    ----------
    memory_mb
        Resident memory that a task may add to the idle worker.
    attempts
        A task is given up after so many dead workers.
    tasks
        A worker is replaced after so many tasks, since solvers leak.
    start_seconds
        A worker that has not reported by then is taken as dead.
    """

    memory_mb: int | None = None
    attempts: int = 2
    tasks: int = 1000
    start_seconds: float = 120.0


DEFAULT_LIMITS = WorkerLimits()


def kill_after(limit: float | None) -> float | None:
    """When to kill a task that has a time limit of its own: 1.5 limit + 10 s.

    Solvers look at the clock between steps, and a step is long on a busy machine.
    """
    return None if limit is None else 1.5 * limit + 10.0


def address_of(function: Callable[[Any], Any]) -> str:
    """``module:name`` of a function at the top level of an importable module."""
    name, module = function.__qualname__, function.__module__
    if "<" in name or "." in name or module == "__main__":
        raise UsageError(
            f"{module}:{name} cannot run in a worker process",
            hint="Use a function at the top level of a module that can be imported.",
        )
    return f"{module}:{name}"
