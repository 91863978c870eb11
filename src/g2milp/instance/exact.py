"""Sums of products without rounding, for float64 `a` and float or rational `x`: Σ a_j x_j.

A float is a whole number times a power of two, so such a sum is one whole number times a power of
two. Most sums are had faster: when all products are multiples of one power of two and their
absolute sum is below 2^53 times it, plain float arithmetic makes no error at all; otherwise it
makes one that is bounded beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

UNIT = 2.0**-53
SMALLEST = 2.0**-1022


@dataclass(frozen=True, eq=False)
class Point:
    """A point as floats, and as rationals where the floats are not exact.

    `floats` are the nearest float64 values; `rationals` is None when they are the point itself, and
    `rounded` marks the columns where they are not.
    """

    floats: NDArray[np.float64]
    rounded: NDArray[np.bool_]
    rationals: Sequence[Fraction] | None = None

    @classmethod
    def of(cls, x: NDArray[np.float64] | Sequence[Fraction] | Sequence[float]) -> Point:
        """From floats, or from a sequence with `Fraction` or whole numbers in it."""
        if isinstance(x, np.ndarray):
            if x.dtype.kind == "f" and x.dtype.itemsize <= 8:
                floats = np.asarray(x, dtype=np.float64)
                return cls(floats, np.zeros(floats.shape, dtype=bool))
            x = x.tolist()
        if all(isinstance(value, float) for value in x):
            floats = np.array(x, dtype=np.float64)
            return cls(floats, np.zeros(floats.shape, dtype=bool))
        rationals = [_rational(i, value) for i, value in enumerate(x)]
        floats = np.array([_nearest(value) for value in rationals], dtype=np.float64)
        rounded = np.array(
            [
                not np.isfinite(near) or Fraction(near) != value
                for near, value in zip(floats.tolist(), rationals, strict=True)
            ],
            dtype=bool,
        )
        return cls(floats, rounded, rationals if rounded.any() else None)

    def value(self, column: int) -> Fraction:
        """The exact value of one column."""
        if self.rationals is not None:
            return self.rationals[column]
        return Fraction(float(self.floats[column]))


@dataclass(frozen=True, eq=False)
class Enclosure:
    """A sum for each row with a bound on its error: exact sums have error 0, unknown ones inf."""

    sums: NDArray[np.float64]
    errors: NDArray[np.float64]


def enclose(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    point: Point,
) -> Enclosure:
    """Row sums of a CSR matrix times a point, each with a rigorous bound on its error."""
    n_rows = indptr.size - 1
    rows = np.repeat(np.arange(n_rows), np.diff(indptr))
    x = point.floats[indices]
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        products = values * x
        sums = np.bincount(rows, weights=products, minlength=n_rows).astype(np.float64)
        sizes = np.bincount(rows, weights=np.abs(products), minlength=n_rows).astype(np.float64)
        terms = np.diff(indptr) + 4
        # Each product and each addition errs by at most one unit of the running size; one more
        # unit for rounded points, and room for the rounding of this bound itself.
        errors = terms * (4 * UNIT) * sizes + terms * SMALLEST
    exact = _sums_exactly(rows, values, x, products, sizes)
    if point.rationals is not None:
        exact &= np.bincount(rows, weights=point.rounded[indices], minlength=n_rows) == 0
        # Below the normal numbers rounding is not relative to the size any more.
        tiny = point.rounded & (np.abs(point.floats) < 2 * SMALLEST)
        errors[np.bincount(rows, weights=tiny[indices], minlength=n_rows) > 0] = np.inf
    errors[exact] = 0.0
    unknown = ~np.isfinite(sums) | ~np.isfinite(errors)
    errors[unknown] = np.inf
    sums[unknown] = 0.0
    return Enclosure(sums, errors)


def exact_sum(indices: NDArray[np.int32], values: NDArray[np.float64], point: Point) -> Fraction:
    """One sum of products, exactly."""
    if point.rationals is not None and point.rounded[indices].any():
        chosen = [point.rationals[j] for j in indices.tolist()]
        common = lcm(*(x.denominator for x in chosen))
        mantissas, exponents = _split(values)
        lowest = min(exponents, default=0)
        total = 0
        for x, m, e in zip(chosen, mantissas, exponents, strict=True):
            total += (m * (x.numerator * (common // x.denominator))) << (e - lowest)
        return Fraction(total, common) * _power(lowest)
    a_mantissas, a_exponents = _split(values)
    x_mantissas, x_exponents = _split(point.floats[indices])
    powers = [a + x for a, x in zip(a_exponents, x_exponents, strict=True)]
    lowest = min(powers, default=0)
    total = sum(
        (a * x) << (power - lowest)
        for a, x, power in zip(a_mantissas, x_mantissas, powers, strict=True)
    )
    return Fraction(total) * _power(lowest)


def _sums_exactly(
    rows: NDArray[np.int64],
    values: NDArray[np.float64],
    x: NDArray[np.float64],
    products: NDArray[np.float64],
    sizes: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Rows whose products and partial sums are all exact.

    With both factors' lowest set bits 2^s and 2^t, a product is a multiple of 2^(s+t). If all
    absolute values sum to less than 2^53 times the lowest such power in the row, every product and
    every partial sum is a multiple of it that has at most 53 bits, so nothing is ever rounded.
    """
    grain = _lowest_bit(values) + _lowest_bit(x)
    grain[x == 0] = 2000
    lowest = np.full(sizes.size, 2000)
    np.minimum.at(lowest, rows, grain)
    safe = (lowest > -1022) & (sizes < np.ldexp(1.0, np.clip(lowest + 52, -1022, 1023)))
    certain: NDArray[np.bool_] = safe & (sizes < 2.0**1000)
    return certain


def _lowest_bit(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The exponent of the lowest set bit of each float (of 0: a very large one)."""
    with np.errstate(invalid="ignore"):
        fraction, exponent = np.frexp(values)
        mantissa = np.ldexp(np.where(np.isfinite(fraction), fraction, 0.5), 53).astype(np.int64)
        trailing = np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1
    return np.where(mantissa == 0, 2000, exponent.astype(np.int64) - 53 + trailing)


def _split(values: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """Whole mantissas and exponents: value = mantissa · 2^exponent, zeros with exponent 0."""
    fraction, exponent = np.frexp(values)
    mantissa = np.ldexp(fraction, 53).astype(np.int64)
    shift = np.where(mantissa == 0, 0, exponent.astype(np.int64) - 53)
    return mantissa.tolist(), shift.tolist()


def _power(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _rational(index: int, value: float | Fraction) -> Fraction:
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"value {index} of the point is {value!r}, which is no number") from error


def _nearest(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
