"""RESULTS.md: made of result files, refused where one is broken."""

from __future__ import annotations

import pytest

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.experiments import running
from g2milp.experiments.lab import Lab
from g2milp.experiments.results_page import results_page


def test_the_page_shows_the_numbers_of_the_files(lab: Lab, tmp_path):
    ran = running.run("datasets", lab, tmp_path / "results", "g2milp paper run datasets")
    page = results_page(tmp_path / "results")
    for line in ran.table.splitlines():
        assert line in page
    assert "`g2milp paper run datasets`" in page


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
