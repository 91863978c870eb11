"""The manifest of a folder that g2milp wrote: one JSON object a line, one line an instance.

``manifest.jsonl`` says which file an instance is in, what its content hashes to, and how it was
made (problem or parent, seed, settings, versions). It fixes the order of the folder. Manifests are
input: a line that is too long, no JSON object, of a newer version, or that names a file outside the
folder is refused with its line number.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from g2milp.errors import DamagedArtifact, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MANIFEST_NAME = "manifest.jsonl"
SCHEMA_VERSION = 1
MAX_LINE = 1 << 20
MAX_BYTES = 1 << 30

Record = dict[str, Any]


def read_manifest(folder: str | Path) -> list[Record] | None:
    """The records of a folder's manifest in order; None when the folder has none."""
    path = Path(folder) / MANIFEST_NAME
    if not path.is_file():
        return None
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise DamagedArtifact(path, f"{size} bytes, more than the {MAX_BYTES} allowed")
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error
    records: list[Record] = []
    seen: set[str] = set()
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        record = _parsed(path, number, line)
        if record["file"] in seen:
            raise DamagedArtifact(f"{path}:{number}", f"{record['file']!r} is listed twice")
        seen.add(record["file"])
        records.append(record)
    return records


def write_manifest(
    folder: str | Path, records: Iterable[Mapping[str, Any]], *, overwrite: bool = False
) -> Path:
    """Write the manifest of `folder` atomically; each record needs the key ``file``."""
    from g2milp.instance.io.atomic import atomic_write

    path = Path(folder) / MANIFEST_NAME
    with atomic_write(path, overwrite=overwrite) as file:
        for record in records:
            file.write(manifest_line(record))
    return path


def manifest_line(record: Mapping[str, Any]) -> bytes:
    """One line of a manifest, with its newline: keys as given, `schema_version` last."""
    if not _is_plain_name(record.get("file")):
        raise ValueError(f"a manifest record needs a plain file name, not {record.get('file')!r}")
    whole = {**record, "schema_version": SCHEMA_VERSION}
    return json.dumps(whole, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _parsed(path: Path, number: int, line: bytes) -> Record:
    where = f"{path}:{number}"
    if len(line) > MAX_LINE:
        raise DamagedArtifact(where, f"a line of {len(line)} bytes, at most {MAX_LINE} are allowed")
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DamagedArtifact(
            where,
            f"this line is no JSON ({error})",
            hint="The manifest was cut or edited. Remove it to use the files in natural order.",
        ) from error
    if not isinstance(record, dict):
        raise DamagedArtifact(where, "this line is no JSON object")
    version = record.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DamagedArtifact(where, "there is no schema_version")
    if version > SCHEMA_VERSION:
        raise DamagedArtifact(
            where,
            f"schema_version {version} is newer than this g2milp knows ({SCHEMA_VERSION})",
            hint="Use a newer g2milp, or remove the manifest.",
        )
    if not _is_plain_name(record.get("file")):
        raise DamagedArtifact(where, f"{record.get('file')!r} is no plain file name")
    return record


def _is_plain_name(name: object) -> bool:
    return (
        isinstance(name, str)
        and name not in ("", ".", "..")
        and "\0" not in name
        and "\\" not in name
        and PurePosixPath(name).name == name
    )
