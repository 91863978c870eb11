from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from g2milp.datasets import dataset as module
from g2milp.datasets.dataset import Dataset, as_dataset
from g2milp.errors import DamagedArtifact, InputError, UnreadableFile, UsageError
from g2milp.instance.io.files import write_file
from g2milp.problems.registry import make_many
from g2milp.testing import assert_milp_equal, tiny_milps

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.instance.milp import Milp


@pytest.fixture
def milps() -> list[Milp]:
    return list(make_many("gisp", 4, 0, n_nodes=8))


@pytest.fixture
def folder(tmp_path: Path, milps: list[Milp]) -> Path:
    for name, milp in zip(("a10.mps", "a2.mps.gz", "a1.lp", "b.mps"), milps, strict=True):
        write_file(milp, tmp_path / name)
    return tmp_path


def test_natural_order_and_names(folder: Path, milps: list[Milp]) -> None:
    (folder / ".hidden.mps").write_text("garbage")
    (folder / "README.md").write_text("not an instance")
    (folder / "below").mkdir()
    data = Dataset.open(folder)
    assert data.names == ("a1", "a2", "a10", "b")
    assert [p.name for p in data.paths if p] == ["a1.lp", "a2.mps.gz", "a10.mps", "b.mps"]
    assert len(data) == 4
    assert data.manifest is None
    assert_milp_equal(data[-1], milps[3])
    assert_milp_equal(data[1], milps[1])
    assert repr(data) == "Dataset(4 instances: a1, a2, a10, …)"


def test_opening_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.mps").write_text("garbage")
    data = Dataset.open(tmp_path)
    with pytest.raises(InputError):
        data[0]


def test_lists_and_single_files(folder: Path) -> None:
    data = Dataset.open([folder / "b.mps", folder / "a2.mps.gz"])
    assert data.names == ("b", "a2")
    assert Dataset.open(str(folder / "b.mps")).names == ("b",)
    assert as_dataset([str(folder / "b.mps")]).names == ("b",)


