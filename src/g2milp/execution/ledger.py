r"""The ledger: finished work, one JSON object a line, that survives whatever happens.

A line is appended by one `write` to a file opened with O_APPEND, so a kill leaves at most one torn
line at the very end, which nobody reads and the next run cuts off. Lines reach the disk (fsync)
at most `SYNC_SECONDS` after they were written: only a power cut can take those, and they are done
again. One process writes a file at a time; the kernel drops its lock however it ends. A ledger is
either one ``.jsonl`` file or a folder with one file a shard; readers merge a folder.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Self

from g2milp.errors import AlreadyExists, DamagedArtifact, OutOfSpace, UnreadableFile, UsageError
from g2milp.execution.shards import WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from g2milp.execution.shards import Shard

Record = dict[str, Any]
SYNC_SECONDS = 0.2
_LONGEST_LINE = 16_000_000


def files_of(path: Path) -> list[Path]:
    """The ``.jsonl`` files of a ledger, which is one of them or a folder; none if it is not there.

    Names that begin with a dot are not ours.
    """
    if path.is_dir():
        return sorted(p for p in path.glob("*.jsonl") if not p.name.startswith("."))
    return [path] if path.is_file() else []


def file_for(path: Path, shard: Shard = WHOLE) -> Path:
    """Where this shard writes: the ``.jsonl`` itself, or its file in the folder."""
    if path.suffix != ".jsonl" and path.is_file():
        raise UsageError(
            f"{path}: is a file, but a ledger is a folder or a .jsonl file",
            hint="Name another one; a folder is made if it is missing.",
        )
    if path.suffix == ".jsonl":
        if shard.count > 1:
            raise UsageError(
                f"{path}: shards cannot share one file", hint="Give a folder as the ledger."
            )
        return path
    return path / f"part-{shard.index + 1}-of-{shard.count}.jsonl"


def read(path: Path) -> Iterator[Record]:
    """All records of a ledger, file by file in the order of names.

    A torn last line is passed over; any other line that is no JSON object is refused.
    """
    for _, record in located(path):
        yield record


def located(path: Path) -> Iterator[tuple[str, Record]]:
    """The records of `read`, each with its place as ``file:line``."""
    files = files_of(path)
    if not files:
        raise UnreadableFile(path, "there is no ledger", hint="`g2milp solve` writes one.")
    for file in files:
        for number, record in enumerate(_read_file(file), 1):
            yield f"{file}:{number}", record


def merged(path: Path, key: Sequence[str]) -> Iterator[Record]:
    """The records of a ledger, one for each key: the first, if two shards did the same work."""
    for _, record in located_once(path, key):
        yield record


def located_once(path: Path, key: Sequence[str]) -> Iterator[tuple[str, Record]]:
    """The records of `merged`, each with its place as ``file:line``."""
    seen: set[bytes] = set()
    for place, record in located(path):
        digest = digest_of(record, key)
        if digest not in seen:
            seen.add(digest)
            yield place, record


def digest_of(record: Mapping[str, Any], key: Sequence[str]) -> bytes:
    """Sixteen bytes that stand for the key of a record."""
    text = json.dumps([record.get(name) for name in key])
    return blake2b(text.encode(), digest_size=16).digest()


def _read_file(path: Path) -> Iterator[Record]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), 1):
                if not line.endswith(b"\n"):
                    if len(line) > _LONGEST_LINE:
                        raise DamagedArtifact(f"{path}:{number}", "a line is too long")
                    return  # torn by a kill: that work is simply not done yet
                yield _parsed(path, number, line)
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error


def _parsed(path: Path, number: int, line: bytes) -> Record:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DamagedArtifact(
            f"{path}:{number}", "this is no JSON", hint="Remove the line to have it done again."
        ) from error
    if not isinstance(record, dict):
        raise DamagedArtifact(f"{path}:{number}", "a ledger line must be a JSON object")
    return record


class Ledger:
    """A ledger open for writing; knows what is done, in all shards.

    Parameters
    ----------
    path
        A ``.jsonl`` file, or a folder (made if missing).
    key
        The fields that say what a line is about; a second line about the same is refused.
    shard
        Which file of the folder is ours.
    """

    def __init__(self, path: Path, key: Sequence[str], shard: Shard = WHOLE) -> None:
        self.path = path
        self.file = file_for(path, shard)
        self._key = tuple(key)
        self._synced = time.monotonic()
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
            self._descriptor = os.open(self.file, flags, 0o644)
        except OSError as error:
            reason = "is a link" if error.errno == errno.ELOOP else error.strerror or str(error)
            raise UnreadableFile(self.file, reason) from error
        try:
            if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                raise UnreadableFile(self.file, "is no regular file")
            self._lock()
            self._cut_torn_line()
            self._done = {digest_of(record, self._key) for record in read(path)}
        except BaseException:
            os.close(self._descriptor)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __contains__(self, record: Mapping[str, Any]) -> bool:
        """Whether there is a line with the key of this record."""
        return digest_of(record, self._key) in self._done

    def __len__(self) -> int:
        return len(self._done)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add one finished piece of work."""
        digest = digest_of(record, self._key)
        if digest in self._done:
            named = {name: record.get(name) for name in self._key}
            raise AlreadyExists(f"{self.file} has a line for {named} already")
        line = json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        self._write(line)
        self._done.add(digest)
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            self._sync()

    def close(self) -> None:
        """Bring everything to the disk and give up the lock."""
        if self._descriptor >= 0:
            try:
                self._sync()
            finally:
                os.close(self._descriptor)
                self._descriptor = -1

    def _write(self, line: bytes) -> None:
        before = os.fstat(self._descriptor).st_size
        try:
            written = os.write(self._descriptor, line)
            if written != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            os.ftruncate(self._descriptor, before)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise OutOfSpace(
                    f"{self.file}: the disk is full; what is in it is intact",
                    hint="Make room and run the same command again.",
                ) from error
            raise

    def _sync(self) -> None:
        os.fsync(self._descriptor)
        self._synced = time.monotonic()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AlreadyExists(
                f"{self.file}: another process is writing this ledger",
                hint="Wait for it, or divide the work with --shard i/n and a folder as ledger.",
            ) from error

    def _cut_torn_line(self) -> None:
        size = os.fstat(self._descriptor).st_size
        end = size
        while end:
            start = max(0, end - 65536)
            block = os.pread(self._descriptor, end - start, start)
            newline = block.rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        if end != size:
            os.ftruncate(self._descriptor, end)
