"""Scales from values to the canvas, and round numbers to label them with."""

from __future__ import annotations

import math
from dataclasses import dataclass

from g2milp.evaluation.numbers import number


@dataclass(frozen=True)
class Axis:
    """Maps [low, high] to [start, end] of the canvas, linearly or by logarithm."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value; beyond the ends it stays at the end."""
        low, high, at = self.low, self.high, min(max(value, self.low), self.high)
        if self.is_log:
            low, high, at = math.log(low), math.log(high), math.log(at)
        share = (at - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[tuple[float, str]]:
        """Round values inside the axis with their labels."""
        if self.high <= self.low:
            return [(self.low, number(self.low))]
        values = _powers(self.low, self.high, most) if self.is_log else []
        if len(values) < 2:
            values = _rounds(self.low, self.high, most)
        return [(value, number(value)) for value in values]


def _rounds(low: float, high: float, most: int) -> list[float]:
    rough = (high - low) / most
    if not (math.isfinite(rough) and rough > 0):
        return [low]
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(m * size for m in (1, 2, 2.5, 5, 10) if m * size >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    if last - first > 2 * most:  # the values are so close that steps vanish in rounding
        return [low]
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def _powers(low: float, high: float, most: int) -> list[float]:
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    stride = max(1, math.ceil((last - first + 1) / most))
    values = [10.0**k for k in range(first, last + 1, stride)]
    if len(values) < 3 and last - first < 2:
        finer = [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5)]
        values = [value for value in finer if low <= value <= high]
    return values
