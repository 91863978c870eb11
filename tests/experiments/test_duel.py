"""Verdicts need intervals apart, as each measure asks; the rewire changes as much as ours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from g2milp.experiments.best_against_rewire import at_equal_change
from g2milp.experiments.duel import AUC, ENERGY, SUITE, WORK, changed_share, corner, said, verdicts
from g2milp.experiments.finding import Finding
from g2milp.experiments.lab import Lab, Recipe


def cell(measure: str, low: float, high: float) -> Finding:
    return Finding(row="r", column=f"MIS, {measure}", value=low, interval=(low, high))


@pytest.mark.parametrize(
    ("measure", "ours", "theirs", "verdict"),
    [
        (SUITE, (0.9, 0.95), (0.8, 0.85), "better"),
        (SUITE, (0.9, 0.95), (0.8, 0.91), "not apart"),
        (ENERGY, (0.9, 1.1), (1.2, 3.0), "better"),
        (AUC, (0.9, 1.0), (0.5, 0.6), "worse"),
        (WORK, (0.95, 1.05), (1.5, 2.0), "better"),
        (WORK, (0.3, 0.4), (0.9, 1.3), "worse"),
        (WORK, (0.5, 0.6), (1.8, 1.9), "not apart"),
        (WORK, (0.0, 0.1), (1.0, 1.1), "worse"),
    ],
)
def test_verdicts(measure, ours, theirs, verdict):
    found = verdicts([cell(measure, *ours)], [cell(measure, *theirs)], "mis")
    assert found == {measure: verdict}


def test_sentences():
    assert said("MIS", {AUC: "better"}) == "MIS: AUC better."
    assert (
        said("MIS", {AUC: "better", ENERGY: "not apart"}) == "MIS: AUC better, the rest not apart."
    )
    assert said("MIS", {ENERGY: "not apart"}) == "MIS: nothing apart."


def test_what_one_of_them_lacks_is_not_judged():
    assert verdicts([cell(AUC, 0.5, 0.6)], [cell(ENERGY, 0.5, 0.6)], "mis") == {}
    assert "nothing to compare" in said("MIS", {})


def test_the_rewire_is_brought_to_the_change_of_the_other(lab: Lab, monkeypatch):
    best = Recipe(of="mis", generator="best", mask_ratio=0.5)
    full = replace(best, generator="rewire")
    little = replace(full, mask_ratio=0.1)
    made = {best: lab.made(little), full: lab.made(full)}
    monkeypatch.setattr(lab, "made", lambda recipe: made[recipe])
    other = at_equal_change(lab, best)
    share = changed_share(made[best]) / changed_share(made[full])
    assert other == replace(full, mask_ratio=round(0.5 * share, 4))
    assert 0 < other.mask_ratio < 0.5


def test_a_corner_has_all_measures(lab: Lab):
    cells = corner(lab, Recipe(of="mis", generator="rewire", mask_ratio=0.5), "ours")
    assert {c.row for c in cells} == {"ours"}
    columns = {c.column for c in cells}
    assert {"MIS, changed rows", "MIS, g2milp-2023", "MIS, energy", "MIS, ratio of work"} <= columns


def test_a_generator_that_fails_leaves_its_reason(lab: Lab):
    cells = corner(lab, Recipe(of="facility", generator="code"), "theirs")
    assert [c.row for c in cells] == ["theirs"]
    assert "no published hyper-parameters" in cells[0].note
