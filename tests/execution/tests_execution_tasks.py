"""Functions for the workers of these tests to run: they compute, fail, die, hang and swell."""

from __future__ import annotations

import os
import signal
import sys
import time


def double(x: int) -> int:
    return 2 * x


def misbehave(what: str) -> object:
    if what == "raise":
        raise ValueError("no such thing")
    if what == "exit":
        os._exit(7)
    if what == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "hang":
        time.sleep(1000)
    if what == "swell":
        return sum(len(bytearray(10_000_000)) for _ in iter(_hoard, None))
    if what == "print":
        sys.stdout.write("noise")
        os.write(1, b"more noise")
        os.write(2, b"complaints")
    if what == "pid":
        return os.getpid()
    if what == "stdin":
        return sys.stdin.read()
    return what


_kept: list[bytearray] = []


def _hoard() -> bool:
    _kept.append(bytearray(os.urandom(1000) * 10_000))
    time.sleep(0.01)
    return True


def slow_first(x: int) -> int:
    time.sleep(0.3 if x == 0 else 0.0)
    return x


def nap(x: object) -> object:
    if x == "dies":
        os._exit(3)
    time.sleep(0.3)
    return 2 * x  # type: ignore[operator]
