"""Which files of a folder are instances, in which order, and what is refused.

Hidden files, sub-folders and files of other kinds (a README, solutions) are passed over. Refused is
what would silently make the data set another one: no instance at all, one instance in two files,
models in a format that is not read, a file that the manifest lists and that is not there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from g2milp.datasets.manifest import MANIFEST_NAME, Record, read_manifest
from g2milp.errors import DamagedArtifact, InputError, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from g2milp.instance.milp import Milp

SUFFIXES = (".mps.gz", ".lp.gz", ".mps", ".lp")
FOREIGN = re.compile(
    r"\.(?:(?:mps|lp|qps|cip|opb|wbo|nl|rew|rlp|ilp|dua|dlp|fzn|zpl|sav|mod)"
    r"(?:\.(?:gz|bz2|xz|zst|zip|7z|Z))?|mps\.tar|tgz)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Member:
    """One instance of a data set: a file that is read when needed, or an instance in memory."""

    name: str
    path: Path | None = None
    milp: Milp | None = None
    record: Record | None = None
    accept: tuple[str, ...] = ()


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Sort key under which ``a2`` comes before ``a10``; ties are broken by the plain text."""
    parts = re.split(r"([0-9]+)", name)
    key = [(1, int(part), part) if i % 2 else (0, 0, part) for i, part in enumerate(parts)]
    return [*key, (-1, 0, name)]


def instance_name(path: Path) -> str:
    """The file's name without ``.mps``, ``.lp`` and ``.gz``."""
    for suffix in SUFFIXES:
        if path.name.lower().endswith(suffix) and len(path.name) > len(suffix):
            return path.name[: -len(suffix)]
    return path.name


def is_model_file(path: Path) -> bool:
    """Whether the name is that of a model file that is read (``.mps``, ``.lp``, with ``.gz``)."""
    return path.name.lower().endswith(SUFFIXES) and not path.name.startswith(".")


def members_of_paths(paths: Sequence[Path], accept: tuple[str, ...]) -> list[Member]:
    """Members for a list of files, in the order given; none is read."""
    members = [Member(name=instance_name(path), path=path, accept=accept) for path in paths]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        if len(missing) == 1:
            raise UnreadableFile(missing[0], "there is no such file or folder")
        raise InputError("these files do not exist:\n  " + "\n  ".join(missing))
    folders = [str(path) for path in paths if path.is_dir()]
    if folders:
        raise InputError(
            f"{folders[0]} is a folder inside a list of files",
            hint="Give one folder, or files only.",
        )
    taken: dict[str, Path] = {}
    for index, member in enumerate(members):
        if member.name in taken:
            assert member.path is not None
            if member.path.resolve() == taken[member.name].resolve():
                raise InputError(f"{member.path} is given twice")
            name = f"{member.path.parent.name}-{member.name}"
            while name in taken:
                name += "'"
            member = members[index] = Member(name=name, path=member.path, accept=accept)
        assert member.path is not None
        taken[member.name] = member.path
    return members


def members_of_folder(folder: Path, accept: tuple[str, ...]) -> tuple[list[Member], bool]:
    """Members of a folder in manifest order, else natural order; and whether it has a manifest."""
    try:
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
    except OSError as error:
        raise UnreadableFile(folder, error.strerror or str(error)) from error
    files = [entry for entry in entries if is_model_file(entry) and not entry.is_dir()]
    foreign = sorted(
        entry.name
        for entry in entries
        if not is_model_file(entry) and FOREIGN.search(entry.name) and not entry.is_dir()
    )
    if foreign:
        raise InputError(
            f"{folder} holds models in formats that are not read: {_some(foreign)}",
            hint="Convert them to .mps[.gz] or .lp[.gz], or move them elsewhere.",
        )
    records = read_manifest(folder)
    if not files:
        raise _nothing_here(folder, entries, records)
    _refuse_doubles(folder, files)
    files.sort(key=lambda path: natural_key(instance_name(path)))
    if records is None:
        return [Member(name=instance_name(p), path=p, accept=accept) for p in files], False
    return _in_manifest_order(folder, files, records, accept), True


def _in_manifest_order(
    folder: Path, files: list[Path], records: list[Record], accept: tuple[str, ...]
) -> list[Member]:
    """Listed files first, in the manifest's order; then those that somebody added."""
    present = {path.name: path for path in files}
    missing = [record["file"] for record in records if record["file"] not in present]
    if missing:
        raise DamagedArtifact(
            folder / MANIFEST_NAME,
            f"{len(missing)} listed file(s) are not in the folder: {_some(missing)}",
            hint="Run the command that made the folder again, or remove the manifest.",
        )
    listed = {record["file"]: record for record in records}
    order = [*listed, *(name for name in present if name not in listed)]
    return [
        Member(
            name=instance_name(present[name]),
            path=present[name],
            record=listed.get(name, {"file": name}),
            accept=accept,
        )
        for name in order
    ]


def _nothing_here(folder: Path, entries: list[Path], records: list[Record] | None) -> InputError:
    if records:
        return DamagedArtifact(
            folder / MANIFEST_NAME, f"none of the {len(records)} listed files is in the folder"
        )
    below = sorted(
        (e.name for e in entries if e.is_dir() and any(is_model_file(p) for p in e.iterdir())),
        key=natural_key,
    )
    hint = (
        f"Its sub-folders have some: {_some(below)}. Give one of them."
        if below
        else "Expected are files that end in .mps, .mps.gz, .lp or .lp.gz."
    )
    return InputError(f"there are no instances in {folder}", hint=hint)


def _refuse_doubles(folder: Path, files: list[Path]) -> None:
    seen: dict[str, Path] = {}
    for path in sorted(files):
        name = instance_name(path)
        if name in seen:
            raise InputError(
                f"{folder} holds {name!r} twice: {seen[name].name} and {path.name}",
                hint="Keep one of the two.",
            )
        seen[name] = path


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
