"""TERM and HUP are as good as Ctrl-C, but only for as long as it matters."""

from __future__ import annotations

import signal
import threading

import pytest

from g2milp.execution.signals import stop_on_signals


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_interrupts(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with stop_on_signals(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert signal.getsignal(number) == before


def test_the_second_one_is_not_caught() -> None:
    with stop_on_signals():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_other_threads_are_left_alone() -> None:
    seen = []

    def enter() -> None:
        with stop_on_signals():
            seen.append(signal.getsignal(signal.SIGTERM))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [before]
