"""Names as people read them: what could mislead a reader is made visible."""

from __future__ import annotations

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
