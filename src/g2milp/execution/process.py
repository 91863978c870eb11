"""The parent's view of one worker process: start it, hand it a task, watch it, end it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.execution import worker

if TYPE_CHECKING:
    from g2milp.execution.task import Task, WorkerLimits

_ENVIRONMENT = {
    # One compute thread a worker: jobs are what fills the cores.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


class WorkerProcess:
    """One child in a process group of its own, with nothing but the pipe open.

    The clock of a task starts when the worker is ready for it, not while it imports its libraries.
    """

    def __init__(self, address: str, limits: WorkerLimits) -> None:
        self._limits = limits
        self.connection, theirs = worker.socket_pair()
        arguments = (str(theirs), str(os.getpid()), address, str(limits.memory_mb or 0))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _start_code(), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs,),
                start_new_session=True,
                env={**os.environ, **_ENVIRONMENT},
            )
        finally:
            os.close(theirs)
        self.task: Task | None = None
        self.attempt = 0
        self.tasks_done = 0
        self._idle_mb: float | None = None
        self.is_ready = False
        self._since = time.monotonic()

    @property
    def pid(self) -> int:
        """The process id, also that of the process group."""
        return self._process.pid

    def give(self, task: Task, attempt: int) -> None:
        """Send a task; the worker may still be starting."""
        self.task, self.attempt = task, attempt
        if self.is_ready:
            self._since = time.monotonic()
        payload = task.payload
        if attempt > 1 and task.second_payload is not None:
            payload = task.second_payload
        self.connection.send(payload)

    def receive(self) -> tuple[str, Any]:
        """The next message; raises EOFError or OSError when the worker is dead."""
        kind, content = self.connection.recv()
        if kind == worker.READY:
            self.is_ready = True
            self._since = time.monotonic()
            self._idle_mb = self.resident_mb()
        return kind, content

    def seconds(self) -> float:
        """Since the task was given or the worker was ready for it."""
        return time.monotonic() - self._since

    def seconds_left(self) -> float | None:
        """Until this worker must be killed; None while it may go on for ever."""
        if self.task is None:
            return None
        allowed = self.task.seconds if self.is_ready else self._limits.start_seconds
        return None if allowed is None else self._since + allowed - time.monotonic()

    def is_too_big(self) -> bool:
        """Whether the task has taken more memory than it may."""
        if self._limits.memory_mb is None or self._idle_mb is None or self.task is None:
            return False
        return self.resident_mb() - self._idle_mb > self._limits.memory_mb

    def resident_mb(self) -> float:
        """Resident memory now; 0 where the system does not tell or the process is gone."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        except (OSError, IndexError, ValueError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def end(self, *, is_dying: bool = False) -> str:
        """Kill the whole group and say how the process ended before that."""
        code = self._grace() if is_dying else self._process.poll()
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        self.connection.close()
        if code is None:
            return "was killed by us"
        if code < 0:
            return f"died of {signal.Signals(-code).name}"
        return f"exited with code {code}"

    def _grace(self) -> int | None:
        """A dying process closes its pipe a moment before it can be waited for."""
        try:
            return self._process.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            return None


def _start_code() -> str:
    """Like ``-m g2milp.execution.worker``, with the import path of this process."""
    return (
        f"import sys; sys.path[:] = {sys.path!r}; "
        "from g2milp.execution.worker import main; sys.exit(main(sys.argv[1:]))"
    )
