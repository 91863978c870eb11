"""One writer a run folder: an advisory lock that the kernel drops when the process dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
from typing import TYPE_CHECKING

from g2milp.errors import AlreadyExists

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK_NAME = ".lock"


@contextlib.contextmanager
def run_lock(folder: Path) -> Iterator[None]:
    """Hold the folder for the length of the block; refuse if another process does."""
    path = folder / LOCK_NAME
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(handle, 200).decode(errors="replace").strip() or "another process"
            os.close(handle)
            raise AlreadyExists(
                f"{folder} is being written by {holder}",
                hint="Wait for it, stop it, or give another folder.",
            ) from error
        if _is_still(path, handle):
            break
        os.close(handle)
    try:
        os.ftruncate(handle, 0)
        os.write(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)


def _is_still(path: Path, handle: int) -> bool:
    """Whether the locked file is the one that the name leads to."""
    try:
        return path.stat().st_ino == os.fstat(handle).st_ino
    except FileNotFoundError:
        return False
