"""A picture of a constraint matrix, with the rows that changed in another colour.

A cell of the picture stands for a block of rows and columns; the fuller the block, the darker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.reports.figures.drawing import WIDTH, Drawing, Figure
from g2milp.reports.figures.png import Colour, png_url

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

CELLS = 300
LEVELS = 6
SLIMMEST = 0.3
"""Pictures are not drawn flatter or slimmer than this share of their longer side."""
STRIP = 12.0
KEPT, CHANGED = (86, 132, 178), (221, 98, 24)


def palette() -> list[Colour]:
    """Nothing, then kept rows light to dark, then changed rows light to dark."""
    strengths = [90 + (255 - 90) * k // (LEVELS - 1) for k in range(LEVELS)]
    return [
        (0, 0, 0, 0),
        *((*KEPT, strength) for strength in strengths),
        *((*CHANGED, strength) for strength in strengths),
    ]


def matrix_picture(title: str, milp: Milp, changed: NDArray[np.bool_]) -> Figure:
    """Draw the non-zeros; `changed` marks rows."""
    pixels = cells(milp, changed)
    rows, columns = max(1, milp.n_rows), max(1, milp.n_cols)
    longest = max(rows, columns)
    width = (WIDTH - STRIP) * max(columns / longest, SLIMMEST)
    height = (WIDTH - STRIP) * max(rows / longest, SLIMMEST)
    drawing = Drawing(height, width + STRIP)
    drawing.rectangle(STRIP, 0, width, height, "frame")
    drawing.image(STRIP, 0, width, height, png_url(pixels, palette()))
    marks = np.unique(np.flatnonzero(changed) * len(pixels) // rows) + 0.5
    unit = height / len(pixels)
    drawing.path(
        "".join(f"M1 {at * unit:.1f}h{STRIP - 4:.0f}" for at in marks.tolist()) or "M0 0", "tally"
    )
    count = int(changed.sum())
    words = (
        f"{milp.n_rows:,} constraints, {milp.n_cols:,} variables, {milp.n_nonzeros:,} coefficients"
    )
    note = f"; {count:,} constraints differ, marked at the left edge" if count else ""
    return drawing.figure(title, f"{words}{note}.")


def cells(milp: Milp, changed: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Palette index of each cell."""
    down, across = min(CELLS, max(1, milp.n_rows)), min(CELLS, max(1, milp.n_cols))
    row = milp.entry_rows.astype(np.int64) * down // max(1, milp.n_rows)
    column = milp.indices.astype(np.int64) * across // max(1, milp.n_cols)
    cell = row * across + column
    full = np.bincount(cell, minlength=down * across)
    new = np.bincount(cell, changed[milp.entry_rows], minlength=down * across)
    size = (milp.n_rows / down) * (milp.n_cols / across)
    share = np.log1p(full) / np.log1p(max(size, 1.0))
    level: NDArray[np.uint8] = np.clip(np.ceil(share * LEVELS), 1, LEVELS).astype(np.uint8)
    level[new > 0] += LEVELS
    level[full == 0] = 0
    return level.reshape(down, across)


def changed_rows(template: Milp, child: Milp) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Rows of the template that are gone, and rows of the child that are new.

    Rows are equal when columns, coefficients and sides are; each counts once.
    """
    from g2milp.evaluation.structure.row_hashes import hash_rows

    old, new = hash_rows(template), hash_rows(child)
    return _unmatched(old, new), _unmatched(new, old)


def _unmatched(own: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.bool_]:
    order = np.argsort(own, kind="stable")
    hashes = own[order]
    first = np.searchsorted(hashes, hashes, "left")
    pool = np.sort(other)
    held = np.searchsorted(pool, hashes, "right") - np.searchsorted(pool, hashes, "left")
    result = np.zeros(own.size, dtype=np.bool_)
    result[order] = np.arange(own.size) - first >= held
    return result
