"""How much a model file may ask for before it is refused: what keeps a hostile file harmless."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class ReadLimits:
    """Upper limits for one file.

    Attributes
    ----------
    text_bytes
        Length of the text, after decompression.
    expansion, expansion_floor
        At any place, gzip may have expanded to `expansion` times the bytes read so far, plus
        `expansion_floor`. Real models reach 27, those with the longest names.
    line_bytes
        Length of a line.
    name_bytes
        Length of a name.
    items
        Rows, columns and matrix entries, each.
    """

    text_bytes: int = 1024 * MEBIBYTE
    expansion: int = 64
    expansion_floor: int = 32 * MEBIBYTE
    line_bytes: int = MEBIBYTE
    name_bytes: int = 65_535
    items: int = 2**31 - 2


DEFAULT_LIMITS = ReadLimits()
