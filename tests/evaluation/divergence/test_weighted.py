"""Weighted distances: equal to scipy's, bounded, robust, right under weights."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import ks_2samp, wasserstein_distance

from g2milp.evaluation.divergence.weighted import (
    CLIP,
    TRIMS,
    cuts_of,
    distances,
    robust_units,
)


def plain(x: np.ndarray, y: np.ndarray):
    return distances(x, y, np.full((1, x.size), 1 / x.size), np.full((1, y.size), 1 / y.size))


@pytest.mark.parametrize("seed", range(20))
def test_equals_scipy(seed: int):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(0, 2, 40), seed % 3)
    y = np.round(rng.normal(0.5, 2, 30), seed % 3)
    found = plain(x, y)
    assert found.kolmogorov_smirnov[0] == pytest.approx(ks_2samp(x, y).statistic)
    apart = []
    for trim in TRIMS:
        low, centre, high = np.quantile(x, [trim, 0.5, 1 - trim])
        scale = max(1.25 * np.mean([abs(min(max(v, low), high) - centre) for v in x]), 1e-9)
        units = (np.clip((v - centre) / scale, -CLIP, CLIP) for v in (x, y))
        apart.append(wasserstein_distance(*units))
    assert found.wasserstein[0] == pytest.approx(np.mean(apart))
    assert found.nearness[0] == pytest.approx(np.mean([1 / (1 + w) for w in apart]))


@pytest.mark.parametrize("seed", range(20))
def test_jensen_shannon_equals_plain_counting(seed: int):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(0, 2, 60), seed % 3)
    y = np.round(rng.normal(0.5, 3, 50), seed % 3)
    wanted = []
    for shift in (k / 320 for k in np.arange(32) - 15.5):
        tail = 0.005 + shift / 20
        levels = [tail, *(k / 10 + shift for k in range(1, 10)), 0.99 + tail]
        edges = sorted(set(np.quantile(x, levels)))
        own = {e for e in edges if np.count_nonzero(x == e) >= 2}

        def place(v: float, edges: list[float] = edges, own: set[float] = own) -> object:
            return ("at", v) if v in own else int(sum(e < v for e in edges))

        bins = {place(v) for v in (*x, *y)}
        p, q = ([sum(place(v) == b for v in z) / z.size for b in bins] for z in (x, y))
        wanted.append(jensenshannon(p, q, base=2) ** 2)
    assert plain(x, y).jensen_shannon[0] == pytest.approx(np.mean(wanted), abs=1e-9)


def test_robust_units_are_clipped_and_in_spreads_of_the_reference():
    x = np.append(np.arange(100.0), 1e9)
    own, other = robust_units(x, np.array([50.0, -1e12]))
    assert own.max() == CLIP
    assert other == pytest.approx([0.0, -CLIP])


def test_weights_mean_repetition():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=12), rng.normal(size=9)
    counts = np.array([3, 0, 1, 2, 1, 0, 0, 1, 1])
    weighted = distances(x, y, np.full((1, 12), 1 / 12), counts[None] / counts.sum())
    repeated = plain(x, np.repeat(y, counts))
    assert weighted.similarity == pytest.approx(repeated.similarity)


def test_equal_samples_are_one_and_far_ones_near_zero():
    x = np.arange(50.0)
    assert plain(x, x).similarity[0] == pytest.approx(1.0)
    assert plain(x, x + 1e9).similarity[0] < 0.1


LEVELS = np.array([0.005, *np.arange(0.1, 0.95, 0.1), 0.995])


def test_a_repeated_value_has_a_bin_of_its_own():
    cuts, included = cuts_of(np.repeat([1.0, 2.0, 3.0], 30), LEVELS)
    assert sorted(set(zip(cuts.tolist(), included.tolist(), strict=True))) == [
        (value, inside) for value in (1.0, 2.0, 3.0) for inside in (False, True)
    ]
    # In order, the open end of a value before its closed one.
    assert (np.diff(2 * cuts + included) >= 0).all()


def test_continuous_samples_have_no_lonely_bins():
    cuts, included = cuts_of(np.linspace(0, 1, 41), LEVELS)
    assert np.unique(cuts).size == LEVELS.size
    assert included.all()


def mixture(rng: np.random.Generator, count: int = 1000) -> np.ndarray:
    """Lumps and atoms with gaps between them, cut where quantiles like to be."""
    places = [1, 2, 5, 10, 49, 50, 51, 99, 100, 101, 200, 300, 500, 700, 899, 900, 901, 950, 990]
    cuts = np.sort(rng.choice(places, rng.integers(0, 4), replace=False))
    parts = []
    for size in np.diff([0, *cuts, count]):
        lump = rng.choice([-10, -1, 0, 1, 5, 10, 100.0]) + rng.choice(
            [0, 0, 1e-3, 0.1, 1, 3]
        ) * rng.normal(size=size)
        parts.append(lump if rng.random() < 0.8 else np.round(lump))
    return np.concatenate(parts)


@pytest.mark.parametrize("block", range(4))
def test_one_outlier_moves_no_similarity_whatever_gaps_the_samples_have(block: int):
    # One scale and one set of bins: a tail of five per cent in a gap gave jumps of 0.2.
    rng = np.random.default_rng([1, block])
    for _ in range(60):
        x, y = mixture(rng), mixture(rng)
        before = plain(x, y).similarity[0]
        for where, wild in itertools.product("xy", (1e15, -1e15)):
            changed = (x if where == "x" else y).copy()
            changed[rng.integers(changed.size)] = wild
            after = plain(changed, y) if where == "x" else plain(x, changed)
            assert abs(after.similarity[0] - before) <= 0.02


def test_a_tail_of_five_per_cent_in_a_gap_does_not_flip_the_scale():
    x = np.concatenate([np.zeros(950), np.ones(50)])
    y = np.concatenate([np.zeros(900), np.full(100, 0.05)])
    changed = x.copy()
    changed[0] = 1e15
    assert plain(changed, y).similarity[0] == pytest.approx(plain(x, y).similarity[0], abs=0.02)


@pytest.mark.parametrize("value", [-3.0, 0.5, 7.0])
def test_a_single_reference_is_as_far_from_smaller_values_as_from_larger_ones(value: float):
    found = plain(np.array([1.0]), np.array([value]))
    assert found.jensen_shannon[0] == pytest.approx(1.0)
    assert found.similarity[0] < 0.1


@pytest.mark.parametrize("kind", ["normal", "constant", "discrete", "heavy"])
@pytest.mark.parametrize("where", ["reference", "generated"])
@pytest.mark.parametrize("wild", [1e30, -1e12, 50.0])
def test_one_outlier_among_a_thousand_moves_no_similarity(kind: str, where: str, wild: float):
    rng = np.random.default_rng(5)
    draw = {
        "normal": lambda: rng.normal(size=1000),
        "constant": lambda: np.ones(1000),
        "discrete": lambda: rng.integers(0, 4, 1000).astype(float),
        "heavy": lambda: rng.pareto(1.0, 1000),
    }[kind]
    for shift in (0.0, 0.3, 5.0):
        x, y = draw(), draw() + shift
        before = plain(x, y).similarity[0]
        changed = (x if where == "reference" else y).copy()
        changed[17] = wild
        after = plain(changed, y) if where == "reference" else plain(x, changed)
        assert abs(after.similarity[0] - before) <= 0.02
