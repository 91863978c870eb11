"""How a row is written: type, right-hand side and, for a range, a distance that is exact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class RowForm:
    """One line of ROWS, one of RHS and, with a distance, one of RANGES.

    `twin` says that the lower side goes into a second row of its own.
    """

    kind: Literal["N", "L", "G", "E"]
    rhs: float = 0.0
    distance: float | None = None
    twin: bool = False


def row_forms(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> list[RowForm]:
    """The form of every row with these sides."""
    known: dict[tuple[float, float], RowForm] = {}
    forms = []
    for sides in zip(lower.tolist(), upper.tolist(), strict=True):
        form = known.get(sides)
        if form is None:
            form = known[sides] = row_form(*sides)
        forms.append(form)
    return forms


def row_form(lower: float, upper: float) -> RowForm:
    """The form of a row with the sides `lower` and `upper`."""
    if lower == upper:
        return RowForm("E", lower)
    if lower == -math.inf:
        return RowForm("N") if upper == math.inf else RowForm("L", upper)
    if upper == math.inf:
        return RowForm("G", lower)
    if lower < upper:
        guess = upper - lower
        for distance in (guess, math.nextafter(guess, 0), math.nextafter(guess, math.inf)):
            if not math.isfinite(distance):
                continue
            if upper - distance == lower:
                return RowForm("L", upper, distance)
            if lower + distance == upper:
                return RowForm("G", lower, distance)
    return RowForm("L", upper, twin=True)
