"""Shares of decided solves, with an interval that is honest where all are feasible."""

from __future__ import annotations

import pytest

from g2milp.experiments.feasibility import solved, wilson
from g2milp.experiments.lab import Lab, Recipe
from g2milp.experiments.solving import Effort

RECIPE = Recipe(of="mis", generator="rewire", mask_ratio=0.5)


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [(1.0, 100, 0.963, 1.0), (0.0, 10, 0.0, 0.278), (0.5, 10, 0.237, 0.763)],
)
def test_wilson(share, count, low, high):
    assert wilson(share, count) == pytest.approx((low, high), abs=1e-3)


def test_all_of_them(lab: Lab):
    found = solved(lab, RECIPE, "c")
    assert (found.value, found.count, found.note) == (1.0, 3, "")
    assert found.interval is not None
    assert found.interval[0] < 0.5


def test_cut_off_solves_decide_nothing_unless_they_found_both(lab: Lab, monkeypatch):
    statuses = {"optimal": 5, "infeasible": 2, "time_limit": 5}
    effort = Effort("highs", None, statuses, sound=6)
    monkeypatch.setattr(lab, "effort", lambda *_: effort)
    found = solved(lab, RECIPE, "c")
    assert (found.value, found.count) == (0.75, 8)
    assert found.note == "4 of 12 solves undecided"
    monkeypatch.setattr(lab, "effort", lambda *_: Effort("highs", None, {"time_limit": 4}))
    assert solved(lab, RECIPE, "c").value is None
