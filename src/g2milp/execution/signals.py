"""TERM and HUP end a long command as Ctrl-C does: workers die, finished work is kept."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_LIKE_CTRL_C = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGTERM and SIGHUP, too; a second signal ends the process at once.

    Only the main thread receives signals; in any other this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in _LIKE_CTRL_C}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
