"""Measures of reconstruction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.training.validation import auc

scores = st.lists(st.integers(-3, 3), min_size=1, max_size=12)


@given(positive=scores, negative=scores)
def test_auc_is_the_share_of_pairs_in_the_right_order(positive, negative) -> None:
    pairs = [(p > n) + 0.5 * (p == n) for p in positive for n in negative]
    found = auc(np.array(positive, float), np.array(negative, float))
    assert found == pytest.approx(np.mean(pairs))


def test_auc_of_nothing_is_chance() -> None:
    assert auc(np.empty(0), np.ones(3)) == 0.5
