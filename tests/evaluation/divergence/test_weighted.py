"""Weighted distances: equal to scipy's, bounded, robust, right under weights."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp, wasserstein_distance

from g2milp.evaluation.divergence.weighted import bins_of, distances, robust_units


def plain(x: np.ndarray, y: np.ndarray):
    return distances(x, y, np.full((1, x.size), 1 / x.size), np.full((1, y.size), 1 / y.size))


@pytest.mark.parametrize("seed", range(20))
def test_equals_scipy(seed: int):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(0, 2, 40), seed % 3)
    y = np.round(rng.normal(0.5, 2, 30), seed % 3)
    found = plain(x, y)
    assert found.kolmogorov_smirnov[0] == pytest.approx(ks_2samp(x, y).statistic)
    assert found.wasserstein[0] == pytest.approx(wasserstein_distance(*robust_units(x, y)))


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


def test_a_repeated_value_has_a_bin_of_its_own():
    x = np.repeat([1.0, 2.0, 3.0], 30)
    bins, count = bins_of(x, np.array([0.5, 1.0, 1.5, 2.0, 3.0, 9.0]))
    assert len(set(bins.tolist())) == 6
    assert bins.max() < count


def test_continuous_samples_have_no_lonely_bins():
    x = np.linspace(0, 1, 41)
    bins, _ = bins_of(x, x)
    assert set((bins % 2).tolist()) == {0}


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