def test_same_name_in_two_folders_stays_apart(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_file(tiny_milps()["range"], other / "b.mps")
    assert Dataset.open([folder / "b.mps", other / "b.mps"]).names == ("b", "other-b")
    with pytest.raises(InputError, match="given twice"):
        Dataset.open([folder / "b.mps", folder / "b.mps"])


def test_in_memory(milps: list[Milp]) -> None:
    data = Dataset.from_milps(milps)
    assert data.names == ("0", "1", "2", "3")
    assert data.paths == (None,) * 4
    assert data[2] is milps[2]
    assert list(data) == milps
    assert as_dataset(data) is data
    assert as_dataset(milps).hash == data.hash
    assert as_dataset(milps[0])[0] is milps[0]
    assert len(Dataset.from_milps([])) == 0


def test_subsets_and_splits(milps: list[Milp]) -> None:
    data = Dataset.from_milps(milps, names=list("pqrs"))
    assert data.subset([3, 0]).names == ("s", "p")
    assert data.subset(np.array([1])).names == ("q",)
    assert data[1:3].names == ("q", "r")
    assert len(data.subset([])) == 0
    train, test = data.split((0.75, 0.25), seed=1)
    assert (len(train), len(test)) == (3, 1)
    assert sorted(train.names + test.names) == list("pqrs")
    with pytest.raises(IndexError):
        data[4]


def test_the_hash_is_that_of_the_content(folder: Path, milps: list[Milp]) -> None:
    data = Dataset.open(folder)
    assert data.hash == Dataset.from_milps([milps[2], milps[1], milps[0], milps[3]]).hash
    assert data.hash != Dataset.from_milps(milps).hash
    assert data.hash != data[:3].hash


def test_the_cache_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CACHED_NONZEROS", 1)
    data = Dataset.open(folder)
    first = data[0]
    assert data[0] is first
    assert data[1] is data[1]
    assert data[0] is not first
    assert data[0] == first


def test_failures_are_collected(folder: Path) -> None:
    (folder / "a3.mps").write_text("garbage\n")
    (folder / "c.mps.gz").write_bytes(b"\x1f\x8bgarbage")
    data = Dataset.open(folder)
    assert [name for name, _ in data.failures()] == ["a3", "c"]
    good, failures = data.readable()
    assert good.names == ("a1", "a2", "a10", "b")
    assert all(reason for _, reason in failures)
    with pytest.raises(InputError, match="2 of 6 instances cannot be read") as caught:
        data.require_readable()
    assert "a3.mps" in str(caught.value)
    good.require_readable()


def test_folders_that_are_no_data_set_are_refused(tmp_path: Path, folder: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match=r"no instances in .*empty"):
        Dataset.open(empty)
    (empty / "inner").mkdir()
    write_file(tiny_milps()["range"], empty / "inner" / "x.mps")
    with pytest.raises(InputError, match="sub-folders have some: inner"):
        Dataset.open(empty)
    with pytest.raises(UnreadableFile, match="no such file"):
        Dataset.open(tmp_path / "missing")
    with pytest.raises(InputError, match="do not exist"):
        Dataset.open([tmp_path / "missing.mps", tmp_path / "too.mps"])
    with pytest.raises(InputError, match="is empty"):
        Dataset.open([])
    with pytest.raises(InputError, match="is a folder inside a list"):
        Dataset.open([folder, folder / "b.mps"])


@pytest.mark.parametrize("foreign", ["x.mps.bz2", "y.cip", "z.OPB", "w.lp.zip"])
def test_models_in_other_formats_are_not_passed_over_in_silence(folder: Path, foreign: str) -> None:
    (folder / foreign).write_text("")
    with pytest.raises(InputError, match="formats that are not read"):
        Dataset.open(folder)


def test_one_instance_in_two_files_is_refused(folder: Path, milps: list[Milp]) -> None:
    write_file(milps[0], folder / "b.lp.gz")
    with pytest.raises(InputError, match=r"holds 'b' twice: b.lp.gz and b.mps"):
        Dataset.open(folder)


def test_the_manifest_gives_the_order(folder: Path) -> None:
    from g2milp.datasets.manifest import write_manifest

    write_manifest(folder, [{"file": "b.mps", "seed": 5}, {"file": "a10.mps"}])
    data = Dataset.open(folder)
    assert data.names == ("b", "a10", "a1", "a2")
    assert data.manifest is not None
    assert data.manifest[0] == {"file": "b.mps", "seed": 5, "schema_version": 1}
    assert data.manifest[2] == {"file": "a1.lp"}
    assert data.subset([1]).manifest == [{"file": "a10.mps", "schema_version": 1}]
    (folder / "b.mps").unlink()
    with pytest.raises(DamagedArtifact, match=r"not in the folder: b.mps"):
        Dataset.open(folder)


def test_edited_files_are_noticed(folder: Path, milps: list[Milp]) -> None:
    from g2milp.datasets.manifest import write_manifest
    from g2milp.instance.fingerprint import content_hash

    records = [{"file": "b.mps", "hash": content_hash(milps[3])}, {"file": "a10.mps", "hash": "0"}]
    assert Dataset.open(folder).changed() == []
    write_manifest(folder, records)
    assert Dataset.open(folder).changed() == ["a10"]


def test_wrong_calls_are_refused(milps: list[Milp]) -> None:
    with pytest.raises(UsageError, match="not of both"):
        as_dataset([milps[0], "x.mps"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="2 names for 4"):
        Dataset.from_milps(milps, names=["a", "b"])
    with pytest.raises(UsageError, match="same name"):
        Dataset.from_milps(milps, names=list("aabc"))
    with pytest.raises(UsageError, match="not int"):
        Dataset.from_milps([1])  # type: ignore[list-item]


def test_reading_rules_are_kept(folder: Path) -> None:
    data = Dataset.open(folder, accept=("negative-up",))
    assert data.accept == ("negative-up",)
    assert data[:2].accept == ("negative-up",)
