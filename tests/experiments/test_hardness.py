"""Tables of effort: relative errors beside those that follow from the paper's means."""

from __future__ import annotations

import pytest

from g2milp.experiments.hardness import ratio_findings, real_findings, recipe_findings
from g2milp.experiments.lab import Lab, Recipe

RECIPE = Recipe(of="mis", generator="rewire", mask_ratio=0.5)


def test_the_paper_stands_beside_mean_and_error(lab: Lab):
    cells = {c.column: c for c in recipe_findings(lab, RECIPE, "seconds", "work", 0.3, 0.2)}
    assert list(cells) == [
        "MIS, mean seconds",
        "MIS, relative error, seconds",
        "MIS, ratio of work",
    ]
    assert cells["MIS, mean seconds"].paper == 0.3
    error = cells["MIS, relative error, seconds"]
    assert error.paper == pytest.approx(0.5)
    low, high = error.interval
    assert 0 <= low <= error.value <= high


def test_real_ones_come_first(lab: Lab):
    rows = [c.row for c in real_findings(lab, "mis", "seconds", "work", 0.349)]
    assert rows[0] == "training set"
    assert set(rows[1:]) == {"fresh real instances"}


def test_the_ratio_alone(lab: Lab):
    (found,) = ratio_findings(lab, RECIPE, "work", "ratio")
    low, high = found.interval
    assert low <= found.value <= high
    (failed,) = ratio_findings(lab, Recipe(of="facility", generator="code"), "work", "ratio")
    assert failed.value is None
    assert "no published hyper-parameters" in failed.note
