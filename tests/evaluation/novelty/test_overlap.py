"""Overlap and nearest neighbours against plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from g2milp.evaluation.novelty.overlap import distance, nearest, shared


def draw(rng: np.random.Generator) -> np.ndarray:
    return np.sort(rng.integers(0, 60, int(rng.integers(1, 40)))).astype(np.uint64)


@pytest.mark.parametrize("seed", range(30))
def test_shared_counts_multisets(seed: int):
    rng = np.random.default_rng(seed)
    a, b = draw(rng), draw(rng)
    wanted = sum((Counter(a.tolist()) & Counter(b.tolist())).values())
    assert shared(a, b) == shared(b, a) == wanted
    assert distance(a, b) == pytest.approx(1 - wanted / max(a.size, b.size))


@pytest.mark.parametrize("seed", range(10))
def test_the_nearest_is_found(seed: int):
    rng = np.random.default_rng(seed)
    others = [np.sort(rng.integers(0, 1 << 40, 200)).astype(np.uint64) for _ in range(30)]
    made, truth = [], []
    for _ in range(20):
        at = int(rng.integers(30))
        mixed = others[at].copy()
        mixed[rng.permutation(200)[:120]] = rng.integers(0, 1 << 40, 120)
        made.append(np.sort(mixed))
        truth.append(at)
    found = nearest(made, others)
    assert found.index.tolist() == truth
    assert found.distance == pytest.approx(np.full(20, 0.6))


def test_an_instance_is_not_its_own_neighbour():
    parts = [np.arange(10, dtype=np.uint64), np.arange(5, 15, dtype=np.uint64)]
    found = nearest(parts, parts, skip_self=True)
    assert found.index.tolist() == [1, 0]
    assert found.distance == pytest.approx([0.5, 0.5])
