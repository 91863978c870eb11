from __future__ import annotations

import gzip
import hashlib
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from g2milp.datasets.fetch import FetchLimits, fetch, fetch_text
from g2milp.errors import DamagedArtifact, UnavailableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTENT = np.random.default_rng(0).bytes(20_000)
HASH = hashlib.sha256(CONTENT).hexdigest()
QUICK = FetchLimits(pause=0.0, timeout=5.0)


@pytest.fixture
def site(serve: Any) -> Iterator[Any]:
    files = {"/x.bin": CONTENT, "/x.gz": gzip.compress(CONTENT), "/page": "ü".encode()}
    with serve(files) as running:
        yield running


def left_over(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_arrives_whole(site: Any, tmp_path: Path) -> None:
    seen: list[int] = []
    found = fetch(f"{site.url}/x.bin", tmp_path / "x", sha256=HASH, advance=seen.append)
    assert found == HASH
    assert (tmp_path / "x").read_bytes() == CONTENT
    assert sum(seen) == len(CONTENT)
    assert left_over(tmp_path) == ["x"]


def test_what_is_there_is_not_asked_for_again(site: Any, tmp_path: Path) -> None:
    fetch(f"{site.url}/x.bin", tmp_path / "x")
    site.requests.clear()
    assert fetch(f"{site.url}/x.bin", tmp_path / "x", sha256=HASH) == HASH
    assert site.requests == []
    with pytest.raises(DamagedArtifact, match="expected is 00"):
        fetch(f"{site.url}/x.bin", tmp_path / "x", sha256="00")


def test_the_hash_is_that_of_the_uncompressed_content(site: Any, tmp_path: Path) -> None:
    assert fetch(f"{site.url}/x.gz", tmp_path / "x.gz", sha256=HASH) == HASH


def test_broken_connections_are_resumed(site: Any, tmp_path: Path) -> None:
    site.breaks, site.break_after = 3, 6000
    fetch(f"{site.url}/x.bin", tmp_path / "x", sha256=HASH, limits=QUICK)
    assert [wanted for _, wanted in site.requests] == [
        None,
        "bytes=6000-",
        "bytes=12000-",
        "bytes=18000-",
    ]


def test_the_next_call_resumes(site: Any, tmp_path: Path) -> None:
    site.breaks = 9
    one = FetchLimits(attempts=1, pause=0.0)
    with pytest.raises(UnavailableError, match="1000 of 20000 bytes"):
        fetch(f"{site.url}/x.bin", tmp_path / "x", limits=one)
    assert not (tmp_path / "x").exists()
    site.breaks = 0
    fetch(f"{site.url}/x.bin", tmp_path / "x", sha256=HASH, limits=one)
    assert site.requests[-1] == ("/x.bin", "bytes=1000-")
    assert left_over(tmp_path) == ["x"]


def test_a_file_that_changed_meanwhile_is_begun_anew(site: Any, tmp_path: Path) -> None:
    site.breaks = 1
    with pytest.raises(UnavailableError):
        fetch(f"{site.url}/x.bin", tmp_path / "x", limits=FetchLimits(attempts=1))
    other = CONTENT[::-1]
    site.files["/x.bin"], site.etag = other, '"v2"'
    fetch(f"{site.url}/x.bin", tmp_path / "x", limits=QUICK)
    assert (tmp_path / "x").read_bytes() == other


@pytest.mark.parametrize("change", [{"ranges": False}, {"etag": ""}])
def test_servers_that_cannot_resume(site: Any, tmp_path: Path, change: dict[str, Any]) -> None:
    vars(site).update(change)
    site.breaks = 2
    fetch(f"{site.url}/x.bin", tmp_path / "x", sha256=HASH, limits=QUICK)
    assert (tmp_path / "x").read_bytes() == CONTENT


def test_a_part_that_is_no_beginning_is_dropped(site: Any, tmp_path: Path) -> None:
    (tmp_path / ".x.part").write_bytes(b"z" * 30_000)
    (tmp_path / ".x.part.version").write_text('"v1"')
    fetch(f"{site.url}/x.bin", tmp_path / "x", sha256=HASH, limits=QUICK)


def test_a_wrong_hash_is_not_kept(site: Any, tmp_path: Path) -> None:
    with pytest.raises(DamagedArtifact, match="it was not kept"):
        fetch(f"{site.url}/x.bin", tmp_path / "x", sha256="0" * 64)
    assert left_over(tmp_path) == []


def test_a_cut_gzip_is_not_kept(site: Any, tmp_path: Path) -> None:
    site.files["/x.gz"] = site.files["/x.gz"][:-10]
    with pytest.raises(DamagedArtifact, match="broken"):
        fetch(f"{site.url}/x.gz", tmp_path / "x.gz")
    assert left_over(tmp_path) == []


def test_missing_files(site: Any, tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="answered 404") as caught:
        fetch(f"{site.url}/nothing", tmp_path / "x", limits=QUICK)
    assert caught.value.exit_code == 4
    assert len(site.requests) == 1


def test_a_server_in_trouble_is_asked_again(site: Any, tmp_path: Path) -> None:
    site.failures = [503, 500]
    fetch(f"{site.url}/x.bin", tmp_path / "x", sha256=HASH, limits=QUICK)
    assert len(site.requests) == 3
    site.failures = [503] * 9
    with pytest.raises(UnavailableError, match="answered 503"):
        fetch(f"{site.url}/x.bin", tmp_path / "y", limits=QUICK)


@pytest.mark.parametrize(
    ("path", "limits", "message"),
    [
        ("/x.bin", FetchLimits(max_bytes=100), "larger than the 100 bytes"),
        ("/x.gz", FetchLimits(max_expanded=100), "expands beyond 100"),
    ],
)
def test_sizes_are_capped(
    site: Any, tmp_path: Path, path: str, limits: FetchLimits, message: str
) -> None:
    with pytest.raises(DamagedArtifact, match=message):
        fetch(site.url + path, tmp_path / "x", limits=limits)
    assert left_over(tmp_path) == []


def test_offline_is_said_plainly(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(UnavailableError, match="cannot be reached") as caught:
        fetch(f"http://127.0.0.1:{port}/x", tmp_path / "x", limits=QUICK)
    assert "network connection" in str(caught.value)
    with pytest.raises(UnavailableError, match="cannot be reached"):
        fetch_text(f"http://127.0.0.1:{port}/x")


def test_only_the_web(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only http"):
        fetch("file:///etc/passwd", tmp_path / "x")


def test_pages(site: Any) -> None:
    assert fetch_text(f"{site.url}/page") == "ü"
    with pytest.raises(DamagedArtifact, match="more than 1 bytes"):
        fetch_text(f"{site.url}/page", max_bytes=1)
