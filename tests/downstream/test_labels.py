"""Labels come from claims that hold; everything else is named."""

from __future__ import annotations

import pytest

from g2milp.downstream.labels import label_missing, labelled, read_labels, unlabelled_in
from g2milp.execution.ledger import Ledger, read
from g2milp.solvers.labelling import Plan
from g2milp.solvers.records import KEY as LABEL_KEY

KEY = ("instance_hash", "seed")


def line(name: str, status: str, objective: float | None, seed: int = 0, checked: str = "exact"):
    return {
        "instance_hash": name,
        "seed": seed,
        "status": status,
        "objective": objective,
        "checked": checked,
    }


@pytest.mark.parametrize(
    ("lines", "value", "state"),
    [
        ([line("a", "optimal", 5.0)], 5.0, "optimal"),
        ([line("a", "optimal", 5.0), line("a", "optimal", 5.00001, 1)], 5.000005, "optimal"),
        ([line("a", "optimal", 5.0), line("a", "time_limit", 4.0, 1)], 5.0, "optimal"),
        ([line("a", "optimal", 5.0), line("a", "optimal", 6.0, 1)], None, "solvers disagree"),
        ([line("a", "optimal", 5.0), line("a", "infeasible", None, 1)], None, "solvers disagree"),
        ([line("a", "time_limit", 4.0)], None, "time_limit"),
        ([line("a", "infeasible", None)], None, "infeasible"),
    ],
)
def test_one_label_from_all_lines(tmp_path, lines, value, state):
    with Ledger(tmp_path / "l.jsonl", KEY) as ledger:
        for one in lines:
            ledger.append(one)
    label = read_labels([tmp_path / "l.jsonl", tmp_path / "none"])["a"]
    assert label.state == state
    assert label.value == (None if value is None else pytest.approx(value))


def test_a_wrong_claim_is_no_label(tmp_path):
    with Ledger(tmp_path / "l.jsonl", KEY) as ledger:
        ledger.append(line("a", "optimal", 5.0, checked="wrong"))
    assert read_labels([tmp_path / "l.jsonl"]) == {}


@pytest.mark.parametrize(
    ("status", "seconds", "limit", "again"),
    [
        ("time_limit", 5.0, 5.0, False),
        ("time_limit", 5.0, 60.0, True),
        ("time_limit", 5.0, None, True),
        ("node_limit", 0.1, 5.0, True),
        ("infeasible", 0.1, 60.0, False),
        ("crashed", 0.1, 60.0, False),
    ],
)
def test_only_what_a_shorter_limit_ended_is_solved_again(
    train, tmp_path, status, seconds, limit, again
):
    with Ledger(tmp_path / "l.jsonl", KEY) as ledger:
        for i in range(len(train)):
            ledger.append(line(train.content_hash(i), status, None) | {"seconds": seconds})
    labels = read_labels([tmp_path / "l.jsonl"])
    waiting = unlabelled_in(train, labels, limit)
    assert waiting == (list(range(len(train))) if again else [])


def test_a_longer_limit_finds_what_a_shorter_one_did_not(train, tmp_path):
    own = tmp_path / "labels"
    one = train.subset([0])
    with Ledger(own / "shorter.jsonl", LABEL_KEY) as ledger:
        first = label_missing([one], [], tmp_path / "other", Plan(seeds=(0,)))
        known = next(iter(read(tmp_path / "other")))
        ledger.append(known | {"status": "time_limit", "seconds": 0.001, "settings_hash": "x"})
    assert read_labels([own])[one.content_hash(0)].value is None
    assert label_missing([one], [], own, Plan(seeds=(0,))) == first


def test_what_is_missing_is_solved_once(train, tmp_path):
    own = tmp_path / "labels"
    plan = Plan(seeds=(0,))
    first = label_missing([train.subset([0, 1])], [], own, plan)
    asked = []
    labels = label_missing([train], [], own, plan, advance=lambda items, note: asked.append(note))
    assert asked == list(train.names[2:])
    assert len(labels) == len(train)
    assert all(labels[key] == first[key] for key in first)
    assert not unlabelled_in(train, labels)
    known = labelled(train, {k: v for k, v in labels.items() if k != train.content_hash(3)})
    assert known.data.names == tuple(n for i, n in enumerate(train.names) if i != 3)
    assert known.unlabelled == ((train.names[3], "not solved"),)
