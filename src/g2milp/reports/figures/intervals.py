"""Values with their 95 % intervals, one line each: scores, ratios, AUC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from g2milp.reports.figures.axis import Axis
from g2milp.reports.figures.drawing import WIDTH, Drawing, Figure
from g2milp.reports.text import shortened, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW, TOP, SIDE = 40.0, 2.0, 7.0
LABEL = 34


@dataclass(frozen=True)
class Mark:
    """One value; `style` is its colour class, `shown` its number as text."""

    label: str
    value: float
    low: float
    high: float
    style: str
    shown: str


def intervals(
    title: str,
    marks: Sequence[Mark],
    axis: tuple[float, float],
    *,
    log: bool = False,
    line_at: float | None = None,
) -> Figure:
    """Dots with whiskers on a common axis; `line_at` is a value to compare with."""
    height = TOP + ROW * len(marks) + 24
    base = height - 22
    drawing = Drawing(height)
    scale = Axis(*axis, SIDE, WIDTH - SIDE, log)
    for value, label in scale.ticks(5):
        x = scale(value)
        drawing.line(x, base - 4, x, base, "grid")
        drawing.text(x, base + 16, label, "tick", _anchor(x))
    for i, mark in enumerate(marks):
        y = TOP + ROW * i
        drawing.text(0, y + 13, shortened(visible(mark.label), LABEL), "label")
        drawing.text(WIDTH, y + 13, mark.shown, "value", "end")
        drawing.line(SIDE, y + 26, WIDTH - SIDE, y + 26, "track")
        if line_at is not None:  # in pieces, so that it crosses no label
            drawing.line(scale(line_at), y + 18, scale(line_at), y + 34, "reference")
        drawing.line(scale(mark.low), y + 26, scale(mark.high), y + 26, f"whisker {mark.style}")
        drawing.dots([(scale(mark.value), y + 26)], f"large {mark.style}")
    words = "; ".join(f"{mark.label}: {mark.shown}" for mark in marks)
    return drawing.figure(title, f"{words}.")


def _anchor(x: float) -> str:
    return "start" if x < 30 else "end" if x > WIDTH - 30 else "middle"
