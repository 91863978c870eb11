"""Sides of merged rows come from training rows of the nearest degree, as often as seen."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.baselines.g2sat.sides import Sides
from g2milp.errors import DamagedArtifact
from g2milp.testing import tiny_milps


def test_draws_follow_degree_and_frequency() -> None:
    sides = Sides(
        degree=np.array([2.0, 2.0, 5.0]),
        lower=np.array([-np.inf, -np.inf, 1.0]),
        upper=np.array([1.0, 3.0, np.inf]),
        count=np.array([3.0, 1.0, 7.0]),
    )
    rng = np.random.default_rng(0)
    lower, upper = sides.draw(np.full(4000, 1), rng)
    assert np.all(lower == -np.inf)
    assert np.mean(upper == 3.0) == pytest.approx(0.25, abs=0.03)
    lower, upper = sides.draw(np.array([4, 9]), rng)
    assert np.all(lower == 1.0)
    assert np.all(upper == np.inf)


def test_sides_are_those_of_the_training_rows() -> None:
    milps = [tiny_milps()["range"], tiny_milps()["knapsack"]]
    sides = Sides.of(milps)
    seen = {
        (d, low, up)
        for m in milps
        for d, low, up in zip(m.row_degrees, m.row_lower, m.row_upper, strict=True)
    }
    assert set(zip(sides.degree, sides.lower, sides.upper, strict=True)) == seen
    assert sides.count.sum() == sum(m.n_rows for m in milps)


def test_sides_survive_saving_and_damage_is_refused() -> None:
    sides = Sides.of([tiny_milps()["range"], tiny_milps()["knapsack"]])
    arrays = sides.to_arrays()
    assert all(np.isfinite(values).all() for values in arrays.values())
    again = Sides.from_arrays(arrays)
    assert np.array_equal(again.lower, sides.lower)
    assert np.array_equal(again.upper, sides.upper)
    for name in arrays:
        with pytest.raises(DamagedArtifact):
            Sides.from_arrays({key: value for key, value in arrays.items() if key != name})
    with pytest.raises(DamagedArtifact):
        Sides.from_arrays({**arrays, "sides.count": np.zeros_like(arrays["sides.count"])})
