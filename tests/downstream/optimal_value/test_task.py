"""Optimal value prediction from sets to the result, on instances of a dozen nodes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from downstream_sets import generated_from

from g2milp.downstream.augmentation import Augmentation
from g2milp.downstream.leakage import Leakage
from g2milp.downstream.optimal_value.protocol import protocol
from g2milp.downstream.optimal_value.task import optimal_value
from g2milp.downstream.session import Session

QUICK = {"epochs": 2, "repeats": 2, "width": 4, "hidden": 4, "depth": 1, "validation_share": 0.25}


def session(folder, train, test, generated=None, **more) -> Session:
    sets = {} if generated is None else {Augmentation("made", (folder / "generated",)): [generated]}
    return Session(folder=folder / "out", train=train, test=test, augmentations=sets, **more)


def test_every_number_is_kept_and_adds_up(tmp_path, train, test_set, generated):
    told = optimal_value(
        session(tmp_path, train, test_set, generated), protocol("mik", **QUICK, added=(3,))
    )
    assert [(r["arm"], r["repeat"]) for r in told["runs"]] == [
        ("real only", 0),
        ("made", 0),
        ("real only", 1),
        ("made", 1),
    ]
    for record in told["runs"]:
        errors = np.array(record["test_errors"])
        assert len(errors) == len(test_set)
        assert record["mse"] == pytest.approx((errors**2).mean(), rel=1e-4)
        assert (record["real"], record["validation"]) == (6, 2)
        assert record["added"] == (3 if record["arm"] == "made" else 0)
    base, made = told["summary"]
    means = [
        np.mean([r["mse"] for r in told["runs"] if r["arm"] == a]) for a in ("real only", "made")
    ]
    assert base["improvement"] is None
    assert made["mse"]["mean"] == pytest.approx(means[1])
    assert made["improvement"]["of_means"] == pytest.approx(1 - means[1] / means[0])
    assert told["labels"]["train"]["labelled"] == 8
    assert told["target"]["deviation"] > 0


def test_the_same_call_does_nothing_twice_and_more_can_be_added(
    tmp_path, train, test_set, generated
):
    few = protocol("mik", **QUICK)
    first = optimal_value(session(tmp_path, train, test_set), few)
    ledger = (tmp_path / "out" / "runs.jsonl").read_bytes()
    assert optimal_value(session(tmp_path, train, test_set), few) == first
    assert (tmp_path / "out" / "runs.jsonl").read_bytes() == ledger
    more = optimal_value(session(tmp_path, train, test_set, generated), few)
    assert (tmp_path / "out" / "runs.jsonl").read_bytes().startswith(ledger)
    assert [r for r in more["runs"] if r["arm"] == "real only"] == first["runs"]


def test_seeds_give_the_same_numbers_in_another_folder_with_workers(tmp_path, train, test_set):
    results = []
    for name, jobs in (("a", 1), ("b", 2)):
        (tmp_path / name).mkdir()
        told = optimal_value(
            session(tmp_path / name, train, test_set, jobs=jobs), protocol("mik", **QUICK)
        )
        results.append([r["mse"] for r in told["runs"]])
    assert results[0] == results[1]


def test_sizes_and_shares_are_training_sets_of_their_own(tmp_path, train, test_set, generated):
    told = optimal_value(
        session(tmp_path, train, test_set, generated),
        protocol("mik", **{**QUICK, "repeats": 1, "sizes": (4, 8), "added": (0.5, 1.0)}),
    )
    assert [row["arm"] for row in told["summary"]] == [
        "real only of 4",
        "made +50% of 4",
        "made +100% of 4",
        "real only of 8",
        "made +50% of 8",
        "made +100% of 8",
    ]
    assert [r["asked"] for r in told["runs"]] == [0, 2, 4, 0, 4, 8]
    assert all(row["improvement"] is None for row in told["summary"] if "real" in row["arm"])


def test_generated_from_the_test_set_stops_the_run_before_it_learns(tmp_path, train, test_set):
    made = generated_from(test_set, 3, tmp_path / "generated")
    with pytest.raises(Leakage):
        optimal_value(session(tmp_path, train, test_set, made), protocol("mik", **QUICK))
    assert not (tmp_path / "out" / "runs.jsonl").exists()


def test_the_result_file_is_what_is_returned(tmp_path, train, test_set):
    told = optimal_value(session(tmp_path, train, test_set), protocol("mik", **QUICK))
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == told
