"""`Dataset`: an ordered, named collection of instances that are read when they are asked for.

A folder, a list of files, one file or instances in memory: everything that learns, generates,
solves or compares takes a `Dataset`. Opening one reads no instance; a small cache, bounded by
non-zeros, keeps the ones that were used last.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, overload

import numpy as np

from g2milp.datasets.members import Member, members_of_folder, members_of_paths
from g2milp.errors import G2MILPError, InputError, UnreadableFile, UsageError
from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike

    from g2milp.datasets.manifest import Record

PathLike: TypeAlias = str | os.PathLike[str]

CACHED_NONZEROS = 5_000_000
"""Instances are kept in memory up to this many non-zeros together (about 150 MB)."""


class Dataset(Sequence[Milp]):
    """Instances with names, in a fixed order.

    Make one with `Dataset.open` or `Dataset.from_milps`; ``ds[i]`` is a `Milp`, ``ds[a:b]`` a
    `Dataset` that shares what has been read.
    """

    def __init__(self, members: Sequence[Member], *, has_manifest: bool = False) -> None:
        self._members = tuple(members)
        self._has_manifest = has_manifest
        self._cache: OrderedDict[Member, Milp] = OrderedDict()
        self._hashes: dict[Member, str] = {}

    @classmethod
    def open(cls, source: PathLike | Iterable[PathLike], *, accept: Sequence[str] = ()) -> Dataset:
        """A folder, one file, or several files; `accept` names reading rules to allow.

        A folder is taken in the order of its manifest if it has one, else in natural order
        (``a2`` before ``a10``).
        """
        rules = tuple(accept)
        if not isinstance(source, str | os.PathLike):
            paths = [Path(path) for path in source]
            if not paths:
                raise InputError("the list of files is empty")
            return cls(members_of_paths(paths, rules))
        path = Path(source)
        if not path.exists():
            raise UnreadableFile(path, "there is no such file or folder")
        if path.is_dir():
            members, has_manifest = members_of_folder(path, rules)
            return cls(members, has_manifest=has_manifest)
        return cls(members_of_paths([path], rules))

    @classmethod
    def from_milps(cls, milps: Iterable[Milp], names: Sequence[str] | None = None) -> Dataset:
        """Instances in memory; without `names` they are called ``0, 1, …``."""
        held = list(milps)
        for milp in held:
            if not isinstance(milp, Milp):
                raise UsageError(f"a data set holds Milp objects, not {type(milp).__name__}")
        given = [str(i) for i in range(len(held))] if names is None else list(names)
        if len(given) != len(held):
            raise UsageError(f"{len(given)} names for {len(held)} instances")
        if len(set(given)) != len(given):
            raise UsageError("two instances of a data set have the same name")
        return cls([Member(name=n, milp=m) for n, m in zip(given, held, strict=True)])

    def __len__(self) -> int:
        return len(self._members)

    @overload
    def __getitem__(self, index: int) -> Milp: ...
    @overload
    def __getitem__(self, index: slice) -> Dataset: ...
    def __getitem__(self, index: int | slice) -> Milp | Dataset:
        if isinstance(index, slice):
            return self.subset(range(*index.indices(len(self))))
        return self._load(self._members[index])

    def __iter__(self) -> Iterator[Milp]:
        for member in self._members:
            yield self._load(member)

    def __repr__(self) -> str:
        names = ", ".join(self.names[:3]) + (", …" if len(self) > 3 else "")
        return f"Dataset({len(self)} instance{'s' * (len(self) != 1)}: {names})"

    @property
    def names(self) -> tuple[str, ...]:
        """One name an instance: that of its file without the ending."""
        return tuple(member.name for member in self._members)

    @property
    def paths(self) -> tuple[Path | None, ...]:
        """The file of each instance; None for instances in memory."""
        return tuple(member.path for member in self._members)

    @property
    def members(self) -> tuple[Member, ...]:
        """Name, file and record of each instance."""
        return self._members

    @property
    def accept(self) -> tuple[str, ...]:
        """The reading rules that are allowed, for opening the same files elsewhere."""
        return tuple(dict.fromkeys(rule for member in self._members for rule in member.accept))

    @property
    def manifest(self) -> list[Record] | None:
        """The manifest's record of each instance; None without a manifest."""
        if not self._has_manifest:
            return None
        return [dict(member.record or {}) for member in self._members]

    @property
    def hash(self) -> str:
        """SHA-256 over the content hashes of all instances in order; reads every instance."""
        digest = hashlib.sha256()
        for index in range(len(self)):
            digest.update(bytes.fromhex(self.content_hash(index)))
        return digest.hexdigest()

    def content_hash(self, index: int) -> str:
        """The content hash of one instance (names do not count), computed once."""
        from g2milp.instance.fingerprint import content_hash

        member = self._members[index]
        if member not in self._hashes:
            self._hashes[member] = content_hash(self._load(member))
        return self._hashes[member]

    def subset(self, indices: ArrayLike | Iterable[int]) -> Dataset:
        """The instances with these indices, in this order; shares what has been read."""
        chosen = [self._members[int(i)] for i in np.atleast_1d(np.asarray(list(indices)))]  # type: ignore[arg-type]
        return self._sharing(chosen)

    def with_milps(self, milps: Sequence[Milp]) -> Dataset:
        """The same names, files and records with instances that have been read already."""
        held = [replace(m, milp=milp) for m, milp in zip(self._members, milps, strict=True)]
        return Dataset(held, has_manifest=self._has_manifest)

    def split(self, fractions: Sequence[float], seed: int = 0) -> tuple[Dataset, ...]:
        """Disjoint random parts, for example ``train, test = ds.split((0.8, 0.2), seed=0)``."""
        from g2milp.datasets.splits import split_indices

        return tuple(self.subset(part) for part in split_indices(len(self), fractions, seed))

    def failures(self) -> list[tuple[str, str]]:
        """Read every instance; (name, reason) of each that cannot be read."""
        found = []
        for member in self._members:
            try:
                self._load(member)
            except G2MILPError as error:
                found.append((member.name, str(error)))
        return found

    def changed(self) -> list[str]:
        """Names of instances that differ from the content hash in the manifest (none without)."""
        recorded = [(member.record or {}).get("hash") for member in self._members]
        return [
            name
            for i, (name, hash_) in enumerate(zip(self.names, recorded, strict=True))
            if hash_ is not None and hash_ != self.content_hash(i)
        ]

    def readable(self) -> tuple[Dataset, list[tuple[str, str]]]:
        """The instances that can be read, and (name, reason) of those that cannot."""
        failures = self.failures()
        bad = {name for name, _ in failures}
        return self._sharing([m for m in self._members if m.name not in bad]), failures

    def require_readable(self) -> None:
        """Read every instance; raise one error that lists all that cannot be read."""
        failures = self.failures()
        if failures:
            listed = "\n".join(f"  {reason}" for _, reason in failures[:20])
            more = f"\n  ... and {len(failures) - 20} more" if len(failures) > 20 else ""
            raise InputError(
                f"{len(failures)} of {len(self)} instances cannot be read:\n{listed}{more}"
            )

    def _sharing(self, members: list[Member]) -> Dataset:
        part = Dataset(members, has_manifest=self._has_manifest)
        part._cache = self._cache
        part._hashes = self._hashes
        return part

    def _load(self, member: Member) -> Milp:
        if member.milp is not None:
            return member.milp
        if member in self._cache:
            self._cache.move_to_end(member)
            return self._cache[member]
        from g2milp.instance.io.files import read

        assert member.path is not None
        milp = read(member.path, accept=member.accept)
        self._cache[member] = milp
        held = sum(m.n_nonzeros for m in self._cache.values())
        while held > CACHED_NONZEROS and len(self._cache) > 1:
            _, dropped = self._cache.popitem(last=False)
            held -= dropped.n_nonzeros
        return milp


def as_dataset(data: Dataset | Milp | PathLike | Iterable[Milp] | Iterable[PathLike]) -> Dataset:
    """Whatever stands for instances, as a `Dataset`: one, a path, paths, one Milp, several."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, Milp):
        return Dataset.from_milps([data])
    if isinstance(data, str | os.PathLike):
        return Dataset.open(data)
    items = list(data)
    paths = [item for item in items if isinstance(item, str | os.PathLike)]
    milps = [item for item in items if not isinstance(item, str | os.PathLike)]
    if paths and milps:
        raise UsageError("a data set is made of files or of Milp objects, not of both")
    return Dataset.open(paths) if paths else Dataset.from_milps(milps)
