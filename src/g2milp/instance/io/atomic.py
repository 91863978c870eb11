"""Files that are complete or not there: the one way in which g2milp writes.

A temporary file in the same folder is filled, flushed to the disk and renamed over the target, then
the folder itself is flushed. Whoever looks sees the old bytes or the new ones; a killed process
leaves at most a temporary file, which the next write into that folder sweeps away.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from g2milp.errors import AlreadyExists, InputError, OutOfSpace, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEMPORARY = re.compile(r"\.g2milp-(\d+)-[0-9a-f]{16}\.tmp")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def atomic_write(path: str | Path, *, overwrite: bool = False) -> Iterator[IO[bytes]]:
    """A binary file that becomes `path` when the block ends, and vanishes when it fails.

    Without `overwrite` an existing target is refused, also when it appears during the writing.
    """
    target = Path(path)
    _check_target(target, overwrite=overwrite)
    _sweep(target.parent)
    temporary = target.parent / f".g2milp-{os.getpid()}-{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _publish(temporary, target, overwrite=overwrite)
    except OSError as error:
        raise _explained(error, target) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_bytes(path: str | Path, data: bytes, *, overwrite: bool = False) -> None:
    """Write `data` to `path`, atomically."""
    with atomic_write(path, overwrite=overwrite) as stream:
        stream.write(data)


def write_json(path: str | Path, value: Any, *, overwrite: bool = False) -> None:
    """Write `value` as indented UTF-8 JSON with a final newline, atomically; NaN is refused."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    write_bytes(path, text.encode("utf-8") + b"\n", overwrite=overwrite)


def _check_target(target: Path, *, overwrite: bool) -> None:
    if not target.parent.is_dir():
        raise UnreadableFile(
            target, "its folder does not exist", hint=f"Make the folder first: {target.parent}"
        )
    if target.is_dir():
        raise UnreadableFile(target, "is a folder, not a file")
    if not overwrite and os.path.lexists(target):
        raise _exists(target)


def _publish(temporary: Path, target: Path, *, overwrite: bool) -> None:
    if overwrite:
        temporary.replace(target)
    else:
        try:
            os.link(temporary, target)  # unlike rename, it fails when the target has appeared
        except FileExistsError as error:
            raise _exists(target) from error
        except OSError as error:
            if error.errno in _FULL:
                raise
            if os.path.lexists(target):  # a file system without hard links
                raise _exists(target) from error
            temporary.replace(target)
    _flush_folder(target.parent)


def _flush_folder(folder: Path) -> None:
    """Make the rename itself last; some file systems cannot, and then nothing is lost by trying."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(folder: Path) -> None:
    """Remove temporary files of ours whose process is gone."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _TEMPORARY.fullmatch(entry.name)
            if found and not _is_alive(int(found[1])):
                with contextlib.suppress(OSError):
                    Path(entry.path).unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _exists(target: Path) -> AlreadyExists:
    return AlreadyExists(
        f"{target}: exists already", hint="Choose another name, or pass --overwrite."
    )


def _explained(error: OSError, target: Path) -> OutOfSpace | InputError:
    if error.errno in _FULL:
        return OutOfSpace(
            f"{target}: the disk is full or the quota used up; the file was not changed",
            hint="Free some space and run the same command again: finished files are kept.",
        )
    return UnreadableFile(target, f"cannot be written: {error.strerror or error}")
