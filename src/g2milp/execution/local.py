"""Many tasks on this machine: persistent worker processes, one task at a time each.

A dead worker costs only its own task, which is tried again in a fresh one and given up after
`WorkerLimits.attempts`. Tasks are taken from their iterable as workers become free, so a million
of them need no more memory than a handful.
"""

from __future__ import annotations

from collections import deque
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from g2milp.execution import worker
from g2milp.execution.process import WorkerProcess
from g2milp.execution.task import DEFAULT_LIMITS, Done, Failed, Failure, address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from g2milp.execution.task import Result, Task, WorkerLimits

_WINDOW = 64
"""Ordered results that may wait for an earlier, slower one."""
_MEMORY_CHECK_SECONDS = 0.1


def run(
    tasks: Iterable[Task],
    function: Callable[[Any], Any],
    *,
    jobs: int = 1,
    limits: WorkerLimits = DEFAULT_LIMITS,
    ordered: bool = False,
) -> Iterator[Result]:
    """Call `function` on the payload of every task in `jobs` worker processes.

    Gives one `Done` or `Failed` for each task, as they end or, with `ordered`, in the order of the
    tasks. Closing the iterator early (also by Ctrl-C) kills the workers.
    """
    address = address_of(function)
    if not ordered:
        yield from _Pool(tasks, address, jobs, limits).results()
        return
    waiting: dict[int, Result] = {}
    following = 0
    pool = _Pool(tasks, address, jobs, limits, ahead=_WINDOW)
    for position, result in pool.numbered():
        waiting[position] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1
            pool.given_out = following


class _Pool:
    """The workers, and the tasks that they hold."""

    def __init__(
        self,
        tasks: Iterable[Task],
        address: str,
        jobs: int,
        limits: WorkerLimits,
        ahead: int | None = None,
    ) -> None:
        self._tasks = enumerate(tasks)
        self._address = address
        self._jobs = jobs
        self._limits = limits
        self._ahead = ahead
        self._next: deque[tuple[int, Task, int]] = deque()
        self._exhausted = False
        self._taken = 0
        self.given_out = 0
        self._workers: list[WorkerProcess] = []
        self._positions: dict[int, int] = {}
        self._ended: list[tuple[int, Result]] = []

    def results(self) -> Generator[Result]:
        for _, result in self.numbered():
            yield result

    def numbered(self) -> Generator[tuple[int, Result]]:
        try:
            while self._hand_out():
                self._look()
                while self._ended:
                    yield self._ended.pop(0)
        finally:
            for process in self._workers:
                process.end()
            self._workers.clear()

    def _hand_out(self) -> bool:
        """Give every free worker a task and fetch the next one; False when all is done."""
        for process in [p for p in self._workers if p.task is None]:
            if process.tasks_done >= self._limits.tasks:
                self._remove(process)
                process.end()
            elif self._fetch(1):
                self._give(process)
        while len(self._workers) < self._jobs and self._fetch(1):
            process = WorkerProcess(self._address, self._limits)
            self._workers.append(process)
            self._give(process)
        if not any(process.task for process in self._workers):
            return bool(self._ended) or bool(self._next)
        self._fetch(1)  # while the workers compute
        return True

    def _fetch(self, wanted: int) -> bool:
        """Whether there is a task at hand, taken from the iterable if need be."""
        if len(self._next) >= wanted:
            return True
        too_far = self._ahead is not None and self._taken - self.given_out >= self._ahead
        if self._exhausted or too_far:
            return False
        try:
            position, task = next(self._tasks)
        except StopIteration:
            self._exhausted = True
            return False
        self._taken += 1
        self._next.append((position, task, 1))
        return True

    def _give(self, process: WorkerProcess) -> None:
        position, task, attempt = self._next.popleft()
        self._positions[process.pid] = position
        try:
            process.give(task, attempt)
        except (BrokenPipeError, ConnectionResetError):
            self._lost(process, is_to_blame=not process.is_ready)

    def _look(self) -> None:
        """Wait for something to happen, and deal with all that has."""
        by_connection = {p.connection: p for p in self._workers if p.task is not None}
        if not by_connection:  # the last worker died while it was given its task
            return
        for connection in wait(list(by_connection), self._patience()):
            process = by_connection[connection]  # type: ignore[index]
            try:
                kind, content = process.receive()
            except (EOFError, OSError):
                self._lost(process)
                continue
            if kind != worker.READY:
                self._finished(process, kind, content)
        for process in [p for p in self._workers if p.task is not None]:
            left = process.seconds_left()
            if left is not None and left <= 0 and not process.is_ready:
                self._lost(process, f"did not start in {self._limits.start_seconds:g} s")
            elif left is not None and left <= 0:
                self._give_up(process, Failure.KILLED, "it was out of time")
            elif process.is_too_big():
                self._give_up(
                    process,
                    Failure.MEMORY,
                    f"it needed more than {self._limits.memory_mb} MB of memory",
                )

    def _patience(self) -> float | None:
        lefts = [p.seconds_left() for p in self._workers]
        known = [max(0.0, left) for left in lefts if left is not None]
        if self._limits.memory_mb is not None:
            known.append(_MEMORY_CHECK_SECONDS)
        return min(known, default=None)

    def _finished(self, process: WorkerProcess, kind: str, content: Any) -> None:
        task, attempt = process.task, process.attempt
        assert task is not None
        result: Result
        if kind == worker.VALUE:
            result = Done(task, content, attempt)
        else:
            failure = Failure.MEMORY if kind == worker.NO_MEMORY else Failure.ERROR
            result = Failed(task, failure, content, attempt, process.seconds())
        process.task = None
        process.tasks_done += 1
        self._ended.append((self._positions.pop(process.pid), result))
        if kind == worker.NO_MEMORY:  # what a library does after that is anybody's guess
            self._remove(process)
            process.end()

    def _give_up(self, process: WorkerProcess, failure: Failure, reason: str) -> None:
        task = process.task
        assert task is not None
        failed = Failed(task, failure, reason, process.attempt, process.seconds())
        self._remove(process)
        self._ended.append((self._positions.pop(process.pid), failed))
        process.end()

    def _lost(self, process: WorkerProcess, how: str = "", *, is_to_blame: bool = True) -> None:
        """The worker died: try its task again, or give it up if it is to blame too often."""
        task, attempt = process.task, process.attempt
        assert task is not None
        self._remove(process)
        position = self._positions.pop(process.pid)
        end = process.end(is_dying=not how)
        if not is_to_blame or attempt < self._limits.attempts:
            self._next.appendleft((position, task, attempt + is_to_blame))
            return
        reason = f"its worker process {how or end}, in each of {attempt} attempts"
        failed = Failed(task, Failure.CRASHED, reason, attempt, process.seconds())
        self._ended.append((position, failed))

    def _remove(self, process: WorkerProcess) -> None:
        self._workers.remove(process)
