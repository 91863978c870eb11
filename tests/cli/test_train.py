"""The train command, as a user calls it."""

from __future__ import annotations

import json

import pytest

from g2milp.cli.app import main
from g2milp.instance.io.files import write_file
from g2milp.testing import training_milps

SMALL = ["embedding=4", "hidden=4", "latent=2", "depth=1", "validate_every=2"]
OPTIONS = [part for setting in SMALL for part in ("--set", setting)]


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    for number, milp in enumerate(training_milps()):
        write_file(milp, folder / f"m{number}.mps")
    return str(folder)


def test_a_run_becomes_a_model_folder_and_the_same_command_is_done_at_once(
    data, tmp_path, capsys
) -> None:
    run = tmp_path / "run"
    command = ["train", data, "-o", str(run), "--steps", "3", *OPTIONS, "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["steps"] == 3
    assert told["config"]["network"]["hidden"] == 4
    names = {path.name for path in run.iterdir()}
    assert names >= {
        "model.safetensors",
        "config.json",
        "statistics.json",
        "MANIFEST.json",
        "README.md",
        "metrics.jsonl",
        "checkpoints",
        "templates",
    }
    weights = (run / "model.safetensors").read_bytes()
    assert main(command) == 0
    assert (run / "model.safetensors").read_bytes() == weights
    assert main([*command[:-1], "--resume"]) == 0
    assert main(["train", data, "-o", str(run), "--steps", "4", *OPTIONS]) == 1
    assert "training.steps" in capsys.readouterr().err
    assert main(["train", data, "-o", str(run), "--steps", "4", *OPTIONS, "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--set", "steppes=3"], 2, "Did you mean"),
        (["--set", "steps=0"], 2, "training.steps"),
        (["--preset", "mis"], 2, "code-mis"),
        (["--resume"], 2, "resume"),
        (["--resume", "--overwrite"], 2, "exclude"),
        (["--scope", "nothing"], 2, "scope"),
    ],
)
def test_wrong_calls_are_explained(data, tmp_path, capsys, options, code, words) -> None:
    assert main(["train", data, "-o", str(tmp_path / "run"), *options]) == code
    assert words in capsys.readouterr().err


def test_missing_data_is_an_input_error(tmp_path) -> None:
    assert main(["train", str(tmp_path / "none"), "-o", str(tmp_path / "run")]) == 3
