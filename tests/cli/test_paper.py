"""``g2milp paper``: list, run, page; all experiments run at the smallest scale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from g2milp.cli.app import main
from g2milp.experiments.registry import EXPERIMENTS


def test_the_list_has_one_entry_an_experiment(capsys):
    assert main(["paper", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [e["name"] for e in found["experiments"]] == list(EXPERIMENTS)
    assert all(e["title"] and e["kind"] in ("table", "figure") for e in found["experiments"])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_all_experiments_run_and_make_a_page(tmp_path, capsys):
    folder = tmp_path / "paper"
    arguments = ["paper", "run", "all", "--scale", "smoke", "--jobs", "1", "-o", str(folder)]
    assert main([*arguments, "--solver", "highs", "--json"]) == 0
    documents = json.loads(capsys.readouterr().out)["experiments"]
    expected = [name for name, e in EXPERIMENTS.items() if not e.real_data]
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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "similarty"], "similarity"),
        (["run", "nurse"], "--data"),
        (["run", "datasets", "--set", "mis.size=3"], "mis.instances"),
        (["run", "datasets", "--use", "mis"], "SET/NAME=RUN"),
        (["run", "datasets", "--resume", "-o", "nowhere"], "nothing to resume"),
        (["page", "nowhere"], "no folder"),
    ],
)
def test_wrong_calls_say_what_is_right(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["paper", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not list(Path().iterdir())
