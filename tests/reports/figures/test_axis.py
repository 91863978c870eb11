from __future__ import annotations

import numpy as np
import pytest

from g2milp.reports.figures.axis import Axis


@pytest.mark.parametrize("log", [False, True])
def test_values_are_placed_in_order_and_kept_inside(log: bool):
    axis = Axis(0.5, 200.0, 10.0, 350.0, log)
    assert axis(0.5) == pytest.approx(10.0)
    assert axis(200.0) == pytest.approx(350.0)
    assert axis(1e9) == axis(200.0)
    assert axis(1e-9) == axis(0.5)
    places = [axis(v) for v in (1, 2, 5, 50)]
    assert places == sorted(places)


def test_a_logarithmic_axis_places_factors_at_equal_steps():
    axis = Axis(1.0, 100.0, 0.0, 100.0, True)
    assert axis(10.0) == pytest.approx(50.0)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("log", [False, True])
def test_ticks_are_inside_few_distinct_and_evenly_spaced(seed: int, log: bool):
    rng = np.random.default_rng(seed)
    low = float(10 ** rng.uniform(-4, 4))
    high = low * float(10 ** rng.uniform(0.05, 6))
    ticks = Axis(low, high, 0.0, 1.0, log).ticks(5)
    values = [value for value, _ in ticks]
    assert 1 <= len(ticks) <= 11
    assert values == sorted(set(values))
    assert all(low * (1 - 1e-9) <= value <= high * (1 + 1e-9) for value in values)
    assert len({label for _, label in ticks}) == len(ticks)


def test_a_single_value_has_a_single_tick():
    assert Axis(3.0, 3.0, 0.0, 1.0).ticks() == [(3.0, "3")]
    assert Axis(1e300, 1.0000000000000002e300, 0.0, 1.0).ticks()
