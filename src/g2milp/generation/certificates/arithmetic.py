"""Exact rational arithmetic on instances: activities, and floats rounded outwards.

A float64 is a rational number; here nothing is ever rounded. Rows whose coefficients and point are
small integers are summed in float64, where that is exact; all others with `Fraction`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

EXACT_FLOATS = 2.0**53
"""Integers up to here are float64 numbers, and so are their sums while they stay below."""


def row_activities(milp: Milp, point: Sequence[Fraction]) -> list[Fraction]:
    """`A x`, exactly."""
    whole = np.array([v.denominator == 1 and abs(v.numerator) < 2**53 for v in point], dtype=bool)
    x = np.array([float(v) for v in point])
    with np.errstate(over="ignore", invalid="ignore"):  # rows that overflow are summed exactly
        products = milp.values * x[milp.indices]
    size = np.bincount(milp.entry_rows, weights=np.abs(products), minlength=milp.n_rows)
    odd_entry = ~whole[milp.indices] | (milp.values != np.rint(milp.values))
    odd = np.bincount(milp.entry_rows[odd_entry], minlength=milp.n_rows) > 0
    in_floats = ~odd & (size < EXACT_FLOATS)
    sums = np.bincount(milp.entry_rows, weights=products, minlength=milp.n_rows)
    return [
        Fraction(int(sums[i])) if in_floats[i] else dot(*milp.row(i), point)
        for i in range(milp.n_rows)
    ]


def dot(
    indices: NDArray[np.int32], values: NDArray[np.float64], point: Sequence[Fraction]
) -> Fraction:
    """Σ a_j x_j over the entries of a row, exactly; the zeros of the point cost nothing."""
    total = Fraction(0)
    for j, a in zip(indices.tolist(), values.tolist(), strict=True):
        if point[j]:
            total += Fraction(a) * point[j]
    return total


def admits(lower: float, value: Fraction, upper: float) -> bool:
    """Whether lower ≤ value ≤ upper; sides may be infinite."""
    return lower <= value <= upper


def excess(lower: float, value: Fraction, upper: float) -> Fraction:
    """By how much `value` leaves [lower, upper]; 0 inside."""
    if value < lower:
        return Fraction(lower) - value
    if value > upper:
        return value - Fraction(upper)
    return Fraction(0)


def float_at_least(value: Fraction) -> float:
    """The smallest float64 that is not below `value`."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def float_at_most(value: Fraction) -> float:
    """The largest float64 that is not above `value`."""
    return -float_at_least(-value)


def is_float(value: Fraction) -> bool:
    """Whether `value` is a float64 exactly."""
    return Fraction(float(value)) == value


def largest(values: Iterable[Fraction]) -> Fraction:
    """The maximum, 0 for none."""
    return max(values, default=Fraction(0))
