"""The trust region against enumeration, and what a search tells."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import g2milp.downstream.predict_and_search.search as search_module
from g2milp.downstream.predict_and_search.search import (
    Region,
    primal_integral,
    search,
    trust_region,
)
from g2milp.errors import UsageError
from g2milp.problems.registry import make
from g2milp.solvers.base import Checked, Incumbent, Status
from g2milp.solvers.registry import available, get


@pytest.fixture
def milp():
    return make("mis", seed=7, n_nodes=12)


def test_the_region_is_the_ball_around_the_prediction(milp):
    chances = np.random.default_rng(1).random(12)
    region = Region(zeros=0.4, ones=0.25, radius=0.3)
    k0, k1, delta = region.counts(12)
    assert (k0, k1, delta) == (5, 3, 2)
    order = np.argsort(chances)
    bounded = trust_region(milp, chances, region)
    row = bounded.matrix().toarray()[-1]
    for point in product((0, 1), repeat=12):
        x = np.array(point)
        moved = x[order[:5]].sum() + (1 - x[order[9:]]).sum()
        assert (row @ x <= bounded.row_upper[-1]) == (moved <= delta)


def test_only_binary_columns_are_bounded():
    mixed = make("mik", seed=1, n_integers=20, n_knapsacks=3)
    binary = np.flatnonzero(mixed.is_binary)
    bounded = trust_region(mixed, np.linspace(0, 1, binary.size), Region(zeros=0.5, ones=0.5))
    assert set(np.flatnonzero(bounded.matrix().toarray()[-1])) == set(binary)


def test_regions_that_make_no_sense_are_refused():
    for given in ({"zeros": -0.1}, {"zeros": 0.6, "ones": 0.5}, {"radius": -1.0}):
        with pytest.raises(UsageError):
            Region(**given)


@pytest.mark.parametrize("solver", available())
def test_a_right_prediction_finds_the_optimum_and_a_wrong_one_fails(milp, solver):
    best = get(solver).solve(milp)
    right = best.solution[milp.is_binary]
    region = Region(zeros=0.5, ones=0.3, radius=0.0)
    told = search(trust_region(milp, right, region), best.objective, solver, 0, 30.0)
    assert told["found"]
    assert not told["failed"]
    assert told["gap"] == 0
    assert 0 <= told["seconds"] <= told["total_seconds"]
    assert 0 <= told["work"] <= told["total_work"]
    wrong = search(trust_region(milp, 1 - right, region), best.objective, solver, 0, 30.0)
    assert wrong["failed"]
    assert not wrong["found"]
    assert wrong["seconds"] is wrong["work"] is None
    assert 0 < wrong["gap"] <= 1
    assert wrong["primal_integral"] >= wrong["gap"] * 30 - 1e-6


def test_a_prediction_that_leaves_room_cuts_nothing_off(milp):
    best = get("highs").solve(milp)
    region = Region(zeros=0.5, ones=0.5, radius=1.0)
    told = search(trust_region(milp, 1 - best.solution, region), best.objective, "highs", 0, 30.0)
    assert told["found"]


def test_the_primal_integral_is_the_area_under_the_gap():
    found = (Incumbent(1.0, None, 50.0), Incumbent(2.0, None, 40.0), Incumbent(4.0, None, 100.0))
    # no point for 1 s; gap 1/2 for 3 s (the second point is worse); then none
    assert primal_integral(found, 100.0, 10.0) == pytest.approx(1.0 + 3 * 0.5)
    assert primal_integral((), 100.0, 10.0) == 10.0
    assert primal_integral(found, 100.0, 3.0) == pytest.approx(1.0 + 2 * 0.5)


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"status": Status.INFEASIBLE, "objective": None}, True),
        ({"objective": 0.0}, True),
        ({"status": Status.TIME_LIMIT, "objective": None}, False),
        ({"status": Status.ERROR, "objective": None}, False),
        ({"status": Status.INTERRUPTED, "objective": None}, False),
        ({"checked": Checked.WRONG}, False),
    ],
)
def test_only_a_region_that_was_searched_can_have_lost_the_optimum(
    milp, monkeypatch, changes, failed
):
    """An error of the solver is no fault of the prediction; a refuted point is no find."""
    best = get("highs").solve(milp)

    class Engine:
        def solve(self, milp, **options):
            return best.but(incumbents=(), **changes)

    monkeypatch.setattr(search_module, "get", lambda name: Engine())
    told = search(milp, best.objective, "highs", 0, 30.0)
    assert (told["found"], told["failed"], told["gap"]) == (False, failed, 1.0)
