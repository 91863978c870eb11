"""The ledger of runs: what is done is not done again, what changed is."""

from __future__ import annotations

import json

import pytest

from g2milp.downstream.runs import RUNS_NAME, Run, claim, complete, digest, write_result
from g2milp.errors import AlreadyExists, ItemsFailed, TrainingDiverged, UsageError

FIXED = ("task", "train")


def square(number: int) -> dict:
    """A piece of work for worker processes."""
    if number < 0:
        raise TrainingDiverged("negative")
    return {"value": number * number}


def runs(numbers: list[int]) -> list[Run]:
    return [Run("t", f"arm {i}", 0, digest(n), n) for i, n in enumerate(numbers)]


def test_only_what_is_missing_is_done(tmp_path):
    done = []

    def work(number: int) -> dict:
        done.append(number)
        return square(number)

    assert [r["value"] for r in complete(tmp_path, runs([1, 2]), work)] == [1, 4]
    assert [r["value"] for r in complete(tmp_path, runs([1, 2, 3]), work)] == [1, 4, 9]
    assert done == [1, 2, 3]
    assert [r["value"] for r in complete(tmp_path, runs([1, 5, 3]), work)] == [1, 25, 9]
    assert done == [1, 2, 3, 5]


def test_workers_give_the_same_records_in_order(tmp_path):
    alone = complete(tmp_path / "a", runs([3, 1, 2]), square)
    assert complete(tmp_path / "b", runs([3, 1, 2]), square, jobs=2) == alone


def test_a_torn_line_is_done_again(tmp_path):
    before = complete(tmp_path, runs([1, 2]), square)
    path = tmp_path / RUNS_NAME
    path.write_bytes(path.read_bytes()[:-9])
    assert complete(tmp_path, runs([1, 2]), square) == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_failures_are_listed_and_the_rest_is_kept(tmp_path, jobs):
    with pytest.raises(ItemsFailed, match="arm 1, repeat 0"):
        complete(tmp_path, runs([1, -1, 2]), square, jobs=jobs)
    assert len((tmp_path / RUNS_NAME).read_text().splitlines()) == 2


def test_a_folder_belongs_to_its_sets(tmp_path):
    folder = tmp_path / "out"
    with pytest.raises(UsageError, match="resumed"):
        claim(folder, {"task": "t", "train": 1, "repeats": 5}, FIXED, resume=True)
    claim(folder, {"task": "t", "train": 1, "repeats": 5}, FIXED)
    claim(folder, {"task": "t", "train": 1, "repeats": 6}, FIXED)
    with pytest.raises(AlreadyExists, match="repeats"):
        claim(folder, {"task": "t", "train": 1, "repeats": 5}, FIXED, resume=True)
    with pytest.raises(AlreadyExists, match="train"):
        claim(folder, {"task": "t", "train": 2, "repeats": 6}, FIXED)
    claim(folder, {"task": "t", "train": 2, "repeats": 6}, FIXED, overwrite=True)


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(AlreadyExists, match="not empty"):
        claim(tmp_path, {"task": "t"}, FIXED)


def test_results_are_json_with_versions(tmp_path):
    told = write_result(tmp_path, {"a": (1, 2)})
    assert told["a"] == [1, 2]
    assert json.loads((tmp_path / "result.json").read_text()) == told
    assert {"schema_version", "g2milp"} <= told.keys()
