from __future__ import annotations

import io

import pytest
from rich.console import Console

from g2milp.cli import output, progress


def test_without_a_terminal_there_are_few_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    clock = iter(range(0, 100_000, 1))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.progress("Solving", 100) as advance:
        for _ in range(100):
            advance(1, note="x")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "Solving: 30/100, about 70 s left; x",
        "Solving: 60/100, about 40 s left; x",
        "Solving: 90/100, about 10 s left; x",
    ]


def test_what_was_found_does_not_speed_up_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    clock = iter([0.0, *(0.001 * k for k in range(990)), 60.0, 120.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.progress("Solving", 1000) as advance:
        for _ in range(990):
            advance(found=True)
        advance()
        advance()
    assert capsys.readouterr().err.splitlines() == [
        "Solving: 991/1000, about 9 min left",
        "Solving: 992/1000, about 8 min left",
    ]


def test_short_work_says_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]):
    with progress.progress("Reading", 3) as advance:
        for _ in range(3):
            advance()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("width", [40, 80])
def test_a_bar_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int):
    buffer = io.StringIO()
    monkeypatch.setattr(
        output,
        "console",
        lambda: Console(file=buffer, width=width, force_terminal=True, color_system=None),
    )
    with progress.progress("Solving", 10, done=4) as advance:
        advance(1, note="[bold]n\x1bame[/bold].mps.gz")
    text = buffer.getvalue()
    assert "5/10" in text
    assert "0 s left" in text
    assert "n\x1bame" not in text
    if width == 80:
        assert "[bold]n\\x1bame[/bold].mps.gz" in text


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (42, "42 s"), (180, "3 min"), (7500, "2 h 05 min")]
)
def test_durations_are_words(seconds: float, words: str):
    assert progress.duration(seconds) == words
