"""Shares of a whole as one bar, each part with its name and per cent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from g2milp.evaluation.numbers import percent
from g2milp.reports.figures.drawing import WIDTH, Drawing, Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

HEIGHT, BAR, SIDE = 30.0, 20.0, 1.0


@dataclass(frozen=True)
class Part:
    """A share; `style` is its colour class."""

    name: str
    share: float
    style: str


def shares(title: str, parts: Sequence[Part]) -> Figure:
    """Draw parts that sum to 1 from left to right."""
    drawing = Drawing(HEIGHT)
    at, whole = SIDE, WIDTH - 2 * SIDE
    for part in parts:
        width = whole * part.share
        if width > 0:
            drawing.rectangle(at, 5, width, BAR, f"part {part.style}")
        at += width
    drawing.rectangle(SIDE, 5, whole, BAR, "frame")
    words = ", ".join(f"{part.name} {percent(part.share)}" for part in parts)
    return drawing.figure(title, f"{words}.")
