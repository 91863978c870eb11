"""Results of downstream tasks in the report: figure, table, and refusal of what is none."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from g2milp.errors import DamagedArtifact, UnreadableFile
from g2milp.evaluation.result import Evaluation
from g2milp.reports.downstream import read_task, task_of
from g2milp.reports.report import render

HOSTILE = "<script>alert(1)</script>"
SPREAD = {"n": 2, "mean": 0.25, "std": 0.0125, "interval": [0.14, 0.36], "median": 0.25}
GAIN = {"n": 2, "of_means": 0.5, "of_means_interval": [0.25, 0.75], "better": 2}
RESULT = {
    "schema_version": 1,
    "g2milp": "0.1.0",
    "task": "optimal-value",
    "train": {"instances": 8, "hash": "0"},
    "test": {"instances": 4, "hash": "1"},
    "guard": {"checked": {"train": 20, "test": 4}},
    "summary": [
        {"arm": "real only", "added": [0], "mse": SPREAD, "improvement": None},
        {"arm": HOSTILE, "added": [3, 4], "mse": SPREAD, "improvement": GAIN},
    ],
    "figure": {
        "title": "Test error of predicted optimal values",
        "reference": 0.25,
        "marks": [
            {"label": name, "value": 0.25, "low": 0.14, "high": 0.36, "shown": "¼", "real": real}
            for name, real in (("real only", True), (HOSTILE, False))
        ],
    },
    "runs": [],
}


def test_a_task_is_a_section_with_figure_and_table(found: list[Evaluation]):
    page = render(found, [task_of(RESULT)])
    assert render(found) != page
    section = page[page.index('<section id="downstream"') :]
    assert '<a href="#downstream">' in page
    assert section.count('role="img"') == 1
    assert "Test error of predicted optimal values" in section
    assert "8 real instances to learn from, 4 to test on; no kin among 24 checked" in section
    for cell in ("test MSE", "0.25 ± 0.0125", "3 to 4", "+50.0%", "+25.0% to +75.0%", "2 of 2"):
        assert cell in section
    assert "<script" not in page
    assert "&lt;script&gt;" in section
    assert 'id="downstream"' not in render(found)


def test_a_folder_or_its_result_can_be_given(tmp_path: Path):
    (tmp_path / "result.json").write_text(json.dumps(RESULT))
    assert read_task(tmp_path).written == read_task(tmp_path / "result.json").written
    assert read_task(tmp_path).written[0][2:] == ("–", "–", "–", "–")


def test_failures_are_shown_where_there_are_any():
    result = copy.deepcopy(RESULT)
    result["task"] = "predict-and-search"
    for row in result["summary"]:
        row |= {"work_to_optimum": SPREAD, "failures": {"mean": 1.5}}
    result["whole_instance"] = {**result["summary"][0], "arm": "whole instance"}
    task = task_of(result)
    assert task.columns[2] == "failures"
    assert task.written[0][2] == "1.5"
    assert [row[0] for row in task.written] == ["real only", HOSTILE, "whole instance"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"task": "tsp"}',
        '{"task": []}',
        json.dumps({**RESULT, "summary": 3}),
        json.dumps({**RESULT, "figure": {"title": "", "reference": None, "marks": [{}]}}),
        json.dumps(RESULT).replace('"low": 0.14', '"low": NaN'),
        json.dumps(RESULT).replace('"value": 0.25', '"value": "0.25"'),
        "[" * 100_000,
    ],
)
def test_what_is_no_result_is_refused(tmp_path: Path, text: str):
    (tmp_path / "result.json").write_text(text)
    with pytest.raises(DamagedArtifact, match="no result"):
        read_task(tmp_path)


def test_a_folder_without_result_is_named(tmp_path: Path):
    with pytest.raises(UnreadableFile, match="no result"):
        read_task(tmp_path)
