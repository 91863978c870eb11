from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from g2milp.datasets.cache import cache_folder, packed
from g2milp.datasets.dataset import Dataset
from g2milp.errors import InputError
from g2milp.instance.io.files import write_file
from g2milp.testing import assert_milp_equal, random_milp, tiny_milps

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("G2MILP_NO_CACHE", raising=False)
    folder = tmp_path / "data"
    folder.mkdir()
    for k, name in enumerate(("knapsack", "range", "semi", "free column")):
        write_file(tiny_milps()[name], folder / f"i{k}.mps.gz")
    write_file(random_milp(np.random.default_rng(0)), folder / "i4.mps")
    return Dataset.open(folder)


def packs() -> list[Path]:
    return sorted((cache_folder() / "packs").glob("*"))


def test_the_same_instances_come_out_of_the_cache(data: Dataset) -> None:
    first = packed(data)
    assert len(packs()) == 1
    assert first.names == data.names
    assert first.paths == data.paths
    assert first.hash == data.hash
    again = packed(Dataset.open([p for p in data.paths if p]))
    for a, b in zip(again, data, strict=True):
        assert_milp_equal(a, b)
    assert len(packs()) == 1


def test_a_hit_parses_no_file(data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    packed(data)
    monkeypatch.setattr("g2milp.instance.io.files.read", None)
    assert len(list(packed(Dataset.open([p for p in data.paths if p])))) == 5


def test_a_changed_file_is_another_key(data: Dataset) -> None:
    packed(data)
    assert data.paths[0] is not None
    write_file(tiny_milps()["offset"], data.paths[0], overwrite=True)
    fresh = Dataset.open([p for p in data.paths if p])
    assert_milp_equal(packed(fresh)[0], fresh[0])
    assert len(packs()) == 2


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "garbage"])
def test_a_damaged_pack_is_made_anew(data: Dataset, damage: str) -> None:
    expected = list(packed(data))
    (pack,) = packs()
    content = bytearray(pack.read_bytes())
    if damage == "flip":
        content[-3] ^= 1
    elif damage == "cut":
        del content[-100:]
    elif damage == "empty":
        content.clear()
    else:
        content[:] = b"\xff" * len(content)
    pack.unlink()
    pack.write_bytes(content)
    assert list(packed(Dataset.open([p for p in data.paths if p]))) == expected
    assert pack.read_bytes() != content


def test_opting_out(data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    assert packed(data, use_cache=False) is data
    monkeypatch.setenv("G2MILP_NO_CACHE", "1")
    assert packed(data) is data
    assert not cache_folder().exists()


def test_instances_in_memory_are_left_alone() -> None:
    data = Dataset.from_milps([tiny_milps()["range"]])
    assert packed(data) is data


def test_without_a_writable_cache_it_works_the_same(
    data: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert packed(data) is data


def test_unreadable_members_are_listed(data: Dataset, tmp_path: Path) -> None:
    (tmp_path / "data" / "bad.mps").write_text("garbage")
    with pytest.raises(InputError, match=r"1 of 6 instances"):
        packed(Dataset.open(tmp_path / "data"))
