"""Numbers and names as people read them; what could mislead a reader in a name is made visible."""

from __future__ import annotations

import math
import unicodedata

LONGEST = 80
"""Longer names are cut in the middle: their ends tell them apart."""


def visible(text: str, longest: int | None = None) -> str:
    """Replace characters that cannot be seen or that reorder text; shorten if asked."""
    if text.isascii() and text.isprintable():
        shown = text
    else:
        shown = "".join(_shown(char) for char in text)
    return shown if longest is None else shortened(shown, longest)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Cut out the middle of what is longer than `longest` characters."""
    if len(text) <= longest:
        return text
    head = (longest - 1 + 1) // 2
    return f"{text[:head]}…{text[len(text) - (longest - 1 - head) :]}"


def number(value: float | int | None) -> str:
    """Three significant digits, thousands separated; – where there is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if float(value).is_integer() and abs(value) < 1e9:
        text = f"{int(value):,}"
    elif abs(value) >= 1000:
        text = f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.3g}"
    elif abs(value) >= 0.001:
        text = f"{value:.3g}"
    else:
        text = f"{value:.2e}"
    return text.replace("-", "−") if text.startswith("-") else text


def score(value: float) -> str:
    """A number in [0, 1] with three decimals."""
    return f"{value:.3f}".replace("-", "−")


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
    """The two ends of an interval."""
    return "–" if low is None or high is None else f"{number(low)} to {number(high)}"


def listed(words: list[str]) -> str:
    """``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _shown(char: str) -> str:
    if char == " ":
        return char
    if char in "\n\t" or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return char
