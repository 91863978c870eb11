"""The map: each instance a dot, near ones alike; real, generated, and Random to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.reports.figures.axis import Axis
from g2milp.reports.figures.drawing import WIDTH, Drawing, Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HEIGHT, SIDE = 300.0, 10.0
LARGE = 150
"""Sets with more instances get smaller dots."""


def scatter(title: str, words: str, clouds: Sequence[tuple[str, Floats]]) -> Figure:
    """Draw clouds of points in the plane, the first lowest; names are the style classes."""
    drawing = Drawing(HEIGHT)
    every = np.concatenate([points for _, points in clouds])
    low, high = every.min(axis=0), every.max(axis=0)
    across = Axis(float(low[0]), float(high[0]), SIDE, WIDTH - SIDE)
    down = Axis(float(low[1]), float(high[1]), HEIGHT - SIDE, SIDE)
    drawing.rectangle(0, 0, WIDTH, HEIGHT, "frame")
    small = " small" if len(every) > 2 * LARGE else ""
    for style, points in clouds:
        placed = [(across(float(x)), down(float(y))) for x, y in points]
        drawing.dots(placed, f"{style}{small}")
    return drawing.figure(title, words)
