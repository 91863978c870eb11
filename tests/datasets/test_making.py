from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from g2milp.datasets.dataset import Dataset
from g2milp.datasets.making import BEGUN_NAME, make_folder
from g2milp.errors import AlreadyExists, DamagedArtifact, UsageError
from g2milp.problems.registry import make_many
from g2milp.testing import assert_milp_equal

if TYPE_CHECKING:
    from pathlib import Path

SMALL = {"n_rows": 10, "n_cols": 20, "density": 0.3}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_files_and_manifest_are_the_instances(tmp_path: Path) -> None:
    seen: list[int] = []
    made = make_folder("setcover", 5, 7, tmp_path / "a", params=SMALL, advance=seen.append)
    assert (made.written, made.found, sum(seen)) == (5, 0, 5)
    data = Dataset.open(tmp_path / "a")
    for ours, expected in zip(data, make_many("setcover", 5, 7, **SMALL), strict=True):
        assert_milp_equal(ours, expected)
    assert data.manifest is not None
    assert data.manifest[2]["number"] == 3
    assert data.manifest[2]["hash"] == data.content_hash(2)
    assert data.manifest[2]["settings"] == {**SMALL, "max_cost": 100}


def test_the_bytes_do_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    make_folder("mis", 20, 1, tmp_path / "one", params={"n_nodes": 20})
    make_folder("mis", 20, 1, tmp_path / "two", params={"n_nodes": 20}, jobs=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_interrupted_work_is_continued_to_the_same_bytes(tmp_path: Path) -> None:
    make_folder("setcover", 6, 0, tmp_path / "whole", params=SMALL)

    def stop(_: int) -> None:
        if len(list((tmp_path / "part").glob("*.gz"))) >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_folder("setcover", 6, 0, tmp_path / "part", params=SMALL, advance=stop)
    assert (tmp_path / "part" / BEGUN_NAME).exists()
    made = make_folder("setcover", 6, 0, tmp_path / "part", params=SMALL)
    assert (made.written, made.found) == (3, 3)
    assert contents(tmp_path / "part") == contents(tmp_path / "whole")


def test_done_is_done_and_more_can_be_added(tmp_path: Path) -> None:
    make_folder("setcover", 3, 0, tmp_path, params=SMALL)
    before = contents(tmp_path)
    again = make_folder("setcover", 3, 0, tmp_path, params=SMALL)
    assert (again.written, again.found) == (0, 3)
    assert contents(tmp_path) == before
    assert make_folder("setcover", 5, 0, tmp_path, params=SMALL).written == 2
    with pytest.raises(AlreadyExists, match="more than 2"):
        make_folder("setcover", 2, 0, tmp_path, params=SMALL)
    (tmp_path / "setcover-00004.mps.gz").unlink()
    assert make_folder("setcover", 5, 0, tmp_path, params=SMALL).written == 1


def test_other_settings_are_refused_and_can_overwrite(tmp_path: Path) -> None:
    make_folder("setcover", 3, 0, tmp_path, params=SMALL)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(AlreadyExists, match="seed: 0 there, 1 now"):
        make_folder("setcover", 3, 1, tmp_path, params=SMALL)
    make_folder("setcover", 2, 1, tmp_path, params=SMALL, overwrite=True)
    assert len(Dataset.open(tmp_path)) == 2
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_foreign_instances_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.mps").write_text("")
    for overwrite in (False, True):
        with pytest.raises(AlreadyExists, match="made otherwise"):
            make_folder("setcover", 3, 0, tmp_path, params=SMALL, overwrite=overwrite)
    assert (tmp_path / "mine.mps").exists()


def test_damaged_notes_are_said(tmp_path: Path) -> None:
    (tmp_path / BEGUN_NAME).write_text("{")
    with pytest.raises(DamagedArtifact, match="no JSON"):
        make_folder("setcover", 3, 0, tmp_path, params=SMALL)
    assert make_folder("setcover", 3, 0, tmp_path, params=SMALL, overwrite=True).written == 3


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    for n, jobs, seed in ((0, 1, 0), (1, 0, 0), (1, 1, -1)):
        with pytest.raises(UsageError):
            make_folder("setcover", n, seed, tmp_path / "new", jobs=jobs)
    with pytest.raises(UsageError, match="Did you mean"):
        make_folder("setcover", 1, 0, tmp_path / "new", params={"n_row": 3})
    assert not (tmp_path / "new").exists()
