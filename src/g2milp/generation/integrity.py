"""``MANIFEST.json`` of a model folder: every file with its SHA-256 and size, checked before use.

A flipped bit in a weights file is seen by no tensor format; here it is. Listed files must lie
inside the folder, be regular files of the listed size, and of a format version that is known. What
is not listed is not read.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from g2milp.errors import DamagedArtifact, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterable

MANIFEST_NAME = "MANIFEST.json"
FORMAT_VERSION = 1
MAX_MANIFEST_BYTES = 64 << 20
_CHUNK = 1 << 20


def write_integrity(folder: Path, files: Iterable[str], *, kind: str) -> None:
    """List `files` (paths below `folder`) in its ``MANIFEST.json``; written last, atomically."""
    from g2milp import __version__
    from g2milp.instance.io.atomic import write_json

    content = {
        "format_version": FORMAT_VERSION,
        "kind": kind,
        "created_with": f"g2milp {__version__}",
        "files": {
            name: {"sha256": sha256_of(folder / name), "size": (folder / name).stat().st_size}
            for name in sorted(files)
        },
    }
    write_json(folder / MANIFEST_NAME, content, overwrite=True)


def check_integrity(folder: Path) -> dict[str, Any]:
    """Check every listed file; return the manifest."""
    manifest = _read(folder)
    for name, entry in manifest["files"].items():
        _check_file(folder, name, entry)
    return manifest


def sha256_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def read_json_object(path: Path, max_bytes: int = MAX_MANIFEST_BYTES) -> dict[str, Any]:
    """A JSON object from a file of bounded size."""
    try:
        if path.stat().st_size > max_bytes:
            raise DamagedArtifact(path, f"more than {max_bytes} bytes")
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise DamagedArtifact(path, f"no JSON ({error})") from error
    if not isinstance(content, dict):
        raise DamagedArtifact(path, "not a JSON object")
    return content


def _read(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise UnreadableFile(folder, "there is no such model folder")
    path = folder / MANIFEST_NAME
    if not path.is_file():
        raise DamagedArtifact(
            folder,
            f"this is no finished model folder: {MANIFEST_NAME} is missing",
            hint="Training that was interrupted is continued by the same `g2milp train` command.",
        )
    manifest = read_json_object(path)
    version = manifest.get("format_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DamagedArtifact(path, "there is no format_version")
    if version > FORMAT_VERSION:
        raise DamagedArtifact(
            path,
            f"format version {version} is newer than this g2milp knows ({FORMAT_VERSION})",
            hint="Use a newer g2milp to read this model.",
        )
    if not isinstance(manifest.get("files"), dict) or not isinstance(manifest.get("kind"), str):
        raise DamagedArtifact(path, "`files` or `kind` is missing")
    return manifest


def _check_file(folder: Path, name: str, entry: object) -> None:
    parts = PurePosixPath(name).parts
    if not parts or ".." in parts or name.startswith("/") or "\\" in name or "\0" in name:
        raise DamagedArtifact(folder / MANIFEST_NAME, f"{name!r} is no file of this folder")
    path = folder / name
    try:
        regular = path.is_file() and not path.is_symlink()
    except OSError:  # a name that is too long for this file system
        regular = False
    if not regular:
        raise DamagedArtifact(path, "listed in the manifest, but not there as a regular file")
    if not isinstance(entry, dict) or path.stat().st_size != entry.get("size"):
        raise DamagedArtifact(path, "the size is not the one in the manifest")
    if sha256_of(path) != entry.get("sha256"):
        raise DamagedArtifact(
            path,
            "the content is not what was written (SHA-256 differs)",
            hint="Copy the folder again from where it came from.",
        )
