"""The paper's two public data sets by name, from their homes: ``nurse`` and ``mik``.

``nurse`` are four nurse-scheduling instances of MIPLIB 2017 with the paper's split; ``mik`` is
Atamtürk's set of mixed-integer knapsack instances, taken as its home page lists it. Files land in
the user's cache folder unless told otherwise, with a manifest of where they came from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from g2milp.datasets.cache import cache_folder
from g2milp.datasets.dataset import Dataset
from g2milp.datasets.fetch import FetchLimits, fetch, fetch_text
from g2milp.datasets.manifest import write_manifest
from g2milp.datasets.members import SUFFIXES
from g2milp.errors import DamagedArtifact, UnavailableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

MIPLIB = "https://miplib.zib.de/WebData/instances/"
MIK_HOME = "https://atamturk.ieor.berkeley.edu/data/mixed.integer.knapsack/"
MAX_FILES = 500


@dataclass(frozen=True, kw_only=True)
class RemoteFile:
    """One file of a named set; `sha256` is of the uncompressed content, None where unknown."""

    url: str
    part: str
    sha256: str | None = None

    @property
    def name(self) -> str:
        """The file's name on disk."""
        return unquote(urlsplit(self.url).path).rsplit("/", 1)[-1]


@dataclass(frozen=True, kw_only=True)
class NamedSet:
    """A public data set: its files, or the page that lists them."""

    name: str
    title: str
    terms: str
    files: tuple[RemoteFile, ...] = ()
    index: str | None = None


def _miplib(name: str, part: str, sha256: str | None = None) -> RemoteFile:
    return RemoteFile(url=f"{MIPLIB}{name}.mps.gz", part=part, sha256=sha256)


NAMED_SETS = {
    named.name: named
    for named in (
        NamedSet(
            name="nurse",
            title="nurse scheduling (INRC-2010), the paper's two train and two test instances",
            terms="MIPLIB 2017: for scientific purposes, cite the library",
            files=(
                _miplib(
                    "nursesched-medium04",
                    "train",
                    "8f23a25a67b1d7efe7aea9abd1d614a79498b8c6ba10bb5d183b517a172ced86",
                ),
                _miplib("nursesched-sprint-hidden09", "train"),
                _miplib(
                    "nursesched-sprint02",
                    "test",
                    "070c64c6dc23284fc5e85db1f8470aab4d0a6c826eff9bfc1ba4016ffbfded21",
                ),
                _miplib("nursesched-sprint-late03", "test"),
            ),
        ),
        NamedSet(
            name="mik",
            title="Atamtürk's mixed-integer knapsack set, as its home page lists it",
            terms="none stated: cite Atamtürk 2003",
            index=MIK_HOME,
        ),
        NamedSet(
            name="mik-miplib",
            title="three instances of the same set that MIPLIB keeps",
            terms="MIPLIB 2017: for scientific purposes, cite the library",
            files=(
                _miplib(
                    "mik-250-1-100-1",
                    "train",
                    "64fa63f7aa7678c69838a18c95d71fccdda8afc76d5b77f3f0266172f8249ced",
                ),
                _miplib(
                    "mik-250-20-75-3",
                    "train",
                    "8c01a8a9224b89fa2a44e79671bbf5488204cc1707d0b36beedc858f04dcc7c0",
                ),
                _miplib(
                    "mik-250-20-75-4",
                    "train",
                    "b29fe88b56bf3c924894f473cee77e25efb4dbaccb322e95c98b9210fb875e6d",
                ),
            ),
        ),
    )
}


def download(
    name: str | NamedSet,
    folder: str | Path | None = None,
    *,
    limits: FetchLimits | None = None,
    advance: Callable[[int], None] | None = None,
) -> Path:
    """Fetch what is missing of a named set; the folder it is in.

    `advance` is called with the number of bytes that arrived. Nothing is asked of the network when
    the set is complete.
    """
    named = name if isinstance(name, NamedSet) else named_set(name)
    target = Path(folder) if folder is not None else cache_folder() / "downloads" / named.name
    if (target / "manifest.jsonl").is_file():
        Dataset.open(target)
        return target
    target.mkdir(parents=True, exist_ok=True)
    records = []
    for file in named.files or _listed(named, limits):
        found = fetch(
            file.url, target / file.name, sha256=file.sha256, limits=limits, advance=advance
        )
        records.append(
            {
                "file": file.name,
                "url": file.url,
                "sha256": found,
                "checked": file.sha256 is not None,
                "part": file.part,
                "terms": named.terms,
            }
        )
    write_manifest(target, records, overwrite=True)
    return target


def open_named(name: str, part: str | None = None, folder: str | Path | None = None) -> Dataset:
    """A named set as a `Dataset`, downloaded if need be; `part` is ``"train"`` or ``"test"``."""
    dataset = Dataset.open(download(name, folder))
    if part is None:
        return dataset
    records = dataset.manifest or []
    chosen = [i for i, record in enumerate(records) if record.get("part") == part]
    if not chosen:
        known = sorted({str(record.get("part")) for record in records})
        raise UsageError(f"{name} has no part {part!r}; there are: {', '.join(known)}")
    return dataset.subset(chosen)


def named_set(name: str) -> NamedSet:
    """The set called `name`."""
    if name not in NAMED_SETS:
        raise UsageError(
            f"there is no data set called {name!r}", hint=f"Known: {', '.join(NAMED_SETS)}."
        )
    return NAMED_SETS[name]


def _listed(named: NamedSet, limits: FetchLimits | None) -> list[RemoteFile]:
    """The model files that the set's page links to, on the same server, in the page's order."""
    if named.index is None:
        raise UnavailableError(f"nothing is known of where {named.name} is")
    page = fetch_text(named.index, limits=limits)
    home = urlsplit(named.index)
    files: dict[str, RemoteFile] = {}
    for link in re.findall(r"href\s*=\s*[\"']?([^\"'\s>]{1,500})", page, re.IGNORECASE):
        address = urlsplit(urljoin(named.index, link))
        file = RemoteFile(url=address._replace(fragment="", query="").geturl(), part="train")
        same_place = (address.scheme, address.netloc) == (home.scheme, home.netloc)
        last = address.path.rsplit("/", 1)[-1]
        plain = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", last) is not None
        if same_place and plain and file.name.lower().endswith(SUFFIXES):
            files.setdefault(file.name, file)
    if not files:
        raise UnavailableError(
            f"{named.index} lists no model files any more",
            hint="Download the files by hand and give their folder instead.",
        )
    if len(files) > MAX_FILES:
        raise DamagedArtifact(named.index, f"it lists {len(files)} files, more than {MAX_FILES}")
    return list(files.values())
