"""`write`: instances to files. One `Milp` to a file, many to a folder with ``manifest.jsonl``.

Files are called ``<name>-<number>.mps.gz`` with the name of the template; certificates stand beside
them as ``.sol`` (the feasible point) and ``.dual.sol`` (the dual one).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.errors import AlreadyExists, UsageError
from g2milp.generation.contract import Sample, Samples
from g2milp.generation.integrity import sha256_of
from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from g2milp.datasets.dataset import Dataset

SUFFIX = ".mps.gz"
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")


def write(
    what: Milp | Dataset | Samples | Iterable[Milp | Sample],
    destination: str | os.PathLike[str],
    *,
    overwrite: bool = False,
) -> None:
    """Write one instance to a file, or several to a folder with a manifest."""
    from g2milp.datasets.dataset import Dataset
    from g2milp.instance.io.files import write_file

    path = Path(destination)
    if isinstance(what, Milp):
        write_file(what, path, overwrite=overwrite)
        return
    _claim_folder(path, overwrite)
    if isinstance(what, Dataset):
        write_folder(zip(what.names, what, strict=True), path, overwrite=overwrite)
        return
    records = []
    items: Iterable[Milp | Sample] = what.samples if isinstance(what, Samples) else what
    for number, item in enumerate(items):
        if isinstance(item, Sample):
            records.append(write_sample(item, path, overwrite=overwrite))
        elif isinstance(item, Milp):
            name = f"{safe_name(item.name or 'instance')}-{number:05d}{SUFFIX}"
            records.append(_write_plain(item, path / name, overwrite=overwrite))
        else:
            raise UsageError(f"write takes Milp objects, not {type(item).__name__}")
    _write_manifest(path, mark_duplicates(records), overwrite=overwrite)


def write_folder(
    named: Iterable[tuple[str, Milp]], folder: Path, *, overwrite: bool = False
) -> list[str]:
    """Write named instances and a manifest; returns the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    records: list[dict[str, Any]] = []
    taken: set[str] = set()
    for name, milp in named:
        stem = safe_name(name)
        while f"{stem}{SUFFIX}" in taken:
            stem += "_"
        taken.add(f"{stem}{SUFFIX}")
        records.append(_write_plain(milp, folder / f"{stem}{SUFFIX}", overwrite=overwrite))
    _write_manifest(folder, records, overwrite=overwrite)
    return [str(record["file"]) for record in records]


def write_sample(sample: Sample, folder: Path, *, overwrite: bool = False) -> dict[str, Any]:
    """Write one generated instance and its certificate; returns the manifest's record."""
    from g2milp.generation.certificates.points import write_points
    from g2milp.instance.io.files import write_file

    stem = stem_of(sample)
    path = folder / f"{stem}{SUFFIX}"
    points = write_points(sample, folder, stem)
    write_file(sample.milp, path, overwrite=overwrite)
    record = {"file": path.name, "sha256": sha256_of(path), **sample.record}
    if "certificate" in record:
        record["certificate"] = {**record["certificate"], **points}
    return record


def stem_of(sample: Sample) -> str:
    """The name of a sample's files without their endings."""
    return f"{safe_name(sample.template_name)}-{sample.number:05d}"


def mark_duplicates(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records in order, each with the number of the first one that it is isomorphic to, or None."""
    first: dict[str, int] = {}
    marked = []
    for record in records:
        structure, number = record.get("structure_hash"), record.get("number")
        if structure is None or number is None:
            marked.append(record)
            continue
        same = first.setdefault(structure, number)
        marked.append({**record, "duplicate_of": None if same == number else same})
    return marked


def safe_name(name: str) -> str:
    """`name` as part of a file name: ASCII letters, digits and ``._+-`` only, at most 100."""
    return _UNSAFE.sub("_", name).lstrip(".-")[:100] or "instance"


def _write_plain(milp: Milp, path: Path, *, overwrite: bool) -> dict[str, Any]:
    from g2milp.instance.fingerprint import content_hash
    from g2milp.instance.io.files import write_file

    write_file(milp, path, overwrite=overwrite)
    return {"file": path.name, "sha256": sha256_of(path), "hash": content_hash(milp)}


def _claim_folder(folder: Path, overwrite: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"{folder} is a file; several instances are written to a folder",
        )
    if not overwrite and folder.is_dir() and any(folder.iterdir()):
        raise AlreadyExists(
            f"{folder} is not empty", hint="Give a new folder, or allow to overwrite."
        )
    folder.mkdir(parents=True, exist_ok=True)


def _write_manifest(folder: Path, records: list[dict[str, Any]], *, overwrite: bool) -> None:
    from g2milp.datasets.manifest import write_manifest

    write_manifest(folder, records, overwrite=overwrite)
