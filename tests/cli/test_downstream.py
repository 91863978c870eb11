"""``g2milp downstream``: each task from the command line, its files, its refusals."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from g2milp.reports.downstream import read_task

VALUE = ["--epochs", 2, "--repeats", 2, "--jobs", 1]
VALUE += [word for key in ("width=4", "hidden=4", "depth=1") for word in ("--set", key)]


@pytest.fixture
def sets(call, folder):
    """``train``, ``test``, ``made`` and ``cheat``, which was generated from the test set."""
    for name, seed, n in (("train", 1, 6), ("test", 2, 3)):
        call("problems", "make", "mis", "-n", n, "--seed", seed, "--set", "n_nodes=10", "-o", name)
    for name, source in (("made", "train"), ("cheat", "test")):
        call("baseline", "random", source, "-n", 4, "--mask-ratio", 0.3, "-o", name, "--jobs", 1)
    return ["--train", "train", "--test", "test"]


def test_optimal_values(call, folder, sets):
    command = ["downstream", "optimal-value", *sets, "-o", "out", *VALUE, "--augment", "ours=made"]
    told = call(*command, "--added", 2, "--json")
    assert told.code == 0
    assert [row["arm"] for row in told.json["summary"]] == ["real only", "ours"]
    assert told.json == json.loads((folder / "out" / "result.json").read_text())
    assert "improvement" in told.err
    figure = ET.fromstring((folder / "out" / "figure.svg").read_text())
    assert figure.tag == "{http://www.w3.org/2000/svg}svg"
    assert any("real only" in (text.text or "") for text in figure.iter())
    again = call(*command, "--added", 2, "--json", "--resume")
    assert again.json == told.json
    assert call(*command, "--added", 3, "--resume").code == 1


def test_predict_and_search(call, folder, sets):
    options = ["--set", "points=2", "--added", "50%", "--search-limit", 5]
    told = call(
        "downstream", "predict-and-search", *sets, "-o", "out", *VALUE, *options, "--json",
        "--augment", "made",
    )  # fmt: skip
    assert told.code == 0
    assert [row["arm"] for row in told.json["summary"]] == ["real only", "made"]
    assert told.json["whole_instance"]["failures"]["mean"] == 0
    marks = {mark["label"]: mark["real"] for mark in told.json["figure"]["marks"]}
    assert marks == {"real only": True, "made": False, "whole instance": True}
    assert read_task("out").written[-1][0] == "whole instance"
    assert {"labels", "guard", "runs", "protocol"} <= told.json.keys()


def test_what_could_not_be_added_is_said(call, folder, sets):
    """Bowly's columns have no bounds: there is nothing binary to learn from."""
    call("baseline", "bowly", "train", "-n", 4, "-o", "whole", "--jobs", 1)
    options = ["--set", "points=2", "--added", 3, "--repeats", 1, "--search-limit", 5]
    told = call(
        "downstream", "predict-and-search", *sets, "-o", "out", *VALUE[:2], *VALUE[4:], *options,
        "--augment", "whole",
    )  # fmt: skip
    assert told.code == 0, told.err
    words = " ".join(told.err.split())
    assert "whole: 0 of 3 generated instances could be added (4 no binary columns)" in words


def test_tuning(call, folder, sets):
    options = ["--few", 3, "--added", 2, "--budget", 2, "--splits", 2, "--jobs", 1]
    told = call("downstream", "tuning", *sets, "-o", "out", *options, "--json", "--augment", "made")
    assert told.code == 0
    arms = [row["arm"] for row in told.json["summary"]]
    assert arms == ["real only, few", "made", "real only, many"]
    assert len(told.json["runs"]) == 2 * 3


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--augment", "cheat"], 3, "must not be learned from"),
        (["--augment", "=made"], 2, "NAME"),
        (["--augment", "a=made", "--augment", "a=made"], 2, "one name"),
        (["--augment", "real only=made"], 2, "real only"),
        (["--set", "epoch=3"], 2, "Did you mean 'epochs'"),
        (["--added", "half"], 2, "share like 50%"),
        (["--added", "inf%"], 2, "positive number or share"),
        (["--resume"], 2, "resumed"),
        (["--resume", "--overwrite"], 2, "exclude"),
        (["--preset", "tsp"], 2, "preset"),
        (["--augment", "nowhere"], 3, "nowhere"),
        (["--ledger", "nowhere"], 3, "no such ledger"),
    ],
)
def test_wrong_calls_are_explained(call, sets, options, code, words):
    told = call("downstream", "optimal-value", *sets, "-o", "out", *VALUE, *options)
    assert (told.code, words in told.err) == (code, True), told.err


def test_the_group_shows_its_tasks(call, folder):
    shown = call("downstream", "--help").out
    assert all(task in shown for task in ("optimal-value", "predict-and-search", "tuning"))
