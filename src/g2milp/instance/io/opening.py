"""From a path to bytes: only regular files, decompressed by us, within limits.

The file is opened without blocking and looked at through its handle, so that a pipe or a device
cannot hang us and nobody can exchange it in between. gzip is recognised by its first bytes, never
by the name; its CRC, its length and everything behind it are checked.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import zlib
from typing import TYPE_CHECKING

from g2milp.errors import FormatError, UnreadableFile
from g2milp.instance.io.limits import DEFAULT_LIMITS, MEBIBYTE, ReadLimits

if TYPE_CHECKING:
    from pathlib import Path

_GZIP_MAGIC = b"\x1f\x8b"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 1 << 16
_OTHER_ARCHIVES = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"(\xb5/\xfd": "zstandard",
    b"PK\x03\x04": "zip",
}
_REASONS = {
    errno.ENOENT: "no such file",
    errno.ENOTDIR: "no such file",
    errno.EACCES: "no right to read it",
    errno.EPERM: "no right to read it",
    errno.ELOOP: "its links form a loop",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ENXIO: "is not a regular file",
}


def read_bytes(path: str | Path, limits: ReadLimits = DEFAULT_LIMITS) -> bytes:
    """The text of a model file, decompressed where it is gzip."""
    raw = _read_regular(path, limits)
    return _gunzip(path, raw, limits) if raw[:2] == _GZIP_MAGIC else raw


def _read_regular(path: str | Path, limits: ReadLimits) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
        raise UnreadableFile(path, reason) from error
    except ValueError as error:  # a NUL in the name
        raise UnreadableFile(repr(str(path)), "this is no file name") from error
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise UnreadableFile(path, "is a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFile(path, "is not a regular file (a pipe, socket or device)")
        if status.st_size > limits.text_bytes:
            raise _too_big(path, status.st_size, limits)
        head = os.pread(handle, _HEAD, 0)
        if head[:2] != _GZIP_MAGIC:
            _check_head(path, head)
        return _drain(handle, path, status.st_size, limits)
    except OSError as error:
        raise UnreadableFile(path, f"cannot be read: {error.strerror or error}") from error
    finally:
        os.close(handle)


def _drain(handle: int, path: str | Path, size: int, limits: ReadLimits) -> bytes:
    """Everything up to the end of the file, which may have grown since we asked for its size."""
    pieces: list[bytes] = []
    total = 0
    while piece := os.read(handle, max(size - total, 0) + MEBIBYTE):
        pieces.append(piece)
        total += len(piece)
        if total > limits.text_bytes:
            raise _too_big(path, total, limits)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _gunzip(path: str | Path, raw: bytes, limits: ReadLimits) -> bytes:
    text = io.BytesIO()  # grows in place: a list of pieces would hold the text twice
    total = 0
    rest: bytes = raw
    while rest:
        if rest[:2] != _GZIP_MAGIC:
            raise UnreadableFile(
                path, f"{len(rest)} bytes of garbage after the end of the gzip data"
            )
        engine = zlib.decompressobj(wbits=31)
        try:
            while not engine.eof:
                piece = engine.decompress(rest, 4 * MEBIBYTE)
                rest = engine.unconsumed_tail
                if not piece and not rest and not engine.eof:
                    raise UnreadableFile(path, "the gzip data are cut off: the file is truncated")
                if not total:
                    _check_head(path, piece)
                text.write(piece)
                total += len(piece)
                allowed = limits.expansion * (len(raw) - len(rest)) + limits.expansion_floor
                if total > min(allowed, limits.text_bytes):
                    raise UnreadableFile(
                        path,
                        f"expands to {total:,} bytes and more: refused as a decompression bomb",
                        hint="If it is a real model, decompress it yourself.",
                    )
        except zlib.error as error:
            raise UnreadableFile(path, f"the gzip data are damaged ({error})") from error
        rest = engine.unused_data
    return text.getvalue()


def _check_head(path: str | Path, head: bytes) -> None:
    """Refuse what is clearly no text before all of it is read."""
    for magic, name in _OTHER_ARCHIVES.items():
        if head.startswith(magic):
            raise UnreadableFile(
                path, f"is {name}-compressed", hint="Only gzip is read: decompress it first."
            )
    at = head.find(b"\x00", 0, _HEAD)
    if at >= 0 and head[:2] not in _UTF16_MARKS:
        line = head.count(b"\n", 0, at) + 1
        raise FormatError(path, line, "characters", "a NUL byte: this is no text")


def _too_big(path: str | Path, size: int, limits: ReadLimits) -> UnreadableFile:
    return UnreadableFile(path, f"{size:,} bytes, more than the limit of {limits.text_bytes:,}")
