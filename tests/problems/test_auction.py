from __future__ import annotations

import numpy as np

from g2milp.problems.registry import make, make_many


def test_sizes_are_the_published_ones() -> None:
    """100 items and 500 bids: 500 columns and about 192 rows."""
    instances = list(make_many("auction", 30, 0))
    assert {m.n_cols for m in instances} == {500}
    assert 188 <= np.mean([m.n_rows for m in instances]) <= 197


def test_bids_are_bundles_with_positive_prices() -> None:
    milp = make("auction", 1)
    assert (milp.objective >= 0).all()
    assert milp.col_degrees.min() >= 1
    assert milp.sense == "max"
    assert milp.is_binary.all()
    items = [i for i, name in enumerate(milp.row_names) if name.startswith("item_")]
    assert len(items) <= 100


def test_at_most_six_bids_of_a_bidder() -> None:
    milp = make("auction", 2)
    dummies = [i for i, name in enumerate(milp.row_names) if name.startswith("bidder_")]
    sizes = milp.row_degrees[dummies]
    assert dummies
    assert sizes.min() >= 3
    assert sizes.max() <= 6
    per_bid = np.bincount(np.concatenate([milp.row(i)[0] for i in dummies]), minlength=milp.n_cols)
    assert per_bid.max() == 1


def test_extreme_settings_end() -> None:
    assert make("auction", 0, n_items=3, n_bids=20, add_item_prob=1.0).n_cols == 20
    assert make("auction", 0, n_items=5, n_bids=20, add_item_prob=0.0).row_degrees.sum() >= 20
