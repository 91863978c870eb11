from __future__ import annotations

import numpy as np
import pytest

from g2milp.reports import projection
from g2milp.reports.projection import MOST, principal_components, project


def clouds(apart: float) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.normal(0, 1, (40, 6)), rng.normal(apart, 1, (30, 6))]


def share_of_own_neighbours(placed: list[np.ndarray]) -> float:
    points = np.concatenate(placed)
    kind = np.repeat([0, 1], [len(placed[0]), len(placed[1])])
    gap = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(gap, np.inf)
    return float((kind[gap.argmin(axis=1)] == kind).mean())


def test_what_is_apart_stays_apart_and_what_is_mixed_stays_mixed():
    far, method = project(clouds(6.0))
    near, _ = project(clouds(0.0))
    assert method == "t-SNE"
    assert [cloud.shape for cloud in far] == [(40, 2), (30, 2)]
    assert share_of_own_neighbours(far) == 1.0
    assert share_of_own_neighbours(near) < 0.8


def test_the_same_seed_gives_the_same_map():
    first, second = project(clouds(1.0), seed=4)[0], project(clouds(1.0), seed=4)[0]
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_large_clouds_are_thinned(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(projection, "find_spec", lambda name: None)
    points = np.random.default_rng(0).normal(size=(MOST + 50, 3))
    placed, method = project([points, points[:20]])
    assert method == "principal components"
    assert [len(cloud) for cloud in placed] == [MOST, 20]


def test_principal_components_are_the_directions_of_largest_spread():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(200, 3)) * [1.0, 10.0, 3.0]
    placed = principal_components(points)
    centred = points - points.mean(axis=0)
    assert abs(np.corrcoef(placed[:, 0], centred[:, 1])[0, 1]) > 0.99
    assert abs(np.corrcoef(placed[:, 1], centred[:, 2])[0, 1]) > 0.99


def test_constant_and_tiny_clouds_are_placed():
    placed, _ = project([np.ones((3, 1)), np.ones((2, 1))])
    assert all(np.isfinite(cloud).all() for cloud in placed)
    placed, _ = project([np.ones((12, 2)), np.ones((5, 2))])
    assert all(np.isfinite(cloud).all() for cloud in placed)
