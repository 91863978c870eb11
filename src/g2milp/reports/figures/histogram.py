"""One statistic, real against generated, as shares of the instances.

Real is a filled shape, generated a line over it: they are told apart without colour, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.numbers import number
from g2milp.reports.figures.axis import Axis
from g2milp.reports.figures.drawing import WIDTH, Drawing, Figure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BINS = 24
HEIGHT, TOP, BASE, SIDE = 118.0, 8.0, 96.0, 8.0


@dataclass(frozen=True, eq=False)
class Counts:
    """Shares of both sets in common bins; `beyond` instances lie outside of them."""

    edges: Floats
    real: Floats
    made: Floats
    beyond: int


def histogram(title: str, real: Floats, made: Floats) -> Figure:
    """Draw both sets."""
    words = f"real: {_spread(real)}; generated: {_spread(made)}."
    counts = count(real, made)
    drawing = Drawing(HEIGHT)
    axis = Axis(float(counts.edges[0]), float(counts.edges[-1]), SIDE, WIDTH - SIDE)
    top = max(float(counts.real.max()), float(counts.made.max()), 1e-12)
    height = (BASE - TOP) / top
    outline = _outline(axis, counts.edges, counts.real * height)
    drawing.steps(outline, "fill real")
    drawing.steps(outline, "thin real")
    drawing.steps(_outline(axis, counts.edges, counts.made * height), "line made")
    drawing.line(SIDE, BASE, WIDTH - SIDE, BASE, "axis")
    for value, label in axis.ticks(4):
        x = axis(value)
        drawing.line(x, BASE, x, BASE + 4, "axis")
        anchor = "start" if x < 24 else "end" if x > WIDTH - 24 else "middle"
        drawing.text(x, BASE + 17, label, "tick", anchor)
    if counts.beyond:
        words += f" {counts.beyond} instances lie beyond the axis and are in the outermost bars."
    return drawing.figure(f"Histogram of {title}", words)


def count(real: Floats, made: Floats) -> Counts:
    """Bins of equal width; extreme values are put into the outermost ones."""
    real, made = real[np.isfinite(real)], made[np.isfinite(made)]
    both = np.concatenate([real, made])
    if not both.size:
        return Counts(np.array([0.0, 1.0]), np.zeros(1), np.zeros(1), 0)
    low, high = _range(both)
    edges = _edges(low, high, both)
    beyond = int(np.count_nonzero((both < edges[0]) | (both > edges[-1])))
    return Counts(edges, _shares(real, edges), _shares(made, edges), beyond)


def _range(values: Floats) -> tuple[float, float]:
    low, high = np.quantile(values, [0.01, 0.99])
    reach = high - low
    if reach == 0:
        return float(values.min()), float(values.max())
    return float(max(values.min(), low - reach)), float(min(values.max(), high + reach))


def _edges(low: float, high: float, values: Floats) -> Floats:
    if high - low <= 1e-9 * max(1.0, abs(low)):
        around = max(0.5, abs(low) * 0.05)
        return np.linspace(low - around, high + around, 10)
    if high - low < BINS and bool((values == np.round(values)).all()):
        return np.arange(low - 0.5, high + 1.0, dtype=np.float64)
    return np.linspace(low, high, BINS + 1)


def _shares(values: Floats, edges: Floats) -> Floats:
    inside = np.clip(values, edges[0], edges[-1])
    shares: Floats = np.histogram(inside, edges)[0] / max(1, values.size)
    return shares


def _outline(axis: Axis, edges: Floats, heights: Floats) -> list[tuple[float, float]]:
    points = [(axis(float(edges[0])), BASE)]
    for left, right, height in zip(edges[:-1], edges[1:], heights, strict=True):
        points += [(axis(float(left)), BASE - height), (axis(float(right)), BASE - height)]
    points.append((axis(float(edges[-1])), BASE))
    return [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]


def _spread(values: Floats) -> str:
    known = values[np.isfinite(values)]
    if not known.size:
        return "no value"
    if np.ptp(known) == 0:
        return f"always {number(float(known[0]))}"
    low, middle, high = (number(float(q)) for q in np.quantile(known, [0.05, 0.5, 0.95]))
    return f"median {middle}, nine tenths from {low} to {high}"
