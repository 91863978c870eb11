from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from g2milp.cli import demo
from g2milp.cli.app import COMMANDS
from g2milp.cli.demo import STEPS, Step


def test_each_step_is_a_command_that_can_be_typed():
    for step in STEPS:
        words = step.arguments(Path("my folder"), 3, overwrite=True)
        assert shlex.split(shlex.join(words)) == words
        assert words[0] in COMMANDS
        assert ("--seed" in words) == ("--overwrite" in words) == step.writes
        assert any("my folder" in word for word in words)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch):
    steps = (
        Step("Make", "problems make mis -n 2 --set n_nodes=10 --jobs 1 -o {folder}/m", writes=True),
        Step("Describe", "info {folder}/m"),
    )
    monkeypatch.setattr(demo, "STEPS", steps)


def test_the_story_is_told_and_listed(short, call):
    called = call("demo", "-o", "d", "--json")
    assert called.code == 0
    assert [step["title"] for step in called.json["steps"]] == ["Make", "Describe"]
    assert "$ g2milp problems make mis" in called.err
    assert Path("d/m/manifest.jsonl").is_file()


def test_again_it_continues_and_with_overwrite_it_starts_again(short, call):
    call("demo", "-o", "d")
    assert "2 were there already" in call("demo", "-o", "d").err
    assert "2 instances written" in call("demo", "-o", "d", "--overwrite").err


def test_another_seed_in_the_same_folder_is_refused(short, call):
    call("demo", "-o", "d")
    assert call("demo", "-o", "d", "--seed", 5).code == 1


def test_a_step_whose_extra_is_missing_is_left_out(monkeypatch: pytest.MonkeyPatch, call):
    monkeypatch.setattr(demo, "STEPS", (Step("Learn", "train {folder}", extra="train"),))
    monkeypatch.setattr("g2milp.cli.doctor.missing_extra", lambda name: f"pip install {name}")
    called = call("demo", "-o", "d", "--json")
    assert called.code == 0
    assert called.json["steps"] == []
    assert "pip install train" in called.err


def test_a_step_may_be_told_otherwise_without_its_extra():
    step = Step("Judge", "evaluate {folder}/a {folder}/b", extra="train", instead="info {folder}/a")
    assert step.arguments(Path("d"), 0, overwrite=False, complete=False) == ["info", "d/a"]
    assert step.arguments(Path("d"), 0, overwrite=False)[0] == "evaluate"
