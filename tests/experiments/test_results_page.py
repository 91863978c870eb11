"""RESULTS.md: made of result files, refused where one is broken."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.experiments import running
from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.lab import Lab
from g2milp.experiments.registry import experiment
from g2milp.experiments.results_page import results_page
from g2milp.experiments.scales import FULL, SHORT


def test_the_page_shows_the_numbers_of_the_files(lab: Lab, tmp_path):
    ran = running.run("datasets", lab, tmp_path / "results", "g2milp paper run datasets")
    page = results_page(tmp_path / "results")
    for line in ran.table.splitlines():
        assert line in page
    assert "$ g2milp paper run datasets\n" in page


def test_what_is_not_there_is_said(lab: Lab, tmp_path):
    running.run("datasets", lab, tmp_path / "results", "g2milp paper run datasets")
    page = results_page(tmp_path / "results")
    assert "[Sizes of the data sets](#sizes-of-the-data-sets)" in page
    assert "Not run yet: `similarity-between`" in page
    assert "these numbers mean nothing" in page  # the scale is smoke


def document(scale, figures=("mis.svg",)) -> dict:
    finding = Finding(row="r", column="c", value=0.5, count=7)
    return {
        "command": f"g2milp paper run mask-ratio --scale {scale.name}",
        "scale": scale.as_json(),
        "made_with": {"when": "2030-01-02T03:04:05+00:00"},
        **Outcome(findings=(finding,), figures=dict.fromkeys(figures, "")).as_json(),
    }


def test_the_largest_scale_is_shown_and_figures_are_found(tmp_path):
    for scale in (SHORT, replace(FULL, generated=500)):
        place = tmp_path / "results" / scale.name
        place.mkdir(parents=True)
        (place / "mask-ratio.json").write_text(json.dumps(document(scale)), encoding="utf-8")
    page = results_page(tmp_path / "results", tmp_path / "docs" / "page.md")
    assert page.count("## Similarity and hardness over the mask ratio") == 1
    assert "Scale `full` changed by `generated=500`; each cell from 7 instances" in page
    assert "](../results/full/mask-ratio-mis.svg)" in page


def test_a_run_puts_small_files_where_they_are_kept(lab: Lab, tmp_path):
    kept = tmp_path / "kept"
    ran = running.run("datasets", lab, tmp_path / "out", "g2milp paper run datasets", kept)
    path = kept / "smoke" / "datasets.json"
    assert [p for p in kept.rglob("*") if p.is_file()] == [path]
    assert path in ran.files
    assert json.loads(path.read_bytes())["experiment"] == experiment("datasets").name
    assert str(tmp_path) not in path.read_text(encoding="utf-8")


def test_the_committed_page_is_made_of_the_committed_results():
    home = Path(__file__).resolve().parents[2]
    results = home / "results" / "experiments"
    if not results.is_dir():
        pytest.skip("no results are committed")
    page = results_page(results, home / "RESULTS.md")
    assert (home / "RESULTS.md").read_text(encoding="utf-8") == page


def test_no_results_are_no_page(tmp_path):
    with pytest.raises(UsageError, match="no results"):
        results_page(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        results_page(tmp_path / "nowhere")


@pytest.mark.parametrize("text", ["{", "[]", '{"figures": []}', '{"findings": 3, "figures": []}'])
def test_a_broken_file_is_named(tmp_path, text: str):
    (tmp_path / "datasets.json").write_text(text, encoding="utf-8")
    with pytest.raises(DamagedArtifact, match=r"datasets\.json"):
        results_page(tmp_path)
