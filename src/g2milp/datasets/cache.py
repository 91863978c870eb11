"""The packed cache: text files are parsed once, later runs map one binary file.

A pack is keyed by the SHA-256 of the files' bytes, the reading rules and the format, and lives in
the user's cache folder (``$XDG_CACHE_HOME/g2milp``). It can be deleted at any time. A pack that is
damaged is made anew; one that cannot be written (no right, no space) is done without.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from g2milp.datasets.pack import PACK_VERSION, open_pack, write_pack
from g2milp.errors import DamagedArtifact, G2MILPError, OutOfSpace, UnreadableFile

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.datasets.members import Member
    from g2milp.instance.milp import Milp

DISABLE = "G2MILP_NO_CACHE"
"""Environment variable that turns the cache off when it is set to anything but ``0``."""


def cache_folder() -> Path:
    """Where caches and downloads are kept; it is not made by asking."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache"
    return root / "g2milp"


def packed(dataset: Dataset, *, use_cache: bool = True) -> Dataset:
    """The same instances, mapped from the cache (which is filled first if need be).

    Raises the first error of an instance that cannot be read. Instances in memory are left as they
    are.
    """
    off = os.environ.get(DISABLE, "0") not in ("", "0")
    if not use_cache or off or any(path is None for path in dataset.paths):
        return dataset
    path = cache_folder() / "packs" / f"{source_hash(dataset)}.safetensors"
    milps = _from_pack(path, len(dataset))
    if milps is None:
        dataset.require_readable()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_pack(path, iter(dataset), overwrite=True)
        except (OSError, OutOfSpace, UnreadableFile):
            return dataset
        milps = _from_pack(path, len(dataset))
    return dataset if milps is None else dataset.with_milps(milps)


def source_hash(dataset: Dataset) -> str:
    """SHA-256 over the bytes of the files in order, their reading rules and the pack's format."""
    digest = hashlib.sha256(f"pack {PACK_VERSION}\n".encode())
    for member in dataset.members:
        if member.path is None:
            raise G2MILPError("instances in memory have no file to hash")
        try:
            with member.path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise UnreadableFile(member.path, error.strerror or str(error)) from error
        digest.update(f"{content} {member.accept!r} {_format(member)}\n".encode())
    return digest.hexdigest()


def _format(member: Member) -> str:
    name = member.path.name.lower() if member.path else ""
    return "lp" if name.endswith((".lp", ".lp.gz")) else "mps"


def _from_pack(path: Path, expected: int) -> list[Milp] | None:
    """The instances of a pack, or None when it is missing or damaged (and then removed)."""
    if not path.is_file():
        return None
    try:
        milps = open_pack(path)
        if len(milps) == expected:
            return milps
    except DamagedArtifact:
        pass
    path.unlink(missing_ok=True)
    return None
