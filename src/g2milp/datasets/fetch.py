"""One file from the web, completely or not at all: resumed, capped, verified, with urllib only.

What has arrived is kept in a hidden ``.part`` file; after a broken connection, or in the next call,
the rest is asked for by Range, tied to the version that was begun (If-Range). The SHA-256 that is
compared is that of the uncompressed content, so that a recompressed copy is the same file.
"""

from __future__ import annotations

import gzip
import hashlib
import http.client
import os
import time
import urllib.error
import urllib.request
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from g2milp import __version__
from g2milp.errors import DamagedArtifact, OutOfSpace, UnavailableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True)
class FetchLimits:
    """Caps and patience.

    Attributes
    ----------
    max_bytes, max_expanded
        Largest download, and largest content after decompression, in bytes.
    attempts
        How often a connection is tried before giving up.
    timeout, pause
        Seconds without a byte before a connection counts as broken; seconds between attempts.
    """

    max_bytes: int = 200 * 2**20
    max_expanded: int = 2 * 2**30
    attempts: int = 4
    timeout: float = 30.0
    pause: float = 1.0


def fetch(
    url: str,
    target: Path,
    *,
    sha256: str | None = None,
    limits: FetchLimits | None = None,
    advance: Callable[[int], None] | None = None,
) -> str:
    """Download `url` to `target` unless it is there; the SHA-256 of its uncompressed content.

    A file that does not have the expected hash is not kept.
    """
    limits = limits or FetchLimits()
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError(f"only http and https are downloaded from, not {url}")
    if target.exists():
        found = _content_hash(target, limits)
        if sha256 is None or found == sha256:
            return found
        raise DamagedArtifact(
            target,
            f"its content has the SHA-256 {found}, expected is {sha256}",
            hint="Remove it; the same command downloads it again.",
        )
    part = target.parent / f".{target.name}.part"
    _receive(url, part, limits, advance)
    try:
        found = _content_hash(part, limits)
        if sha256 is not None and found != sha256:
            raise DamagedArtifact(
                url, f"its content has the SHA-256 {found}, expected is {sha256}; it was not kept"
            )
    except DamagedArtifact:
        _forget(part)
        raise
    part.replace(target)
    _forget(part)
    return found


def fetch_text(url: str, *, limits: FetchLimits | None = None, max_bytes: int = 2**20) -> str:
    """A small page, such as the listing of a folder."""
    limits = limits or FetchLimits()
    try:
        with urllib.request.urlopen(_request(url), timeout=limits.timeout) as response:
            data: bytes = response.read(max_bytes + 1)
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        raise _unavailable(url, error) from error
    if len(data) > max_bytes:
        raise DamagedArtifact(url, f"the page has more than {max_bytes} bytes")
    return data.decode("utf-8", errors="replace")


def _receive(
    url: str, part: Path, limits: FetchLimits, advance: Callable[[int], None] | None
) -> None:
    """Fill the part file; go on after broken connections."""
    for attempt in range(1, limits.attempts + 1):
        try:
            _receive_once(url, part, limits, advance)
            return
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 416:
                _forget(part)  # what we have is no beginning of what is there now
            elif error.code < 500:
                raise _unavailable(url, error) from error
            reason: Exception = error
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, OSError) and error.errno in (28, 122):
                raise OutOfSpace(f"no space left for {part.parent}") from error
            reason = error
        if attempt == limits.attempts:
            raise _unavailable(url, reason) from reason
        time.sleep(limits.pause * attempt)


def _receive_once(
    url: str, part: Path, limits: FetchLimits, advance: Callable[[int], None] | None
) -> None:
    have = part.stat().st_size if part.exists() else 0
    note = _note(part)
    validator = note.read_text("utf-8").strip() if note.is_file() else ""
    headers = {}
    if have and validator:
        headers = {"Range": f"bytes={have}-", "If-Range": validator}
    with urllib.request.urlopen(_request(url, headers), timeout=limits.timeout) as response:
        resumed = response.status == 206
        if resumed and not response.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
            raise http.client.HTTPException("the server sent another range than was asked for")
        if not resumed:
            have = 0
        tag = response.headers.get("ETag", "")
        strong = tag if tag and not tag.startswith("W/") else ""
        note.write_text(strong or response.headers.get("Last-Modified", ""), "utf-8")
        length = response.headers.get("Content-Length")
        total = have + int(length) if length and length.isdecimal() else None
        if total is not None and total > limits.max_bytes:
            raise _too_large(url, part, limits.max_bytes)
        with part.open("ab" if resumed else "wb") as file:
            while chunk := response.read(CHUNK):
                have += len(chunk)
                if have > limits.max_bytes:
                    raise _too_large(url, part, limits.max_bytes)
                file.write(chunk)
                if advance:
                    advance(len(chunk))
            file.flush()
            os.fsync(file.fileno())
    if total is not None and have != total:
        raise http.client.HTTPException(f"the connection ended after {have} of {total} bytes")


def _content_hash(path: Path, limits: FetchLimits) -> str:
    """SHA-256 of the content, decompressed if it is gzip, within the limit."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as raw:
        is_gzip = raw.read(2) == b"\x1f\x8b"
    try:
        with gzip.open(path, "rb") if is_gzip else path.open("rb") as file:
            while chunk := file.read(CHUNK):
                size += len(chunk)
                if size > limits.max_expanded:
                    raise DamagedArtifact(path, f"it expands beyond {limits.max_expanded} bytes")
                digest.update(chunk)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DamagedArtifact(path, f"the download is broken ({error})") from error
    return digest.hexdigest()


def _request(url: str, headers: dict[str, str] | None = None) -> urllib.request.Request:
    agent = {"User-Agent": f"g2milp/{__version__}", "Accept-Encoding": "identity"}
    return urllib.request.Request(url, headers={**agent, **(headers or {})})


def _unavailable(url: str, error: Exception) -> UnavailableError:
    if isinstance(error, urllib.error.HTTPError):
        return UnavailableError(f"{url}: the server answered {error.code} {error.reason}")
    reason = getattr(error, "reason", None) or error
    return UnavailableError(
        f"{url} cannot be reached ({reason})",
        hint="Is there a network connection? The same command continues the download.",
    )


def _too_large(url: str, part: Path, limit: int) -> DamagedArtifact:
    _forget(part)
    return DamagedArtifact(url, f"it is larger than the {limit} bytes allowed")


def _note(part: Path) -> Path:
    return part.with_name(part.name + ".version")


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _note(part).unlink(missing_ok=True)
