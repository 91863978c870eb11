"""How far the work is: a bar with the time left on a terminal, a rare line elsewhere.

A log file or a CI page gets a line every half minute instead of a thousand redrawn bars.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from g2milp.cli import output

SECONDS_BETWEEN_LINES = 30.0

Advance = Callable[..., None]


@contextmanager
def progress(what: str, total: int | None, *, done: int = 0) -> Iterator[Advance]:
    """Follow `total` items; the value given is ``advance(items=1, note="", found=False)``.

    `done` items were finished by an earlier run and do not count for the time left, nor do those
    that turn out to be there already (`found`).
    """
    terminal = output.console()
    if terminal.is_terminal:
        with _bar(what, total, done) as advance:
            yield advance
    else:
        yield _lines(what, total, done)


@contextmanager
def _bar(what: str, total: int | None, done: int) -> Iterator[Advance]:
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.text import Text

    terminal = output.console()
    columns: list[TextColumn | BarColumn | MofNCompleteColumn] = [
        TextColumn("{task.description}"),
        BarColumn(bar_width=None if terminal.width < 60 else 30),
        MofNCompleteColumn(),
        TextColumn("[cyan]{task.fields[left]}"),
    ]
    if terminal.width >= 60:
        columns.append(TextColumn("[dim]{task.fields[note]}"))
    with Progress(*columns, console=terminal, transient=True) as shown:
        label = Text(output.visible(what))
        label.truncate(max(terminal.width - 28, 8), overflow="ellipsis")
        task = shown.add_task(escape(label.plain), total=total, completed=done, note="", left="")
        pace = _Pace(total, done)

        def advance(items: int = 1, note: str = "", *, found: bool = False) -> None:
            pace.count(items, found=found)
            left = pace.seconds_left()
            words = "" if left is None else f"{duration(left)} left"
            shown.update(task, advance=items, note=escape(output.visible(note)), left=words)

        yield advance


def _lines(what: str, total: int | None, done: int) -> Advance:
    pace = _Pace(total, done)
    last = pace.started

    def advance(items: int = 1, note: str = "", *, found: bool = False) -> None:
        nonlocal last
        pace.count(items, found=found)
        if pace.now - last < SECONDS_BETWEEN_LINES:
            return
        last = pace.now
        of = f"/{total}" if total else ""
        seconds = pace.seconds_left()
        left = "" if seconds is None else f", about {duration(seconds)} left"
        words = f"; {note}" if note else ""
        output.say(f"{what}: {pace.finished}{of}{left}{words}")

    return advance


class _Pace:
    """How many items are finished, and how long the rest takes at the pace of those done here."""

    def __init__(self, total: int | None, done: int) -> None:
        self._total = total
        self._done_here = 0
        self.finished = done
        self.started = self.now = time.monotonic()

    def count(self, items: int, *, found: bool) -> None:
        """So many more items are finished; those found took no time worth counting."""
        self.finished += items
        self._done_here += 0 if found else items
        self.now = time.monotonic()

    def seconds_left(self) -> float | None:
        """None while nothing is known."""
        if not self._total or not self._done_here:
            return None
        left = max(0, self._total - self.finished)
        return left * (self.now - self.started) / self._done_here


def duration(seconds: float) -> str:
    """Seconds in words: 42 s, 3 min, 2 h 05 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
