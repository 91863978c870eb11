from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from g2milp.datasets import downloads as module
from g2milp.datasets.downloads import NAMED_SETS, NamedSet, RemoteFile, download, open_named
from g2milp.datasets.fetch import FetchLimits
from g2milp.errors import DamagedArtifact, UnavailableError, UsageError
from g2milp.instance.io import mps
from g2milp.testing import assert_milp_equal, tiny_milps

if TYPE_CHECKING:
    from collections.abc import Iterator

ONE = mps.dumps(tiny_milps()["range"])
TWO = mps.dumps(tiny_milps()["knapsack"])
PAGE = b"""<a href="../">up</a> <a href="mik.250-1-50.10.mps">x</a> <A HREF='mik.250-1-50.2.mps'>
<a href="mik.250-1-50.2.mps">again</a> <a href="http://elsewhere.org/evil.mps">no</a>
<a href="..%2F..%2Fescape.mps">no</a> <a href="notes.txt">no</a> <a href=".hidden.mps">no</a>"""


@pytest.fixture
def site(serve: Any) -> Iterator[Any]:
    files = {"/one.mps": ONE, "/two.mps": TWO, "/mik/": PAGE}
    files["/mik/mik.250-1-50.10.mps"], files["/mik/mik.250-1-50.2.mps"] = ONE, TWO
    with serve(files) as running:
        yield running


def named(site: Any, sha256: str | None = None) -> NamedSet:
    return NamedSet(
        name="pair",
        title="two files",
        terms="none",
        files=(
            RemoteFile(url=f"{site.url}/two.mps", part="train", sha256=sha256),
            RemoteFile(url=f"{site.url}/one.mps", part="test"),
        ),
    )


def test_the_files_and_a_manifest(
    site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = hashlib.sha256(TWO).hexdigest()
    monkeypatch.setitem(NAMED_SETS, "pair", named(site, good))
    data = open_named("pair", folder=tmp_path)
    assert data.names == ("two", "one")
    assert_milp_equal(data[1], tiny_milps()["range"])
    assert data.manifest is not None
    assert data.manifest[0]["sha256"] == good
    assert [record["checked"] for record in data.manifest] == [True, False]
    assert open_named("pair", "test", folder=tmp_path).names == ("one",)
    assert len(site.requests) == 2
    with pytest.raises(UsageError, match="there are: test, train"):
        open_named("pair", "validation", folder=tmp_path)


def test_they_land_in_the_cache_folder(
    site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert download(named(site)) == tmp_path / "g2milp" / "downloads" / "pair"


def test_a_wrong_hash_stops_and_the_rest_is_kept(site: Any, tmp_path: Path) -> None:
    with pytest.raises(DamagedArtifact, match="it was not kept"):
        download(named(site, "0" * 64), tmp_path)
    assert not (tmp_path / "manifest.jsonl").exists()


def test_an_interrupted_set_is_continued(site: Any, tmp_path: Path) -> None:
    del site.files["/one.mps"]
    with pytest.raises(UnavailableError, match="404"):
        download(named(site), tmp_path)
    site.files["/one.mps"] = ONE
    download(named(site), tmp_path)
    assert [path for path, _ in site.requests] == ["/two.mps", "/one.mps", "/one.mps"]


def test_a_set_that_is_listed_on_a_page(site: Any, tmp_path: Path) -> None:
    listed = NamedSet(name="l", title="t", terms="none", index=f"{site.url}/mik/")
    folder = download(listed, tmp_path / "l")
    files = sorted(path.name for path in folder.iterdir() if path.suffix == ".mps")
    assert files == ["mik.250-1-50.10.mps", "mik.250-1-50.2.mps"]
    site.files["/mik/"] = b"moved"
    with pytest.raises(UnavailableError, match="lists no model files"):
        download(listed, tmp_path / "m")


def test_a_page_with_too_many_files(
    site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 1)
    listed = NamedSet(name="l", title="t", terms="none", index=f"{site.url}/mik/")
    with pytest.raises(DamagedArtifact, match="more than 1"):
        download(listed, tmp_path, limits=FetchLimits(attempts=1))


def test_the_paper_s_sets_are_known() -> None:
    nurse = NAMED_SETS["nurse"].files
    assert [(f.name, f.part) for f in nurse] == [
        ("nursesched-medium04.mps.gz", "train"),
        ("nursesched-sprint-hidden09.mps.gz", "train"),
        ("nursesched-sprint02.mps.gz", "test"),
        ("nursesched-sprint-late03.mps.gz", "test"),
    ]
    assert NAMED_SETS["mik"].index is not None
    with pytest.raises(UsageError, match="Known: nurse, mik"):
        download("nurses")


@pytest.mark.parametrize("name", ["nurse", "mik-miplib"])
def test_known_hashes_are_those_of_the_real_files(shared_data: Path, name: str) -> None:
    import gzip

    folder = shared_data / ("nurse" if name == "nurse" else "mik")
    checked = [file for file in NAMED_SETS[name].files if file.sha256]
    assert checked
    for file in checked:
        with gzip.open(folder / file.name) as content:
            assert hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
