"""Numbers as people read them, the same in tables, reports and LaTeX."""

from __future__ import annotations

import math


def number(value: float | int | None, digits: int = 3) -> str:
    """Significant digits, thousands separated; – where there is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if float(value).is_integer() and abs(value) < 1e9:
        text = f"{int(value):,}"
    elif abs(value) >= 1000:
        text = f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.{digits}g}"
    elif abs(value) >= 0.001:
        text = f"{value:.{digits}g}"
    else:
        text = f"{value:.{digits - 1}e}"
    return _signed(text)


def score(value: float) -> str:
    """A number in [0, 1] with three decimals."""
    return _signed(f"{value:.3f}")


def ratio(value: float) -> str:
    """A ratio near 1: two decimals, fewer where it is large, more where it is tiny."""
    if not math.isfinite(value) or 0 < abs(value) < 0.01:
        return number(value)
    return _signed(f"{value:,.{2 if abs(value) < 10 else 1 if abs(value) < 100 else 0}f}")


def chance(p_value: float) -> str:
    """A p-value: three decimals, and never zero."""
    return "<\u00a00.001" if p_value < 0.001 else f"{p_value:.3f}"


def error(value: float) -> str:
    """A relative error in per cent with one decimal, as in the paper's tables."""
    return f"{100 * value:,.1f}\u00a0%"


def percent(share: float | None) -> str:
    """A share in words of a hundred; what is not quite all or nothing never looks so.

    Number and sign stay on one line.
    """
    if share is None or math.isnan(share):
        return "–"
    if 0 < share < 0.001:
        return "<\u00a00.1\u00a0%"
    if 0.999 < share < 1:
        return ">\u00a099.9\u00a0%"
    if share in (0.0, 1.0) or 0.1 <= share <= 0.9:
        return f"{100 * share:.0f}\u00a0%"
    return f"{100 * share:.1f}\u00a0%"


def interval(low: float | None, high: float | None) -> str:
    """The two ends of an interval of ratios."""
    return "–" if low is None or high is None else f"{ratio(low)} to {ratio(high)}"


def _signed(text: str) -> str:
    """With a true minus sign."""
    return text.replace("-", "−", 1) if text.startswith("-") else text
