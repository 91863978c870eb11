"""The map: each instance a mark, near ones alike; real, generated, and Random to compare.

Marks differ in shape, too: real ones are dots, generated ones diamonds, Random's are crosses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.reports.figures.axis import Axis
from g2milp.reports.figures.drawing import WIDTH, Drawing, Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HEIGHT, SIDE = 300.0, 12.0
LARGE = 300
"""With more instances than this the marks are smaller."""
SHAPES = {
    "made": "m0 -{r}l{r} {r}l-{r} {r}l-{r} -{r}z",
    "random": "m-{r} -{r}l{d} {d}m0 -{d}l-{d} {d}",
}


def scatter(title: str, words: str, clouds: Sequence[tuple[str, Floats]]) -> Figure:
    """Draw clouds of points in the plane, the first lowest; names are the style classes."""
    drawing = Drawing(HEIGHT)
    every = np.concatenate([points for _, points in clouds])
    low, high = every.min(axis=0), every.max(axis=0)
    across = Axis(float(low[0]), float(high[0]), SIDE, WIDTH - SIDE)
    down = Axis(float(low[1]), float(high[1]), HEIGHT - SIDE, SIDE)
    drawing.rectangle(0, 0, WIDTH, HEIGHT, "frame")
    size = 2.4 if len(every) > LARGE else 3.4
    small = " small" if len(every) > LARGE else ""
    for style, points in clouds:
        placed = [(across(float(x)), down(float(y))) for x, y in points]
        shape = SHAPES.get(style, "")
        if shape:
            drawing.marks(placed, style, shape.format(r=f"{size:g}", d=f"{2 * size:g}"))
        else:
            drawing.dots(placed, f"{style}{small}")
    return drawing.figure(title, words)
