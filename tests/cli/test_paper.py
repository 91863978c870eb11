"""``g2milp paper``: list, run, page; all experiments run at the smallest scale."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from g2milp.cli.app import main
from g2milp.errors import UsageError
from g2milp.experiments.lab import REAL
from g2milp.experiments.registry import EXPERIMENTS
from g2milp.generation.writing import write
from g2milp.instance.io.files import write_file
from g2milp.problems.registry import make_many


def test_the_list_has_one_entry_an_experiment(capsys):
    assert main(["paper", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [e["name"] for e in found["experiments"]] == list(EXPERIMENTS)
    assert all(e["title"] and e["kind"] in ("table", "figure") for e in found["experiments"])


def pretend(folder: Path) -> Path:
    """Small instances where real ones are expected."""
    mik = {"n_integers": 10, "n_continuous": 3, "n_knapsacks": 2}
    cover = {"n_rows": 8, "n_cols": 16, "density": 0.3}
    one = next(iter(make_many("setcover", 1, 0, **cover)))
    fixed = np.array([0.0] + [1.0] * 15)
    made = {
        "mik": list(make_many("mik", 3, 0, **mik)),
        "mipcc23/vary_obj_series_1": [replace(one, objective=one.objective + k) for k in range(4)],
        "mipcc23/vary_bounds_series_2": [
            replace(one, col_upper=np.roll(fixed, k)) for k in range(4)
        ],
    }
    for place, milps in made.items():
        write(milps, folder / place)
    places = {place for listed in REAL.values() for place in listed} - set(made)
    for number, place in enumerate(sorted(places)):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        write_file(next(iter(make_many("setcover", 1, number + 1, **cover))), folder / place)
    return folder


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_experiments_run_and_make_a_page(tmp_path, capsys):
    folder = tmp_path / "paper"
    arguments = ["paper", "run", "all", "--scale", "smoke", "--jobs", "1", "-o", str(folder)]
    data = pretend(tmp_path / "data")
    assert main([*arguments, "--solver", "highs", "--data", str(data), "--json"]) == 0
    documents = json.loads(capsys.readouterr().out)["experiments"]
    expected = list(EXPERIMENTS)
    assert [d["experiment"] for d in documents] == expected
    for document in documents:
        cells = [f for f in document["findings"] if f.get("value") is not None]
        assert len(cells) >= len(document["findings"]) / 2, document["experiment"]
        assert json.loads((folder / f"{document['experiment']}.json").read_bytes()) == document
        for figure in document["figures"]:
            assert (folder / f"{document['experiment']}-{figure}").is_file()
    page = tmp_path / "RESULTS.md"
    assert main(["paper", "page", str(folder), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert all(EXPERIMENTS[name].title in text for name in expected)


def test_the_command_names_what_decides_the_numbers(tmp_path, capsys):
    arguments = ["paper", "run", "datasets", "--scale", "smoke", "-o", str(tmp_path / "paper")]
    given = ["--solver", "highs", "--use", f"mis/best={tmp_path}/run", "--set", "mis.instances=2"]
    kept = tmp_path / "kept"
    assert main([*arguments, *given, "--results", str(kept), "--json"]) == 0
    command = json.loads(capsys.readouterr().out)["experiments"][0]["command"]
    assert command.endswith("--solver highs --use mis/best=run --set mis.instances=2")
    text = (kept / "smoke" / "datasets.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text  # results name no folders of this machine


def test_one_that_fails_does_not_keep_the_others_from_running(tmp_path, capsys, monkeypatch):
    def fail(lab):
        raise UsageError("no optimum is known")

    two = {name: EXPERIMENTS[name] for name in ("similarity", "datasets")}
    monkeypatch.setattr("g2milp.experiments.registry.EXPERIMENTS", two)
    monkeypatch.setattr("g2milp.experiments.similarity.run", fail)
    folder = tmp_path / "paper"
    assert main(["paper", "run", "all", "--scale", "smoke", "-o", str(folder)]) == 5
    assert "similarity: no optimum is known" in capsys.readouterr().err
    assert (folder / "datasets.json").is_file()
    assert main(["paper", "run", "similarity", "--scale", "smoke", "-o", str(folder)]) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "similarty"], "similarity"),
        (["run", "nurse"], "--data"),
        (["run", "datasets", "--set", "mis.size=3"], "mis.instances"),
        (["run", "datasets", "--use", "mis"], "SET/NAME=RUN"),
        (["run", "datasets", "--resume", "-o", "nowhere"], "nothing to resume"),
        (["run", "mik-files"], "--data"),
        (["page", "nowhere"], "no folder"),
    ],
)
def test_wrong_calls_say_what_is_right(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["paper", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not list(Path().iterdir())
