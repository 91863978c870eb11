"""The PNG writer against a reader written from the format's definition."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
import pytest

from g2milp.reports.figures.png import SIGNATURE, png, png_url


def chunks_of(data: bytes) -> list[tuple[bytes, bytes]]:
    assert data.startswith(SIGNATURE)
    at, found = len(SIGNATURE), []
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
        assert checksum == zlib.crc32(name + body)
        found.append((name, body))
        at += 12 + length
    return found


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (300, 7)])
def test_pixels_and_palette_come_back(shape: tuple[int, int]):
    palette = [(1, 2, 3, 0), (40, 50, 60, 255), (7, 8, 9, 128)]
    pixels = np.random.default_rng(0).integers(0, 3, shape).astype(np.uint8)
    chunks = chunks_of(png(pixels, palette))
    assert [name for name, _ in chunks] == [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"]
    parts = dict(chunks)
    assert struct.unpack(">IIBBBBB", parts[b"IHDR"]) == (shape[1], shape[0], 8, 3, 0, 0, 0)
    assert parts[b"PLTE"] == bytes([1, 2, 3, 40, 50, 60, 7, 8, 9])
    assert parts[b"tRNS"] == bytes([0, 255, 128])
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(shape[0], -1)
    assert not lines[:, 0].any()
    assert np.array_equal(lines[:, 1:], pixels)


def test_the_url_holds_the_same_bytes():
    pixels = np.zeros((2, 2), np.uint8)
    head, body = png_url(pixels, [(0, 0, 0, 0)]).split(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(body) == png(pixels, [(0, 0, 0, 0)])
