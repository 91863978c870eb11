"""The child process: receives payloads over one pipe, calls one function, sends values back.

It is started as a program of its own rather than through `multiprocessing`: nothing is forked (a
child forked after a two-thread solve hangs) and the caller's main module is not run a second time.
Messages are pickled by `multiprocessing.connection`. That is safe here: both ends are our own
processes, joined by an inherited socket that has no name; nothing pickled is read from a file.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
import threading
import time
from importlib import import_module
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
READY, VALUE, RAISED, NO_MEMORY = "ready", "value", "raised", "no memory"


def main(arguments: list[str]) -> int:
    """Serve until the parent hangs up. Arguments: socket, parent, function, memory in MB or 0."""
    descriptor, parent, address, memory_mb = arguments
    die_with(int(parent))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(os.dup(int(descriptor)))
    os.close(int(descriptor))
    function = _load(address)
    _bound_memory(int(memory_mb))
    try:
        connection.send((READY, None))
        while True:
            connection.send(_answer(function, connection.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return 0


def die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent dies, however it dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the kernel was told
            os._exit(1)
    else:
        threading.Thread(target=_die_when_orphaned, args=(parent,), daemon=True).start()


def _die_when_orphaned(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _load(address: str) -> Callable[[Any], Any]:
    module, _, name = address.partition(":")
    function: Callable[[Any], Any] = getattr(import_module(module), name)
    return function


def _bound_memory(memory_mb: int) -> None:
    """A net under the parent's watch: twice the allowance of address space, and no core files."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_mb and sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - not a real file
            used = int(file.read().split()[0]) * resource.getpagesize()
        most = used + 2 * memory_mb * 1_000_000 + 500_000_000
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _answer(function: Callable[[Any], Any], payload: Any) -> tuple[str, Any]:
    try:
        return VALUE, function(payload)
    except MemoryError:
        return NO_MEMORY, "it ran out of memory"
    except Exception as error:  # noqa: BLE001 - whatever the task raises is its result
        message = str(error)
        return RAISED, f"{type(error).__name__}: {message}" if message else type(error).__name__


def socket_pair() -> tuple[Connection, int]:
    """The parent's end, and the descriptor that the child inherits."""
    ours, theirs = socket.socketpair()
    with contextlib.closing(ours):
        return Connection(os.dup(ours.fileno())), theirs.detach()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
