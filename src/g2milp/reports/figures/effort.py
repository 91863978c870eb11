"""How much effort instances take: the share that is solved within a given effort.

    F(t) = 1 − S(t),  S by Kaplan–Meier: a solve that was cut off stays unsolved from there on

The line of generated instances is dashed. Crosses mark the efforts at which solves were cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.hardness.survival import survival
from g2milp.evaluation.numbers import number, percent
from g2milp.reports.figures.axis import Axis
from g2milp.reports.figures.drawing import WIDTH, Drawing, Figure

if TYPE_CHECKING:
    from g2milp.evaluation.hardness.records import Efforts

HEIGHT, TOP, BASE, LEFT, SIDE = 196.0, 8.0, 158.0, 36.0, 10.0
QUANTILES = 200
SMALLEST = 1e-7
"""The axis begins at this share of the largest effort at the earliest."""


def effort_curves(title: str, measure: str, real: Efforts, made: Efforts) -> Figure:
    """Both sets on one logarithmic axis; an effort of zero stands at its start."""
    drawing = Drawing(HEIGHT)
    efforts = np.concatenate([real.values, made.values])
    positive = efforts[efforts > 0]
    low = float(positive.min()) if positive.size else 1.0
    low = max(low, float(efforts.max()) * SMALLEST)
    high = max(float(efforts.max()), low * 1.5)
    axis = Axis(low / 1.15, high * 1.15, LEFT, WIDTH - SIDE, True)
    up = Axis(0.0, 1.0, BASE, TOP)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        drawing.line(LEFT, up(share), WIDTH - SIDE, up(share), "grid" if share else "axis")
        drawing.text(LEFT - 5, up(share) + 4, f"{100 * share:.0f} %", "tick", "end")
    for value, label in axis.ticks(5):
        drawing.line(axis(value), BASE, axis(value), BASE + 4, "axis")
        drawing.text(axis(value), BASE + 17, label, "tick", "middle")
    drawing.text(WIDTH - SIDE, BASE + 33, measure.replace("_", " "), "tick", "end")
    for efforts_of, style in ((real, "real"), (made, "made dashed")):
        _curve(drawing, axis, up, efforts_of, style)
    return drawing.figure(title, f"{_words('real', real)}; {_words('generated', made)}.")


def _curve(drawing: Drawing, axis: Axis, up: Axis, efforts: Efforts, style: str) -> None:
    times, running = survival(efforts.values, efforts.censored)
    if times.size > QUANTILES:
        kept = np.unique(np.linspace(0, times.size - 1, QUANTILES).astype(np.int64))
        times, running = times[kept], running[kept]
    points, level = [(axis.start, up(0.0))], 0.0
    for time, share in zip(times.tolist(), (1.0 - running).tolist(), strict=True):
        points += [(axis(time), up(level)), (axis(time), up(share))]
        level = share
    points.append((axis(float(efforts.values.max())), up(level)))
    drawing.steps(points, f"line {style}")
    cut = np.unique(efforts.values[efforts.censored])[:QUANTILES]
    for value in cut.tolist():
        done = int(np.searchsorted(times, value, "right"))
        y = up(1.0 - float(running[done - 1]) if done else 0.0)
        x = axis(value)
        drawing.path(f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8", f"line {style}")


def _words(name: str, efforts: Efforts) -> str:
    times, running = survival(efforts.values, efforts.censored)
    reached = np.flatnonzero(running <= 0.5 + 1e-12)
    half = (
        f"half solved within {number(float(times[reached[0]]))}"
        if reached.size
        else ("fewer than half solved")
    )
    cut = float(efforts.censored.mean())
    return f"{name}: {efforts.values.size} instances, {half}, {percent(cut)} cut off by a limit"
