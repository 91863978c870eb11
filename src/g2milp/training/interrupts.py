"""Ctrl-C and TERM are noticed between two steps, so that no step is left half done."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


class StopRequest:
    """Whether a signal has come."""

    def __init__(self) -> None:
        self.signal: int | None = None

    def __bool__(self) -> bool:
        return self.signal is not None


@contextlib.contextmanager
def deferred_stop() -> Iterator[StopRequest]:
    """The first SIGINT, SIGTERM or SIGHUP sets the request, the second interrupts at once.

    Only the main thread receives signals; in any other this does nothing.
    """
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return

    def notice(number: int, _frame: FrameType | None) -> None:
        if request:
            raise KeyboardInterrupt
        request.signal = number

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, notice) for number in numbers}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
