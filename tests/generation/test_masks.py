from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.errors import UsageError
from g2milp.generation.contract import SampleOptions
from g2milp.generation.masks import constraining_rows, draw_masks, once
from g2milp.instance.milp import Milp


def with_rows(n_rows: int, free: set[int]) -> Milp:
    upper = np.array([np.inf if i in free else 1.0 for i in range(n_rows)])
    return Milp.build(
        objective=np.zeros(7),
        indptr=np.zeros(n_rows + 1),
        indices=[],
        values=[],
        row_lower=np.full(n_rows, -np.inf),
        row_upper=upper,
    )


@given(
    st.integers(0, 60),
    st.floats(0, 1),
    st.sampled_from(["rows", "cols", "both"]),
    st.sampled_from(["uniform", "ascending", "descending"]),
    st.integers(0, 5),
)
def test_exactly_the_promised_number_is_masked(n_rows, ratio, scope, order, n_free):
    milp = with_rows(n_rows, set(range(min(n_free, n_rows))))
    options = SampleOptions(mask_ratio=ratio, scope=scope, order=order)
    rows, cols = draw_masks(milp, options, np.random.default_rng(0))
    m = n_rows - min(n_free, n_rows)
    assert rows.size == (round(ratio * m) if scope != "cols" else 0)
    assert cols.size == (round(ratio * 7) if scope != "rows" else 0)
    assert np.unique(rows).size == rows.size
    assert set(rows) <= set(constraining_rows(milp))


def test_orders_are_the_papers():
    milp = with_rows(10, {0})
    rng = np.random.default_rng(0)
    up, _ = draw_masks(milp, SampleOptions(mask_ratio=0.5, order="ascending"), rng)
    down, _ = draw_masks(milp, SampleOptions(mask_ratio=0.5, order="descending"), rng)
    assert up.tolist() == [1, 2, 3, 4]
    assert down.tolist() == [9, 8, 7, 6]


def test_uniform_masks_are_uniform():
    milp = with_rows(10, set())
    rng = np.random.default_rng(1)
    options = SampleOptions(mask_ratio=0.3)
    seen = np.bincount(np.concatenate([draw_masks(milp, options, rng)[0] for _ in range(4000)]))
    assert seen == pytest.approx(np.full(10, 1200), rel=0.1)


def test_rows_come_up_again_only_when_asked(toy):
    milp = with_rows(50, {3})
    options = SampleOptions(mask_ratio=1.0, repeats=True)
    visits, _ = draw_masks(milp, options, np.random.default_rng(0))
    assert visits.size == 49
    assert 3 not in visits
    assert once(visits).size < 49
    assert once(np.array([4, 2, 4, 9, 2])).tolist() == [4, 2, 9]
    sample = next(toy.sample_iter(1, mask_ratio=1.0, repeats=True, seed=4))
    assert sample.record["masked_rows"] < sample.milp.n_rows
    with pytest.raises(UsageError, match="uniform"):
        SampleOptions(repeats=True, order="ascending")
