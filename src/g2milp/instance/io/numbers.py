"""Numbers in text: a strict grammar for reading, the shortest exact form for writing.

Readers of the field take ``1,5`` as 1 and ``12abc`` as 12. Here a field is a decimal number from
its first to its last character, or it is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2milp.instance.io.rules import Decisions

INFINITE = 1e20
"""Bounds and sides of this size and above are infinite: what all solvers agree on."""
NUMBER_BYTES = 1100
"""Longer digit strings than any float64 has (767 significant digits) are refused."""

_DECIMAL = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FORTRAN = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[dD][+-]?[0-9]+")
_INFINITY = re.compile(rb"([+-]?)inf(?:inity)?", re.IGNORECASE)
_EXPONENT = re.compile(rb"[eE]")


def parse_number(token: bytes, line: int | None, decisions: Decisions) -> float:
    """A finite number; everything else is refused."""
    known = decisions.numbers.get(token)
    if known is not None:
        return known
    shown = token[:40].decode("utf-8", "replace")
    if len(token) > NUMBER_BYTES:
        decisions.refuse("number", line, f"a number of {len(token):,} characters")
    if not _DECIMAL.fullmatch(token):
        if not _FORTRAN.fullmatch(token):
            decisions.refuse("number", line, f"{shown!r} is not a decimal number")
        decisions.decide("fortran-exponent", line, f"{shown!r} has a Fortran exponent")
        return parse_number(token.replace(b"d", b"e").replace(b"D", b"e"), line, decisions)
    value = float(token)
    if value in (float("inf"), float("-inf")):
        decisions.refuse("number", line, f"{shown!r} is too large for a float64")
    if value == 0.0:
        if _EXPONENT.split(token)[0].strip(b"+-0."):
            decisions.refuse("number", line, f"{shown!r} is too small for a float64")
        value = 0.0
    decisions.numbers[token] = value
    return value


def is_number(token: bytes) -> bool:
    """Whether `parse_number` would look at `token` as a number at all."""
    return bool(_DECIMAL.fullmatch(token[: NUMBER_BYTES + 1]))


def parse_side(token: bytes, line: int | None, decisions: Decisions) -> float:
    """A number, or ``inf`` with a sign."""
    known = decisions.numbers.get(token)
    if known is not None:
        return known
    infinite = _INFINITY.fullmatch(token)
    if infinite:
        return float("-inf") if infinite[1] == b"-" else float("inf")
    return parse_number(token, line, decisions)


def format_number(value: float) -> str:
    """The shortest text that reads back to the same float64 (``3`` rather than ``3.0``)."""
    text = repr(value + 0.0)
    return text[:-2] if text.endswith(".0") else text
