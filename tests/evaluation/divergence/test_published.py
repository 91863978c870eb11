"""The published similarity against an independent transcription of its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy

from g2milp.evaluation.divergence.published import DRAWS, draw, published_similarity


def transcribed(x: np.ndarray, y: np.ndarray) -> float:
    """Appendix B.3: histogram of numpy, entropy of scipy, five bins over the pooled range."""
    pooled = np.hstack([x, y])
    if np.std(pooled) < 1e-10:
        return 1.0
    middle, edges = np.histogram(pooled, bins=5, density=True)
    p, _ = np.histogram(x, bins=edges)
    q, _ = np.histogram(y, bins=edges)
    return (np.log(2) - (entropy(p, middle) + entropy(q, middle)) / 2) / np.log(2)


samples = st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=40)


@given(samples, samples)
@settings(max_examples=200, deadline=None)
def test_equals_the_transcription(x: list[float], y: list[float]):
    size = min(len(x), len(y))
    a, b = np.array(x[:size]), np.array(y[:size])
    assert published_similarity(a, b) == pytest.approx(transcribed(a, b), abs=1e-9)


def test_constant_features_score_one():
    assert published_similarity(np.ones(5), np.ones(5)) == 1.0


def test_far_samples_score_zero():
    assert published_similarity(np.zeros(9), np.ones(9)) == pytest.approx(0.0, abs=1e-12)


def test_draws_are_seeded():
    a, b = draw(7, np.random.default_rng(3)), draw(7, np.random.default_rng(3))
    assert a.size == DRAWS
    assert np.array_equal(a, b)
