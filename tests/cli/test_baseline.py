"""``g2milp baseline``: generation without a network, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from g2milp.cli.app import main
from g2milp.datasets.dataset import Dataset

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    from g2milp.generation.writing import write
    from g2milp.testing import training_milps

    folder = tmp_path / "data"
    write(training_milps(), folder)
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("name", ["random", "random-marginal", "bowly", "rewire", "copy"])
def test_every_baseline_writes_a_folder(
    name: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new"
    code, stdout, _ = run(capsys, "baseline", name, data, "-n", 4, "-o", out, "--json")
    assert code == 0
    assert json.loads(stdout)["written"] == 4
    made = Dataset.open(out)
    assert len(made) == 4
    assert [line["generator"] for line in made.manifest or []] == [name] * 4


def test_the_rules_are_told_and_the_model_is_kept(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from g2milp.baselines.rewire import Rewire

    model = tmp_path / "model"
    code, _, words = run(
        capsys, "baseline", "rewire", data, "-n", 2, "-o", tmp_path / "new", "--save", model
    )
    assert code == 0
    assert "all coefficients are equal" in words
    again = Rewire.load(model).sample(2, seed=0)
    assert list(again) == list(Dataset.open(tmp_path / "new"))


@pytest.mark.parametrize("name", ["random", "bowly", "rewire", "perturb"])
def test_a_kept_model_generates_the_same(
    name: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["baseline", name, data, "-n", 3, "-o", tmp_path / "a", "--save", tmp_path / "model"]
    assert run(capsys, *command)[0] == 0
    assert run(capsys, *command)[0] == 0, "the same command again is no conflict"
    code, _, words = run(capsys, "generate", tmp_path / "model", "-n", 3, "-o", tmp_path / "b")
    assert code == 0, words
    assert list(Dataset.open(tmp_path / "b")) == list(Dataset.open(tmp_path / "a"))
    other = [*command, "--seed", 1, "-o", tmp_path / "c"]
    code, _, words = run(capsys, *other)
    assert (code, "another model" in words) == (1, True)
    assert run(capsys, *other, "--overwrite")[0] == 0


def test_what_is_made_anew_is_said_to_be(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bowly copies nothing of a template, so changed of masked constraints would mislead."""
    _, stdout, words = run(
        capsys, "baseline", "bowly", data, "-n", 2, "-o", tmp_path / "x", "--json"
    )
    assert json.loads(stdout)["made_anew"] is True
    assert "made anew" in words
    assert "masked" not in words


def test_rows_may_come_up_again(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--mask-ratio", 1.0, "--set", "repeats=true", "--json"]
    code, stdout, _ = run(capsys, "baseline", "random", data, "-n", 2, "-o", tmp_path / "x", *words)
    assert code == 0
    assert json.loads(stdout)["masked_rows"] < 40


def test_jobs_do_not_change_bytes(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = []
    for jobs in (1, 2):
        out = tmp_path / f"jobs{jobs}"
        code, _, _ = run(capsys, "baseline", "rewire", data, "-n", 20, "-o", out, "--jobs", jobs)
        assert code == 0
        folders.append({p.name: p.read_bytes() for p in out.iterdir() if p.is_file()})
    assert folders[0] == folders[1]


@pytest.mark.parametrize(
    ("words", "exit_code", "said"),
    [
        (["rewirre"], 2, "rewire"),
        (["rewire", "--set", "efort=3"], 2, "effort"),
        (["rewire", "--set", "typed=3"], 2, "bool"),
        (["rewire", "--set", "seed=3"], 2, "--seed"),
        (["rewire", "--set", "mask_ratio=0.3"], 2, "--mask-ratio"),
        (["rewire", "--shard", "5/3"], 2, "1..3"),
        (["rewire", "--resume"], 2, "nothing to resume"),
        (["rewire", "--mask-ratio", "1.5"], 2, "mask_ratio"),
        (["rewire", "--scope", "cols"], 2, "scope"),
        (["rewire", "--order", "sideways"], 2, "sideways"),
    ],
)
def test_wrong_calls(
    words: list[str],
    exit_code: int,
    said: str,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    call = ["baseline", words[0], data, "-n", 1, "-o", tmp_path / "x", *words[1:]]
    code, _, error = run(capsys, *call)
    assert code == exit_code
    assert said in error
    assert "Rules" not in error, "refused before anything is learned"
    assert not (tmp_path / "x" / "manifest.jsonl").exists()


def test_missing_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = run(
        capsys, "baseline", "rewire", tmp_path / "nowhere", "-n", 1, "-o", tmp_path / "x"
    )
    assert code == 3
