"""Near-optimal points: feasible, near, different; and their energy-weighted marginals."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import g2milp.downstream.predict_and_search.pool as pool_module
from g2milp.downstream.predict_and_search.pool import (
    Pool,
    PoolSettings,
    collect,
    marginals,
    toward,
    with_row,
)
from g2milp.errors import DamagedArtifact
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make
from g2milp.solvers.base import Checked, SolveOutcome
from g2milp.solvers.registry import get

SETTINGS = PoolSettings(points=6, slack=0.25, direction_gap=0.0)


def feasible_points(milp: Milp) -> np.ndarray:
    """All 0-1 points that satisfy every row, by trying them."""
    points = np.array(list(product((0.0, 1.0), repeat=milp.n_cols)))
    activity = points @ milp.matrix().toarray().T
    inside = (activity <= milp.row_upper + 1e-9) & (activity >= milp.row_lower - 1e-9)
    return points[inside.all(axis=1)]


@pytest.fixture(params=["mis", "setcover"])
def milp(request) -> Milp:
    if request.param == "mis":
        return make("mis", seed=4, n_nodes=12)
    return make("setcover", seed=4, n_rows=10, n_cols=12, density=0.25)


def test_points_are_feasible_near_the_optimum_and_different(milp):
    pool = collect(milp, SETTINGS, "highs", seed=0, time_limit=30)
    every = feasible_points(milp)
    values = every @ milp.objective
    best = values.max() if milp.sense == "max" else values.min()
    assert pool.optimum == pytest.approx(best)
    known = {tuple(point) for point in every.astype(bool).tolist()}
    assert {tuple(point) for point in pool.points.tolist()} <= known
    assert len({tuple(point) for point in pool.points.tolist()}) == len(pool.points) > 1
    np.testing.assert_allclose(pool.objectives, pool.points @ milp.objective)
    assert np.abs(pool.objectives - best).max() <= 0.25 * max(1, abs(best)) + 1e-6


def test_a_direction_is_searched_in_all_of_the_near_optimal_set(milp):
    rng = np.random.default_rng(0)
    every = feasible_points(milp)
    values = every @ milp.objective
    best = values.max() if milp.sense == "max" else values.min()
    bounded = toward(milp, float(best), 0.25, rng)
    near = every[np.abs(values - best) <= 0.25 * max(1, abs(best)) + 1e-9]
    allowed = {tuple(point) for point in feasible_points(bounded).tolist()}
    assert allowed == {tuple(point) for point in near.tolist()}
    assert bounded.sense == "min"
    assert bounded.objective.any()


def test_marginals_are_the_formula():
    points = np.array([[1, 0], [0, 0], [0, 1]], dtype=bool)
    pool = Pool(points, np.array([100.0, 98.0, 99.0]))
    weights = [1.0, math.exp(-2.0), math.exp(-1.0)]
    wanted = [weights[0] / sum(weights), weights[2] / sum(weights)]
    assert marginals(pool, PoolSettings(slack=0.02, sharpness=2.0)) == pytest.approx(wanted)
    assert marginals(pool, PoolSettings(sharpness=0.0)) == pytest.approx([1 / 3, 1 / 3])


def test_a_pool_survives_its_record_and_fits_no_other_instance(milp):
    pool = collect(milp, SETTINGS, "highs", seed=0, time_limit=30)
    again = Pool.from_record(pool.to_record(), milp)
    np.testing.assert_array_equal(again.points, pool.points)
    np.testing.assert_array_equal(again.objectives, pool.objectives)
    with pytest.raises(DamagedArtifact):
        Pool.from_record(pool.to_record(), make("mis", seed=4, n_nodes=13))


def test_an_instance_without_optimum_has_no_pool():
    milp = make("mis", seed=4, n_nodes=12)
    impossible = with_row(milp, np.array([0], dtype=np.int32), np.ones(1), 2.0, np.inf)
    assert collect(impossible, SETTINGS, "highs", 0, 30) == "infeasible"


def test_a_row_is_added_and_nothing_else_changed(milp):
    more = with_row(milp, np.array([1, 3], dtype=np.int32), np.array([1.0, -1.0]), -1.0, 2.0)
    more.check_numbers()
    assert more.n_rows == milp.n_rows + 1
    assert more.row_names[:-1] == milp.row_names
    np.testing.assert_array_equal(more.matrix().toarray()[:-1], milp.matrix().toarray())
    np.testing.assert_array_equal(more.matrix().toarray()[-1, [1, 3]], [1.0, -1.0])
    assert len(set(with_row(more, *(np.zeros(0, np.int32), np.zeros(0)), 0, 0).row_names)) == (
        milp.n_rows + 2
    )


class Liar:
    """A solver whose points are refuted from the `from_call`-th solve on."""

    def __init__(self, from_call: int) -> None:
        self._from, self._calls = from_call, 0

    def solve(self, milp: Milp, **options) -> SolveOutcome:
        self._calls += 1
        found = get("highs").solve(milp, **options)
        return found.but(checked=Checked.WRONG) if self._calls >= self._from else found


def test_points_that_were_refuted_are_not_learned_from(milp, monkeypatch):
    monkeypatch.setattr(pool_module, "get", lambda name: Liar(1))
    assert collect(milp, SETTINGS, "highs", 0, 30) == "wrong claim"
    monkeypatch.setattr(pool_module, "get", lambda name: Liar(2))
    pool = collect(milp, SETTINGS, "highs", 0, 30)
    assert isinstance(pool, Pool)
    assert len(pool.points) == 1
