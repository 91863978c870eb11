"""PNG by hand: 8-bit pixels with a palette, enough for pictures of matrices.

A PNG is a signature and chunks; a chunk is its length, its name, its data and a checksum.
"""

from __future__ import annotations

import base64
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
Colour = tuple[int, int, int, int]


def png(pixels: NDArray[np.uint8], palette: Sequence[Colour]) -> bytes:
    """A picture from palette indices; colours are red, green, blue, opacity."""
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    # Each line begins with its filter: 0, none.
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels], axis=1)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(part for colour in palette for part in colour[:3])),
        (b"tRNS", bytes(colour[3] for colour in palette)),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def png_url(pixels: NDArray[np.uint8], palette: Sequence[Colour]) -> str:
    """The same as a ``data:`` URL."""
    return "data:image/png;base64," + base64.b64encode(png(pixels, palette)).decode("ascii")


def _chunk(name: bytes, data: bytes) -> bytes:
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
