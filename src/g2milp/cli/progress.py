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
    """Follow `total` items; the value given is ``advance(items=1, note="")``.

    `done` items were finished by an earlier run and do not count for the time left.
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
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    terminal = output.console()
    columns: list[TextColumn | BarColumn | MofNCompleteColumn | TimeRemainingColumn] = [
        TextColumn("{task.description}"),
        BarColumn(bar_width=None if terminal.width < 60 else 30),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    ]
    if terminal.width >= 60:
        columns.append(TextColumn("[dim]{task.fields[note]}"))
    with Progress(*columns, console=terminal, transient=True) as shown:
        label = Text(output.visible(what))
        label.truncate(max(terminal.width - 28, 8), overflow="ellipsis")
        task = shown.add_task(escape(label.plain), total=total, completed=done, note="")

        def advance(items: int = 1, note: str = "") -> None:
            shown.update(task, advance=items, note=escape(output.visible(note)))

        yield advance


def _lines(what: str, total: int | None, done: int) -> Advance:
    started = last = time.monotonic()
    finished = done

    def advance(items: int = 1, note: str = "") -> None:
        nonlocal finished, last
        finished += items
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_LINES:
            return
        last = now
        of = f"/{total}" if total else ""
        rate = (finished - done) / (now - started)
        left = f", about {duration((total - finished) / rate)} left" if total and rate else ""
        words = f"; {note}" if note else ""
        output.say(f"{what}: {finished}{of}{left}{words}")

    return advance


def duration(seconds: float) -> str:
    """Seconds in words: 42 s, 3 min, 2 h 05 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
