"""What is told of training sets that got less than was asked for."""

from __future__ import annotations

import pytest

from g2milp.downstream.summary import shortages


def run(arm: str, added: int, asked: int, passed_over: int = 0) -> dict:
    return {"arm": arm, "added": added, "asked": asked, "passed_over": passed_over}


@pytest.mark.parametrize(
    ("runs", "unlabelled", "told"),
    [
        ([run("real only", 0, 0), run("a", 4, 4)], {}, []),
        ([run("real only", 0, 0), run("a", 0, 4)], {"no binary columns": 9}, ["a: 0 of 4"]),
        ([run("a", 3, 4), run("a", 4, 4, 2)], {}, ["a: 3 to 4 of 4"]),
        ([run("a +25% of 5", 1, 2)], {"time_limit": 3}, ["a +25% of 5: 1 of 2"]),
        ([run("a", 1, 2)], {}, ["a: 1 of 2 generated instances could be added; generate more"]),
    ],
)
def test_short_training_sets_are_named(runs, unlabelled, told):
    labels = {"train": {"unlabelled": {"infeasible": 7}}, "a: x": {"unlabelled": unlabelled}}
    lines = shortages({"runs": runs, "labels": labels})
    assert len(lines) == len(told)
    for line, start in zip(lines, told, strict=True):
        assert line.startswith(start)
        assert all(f"{n} {why}" in line for why, n in unlabelled.items())
        assert "infeasible" not in line


def test_reasons_are_those_of_the_set_itself():
    labels = {"ab: x": {"unlabelled": {"time_limit": 5}}, "a: x": {"unlabelled": {}}}
    (line,) = shortages({"runs": [run("ab", 1, 6, 3)], "labels": labels})
    assert "5 time_limit" in line
    assert "3 kin" in line
    (other,) = shortages({"runs": [run("a", 1, 6)], "labels": labels})
    assert "time_limit" not in other
