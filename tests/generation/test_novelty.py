from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.datasets.dataset import Dataset
from g2milp.generation.novelty import NoveltyGuard, changes, distance, sketch
from g2milp.instance.edit import RowPatch, replace_rows
from g2milp.testing import permuted, random_milp


def swapped(milp, i, k):
    """Rows i and k change places: nothing has changed."""
    entries = [milp.row(k), milp.row(i)]
    return replace_rows(
        milp,
        RowPatch(
            rows=np.array([i, k]),
            lower=milp.row_lower[[k, i]],
            upper=milp.row_upper[[k, i]],
            indptr=np.array([0, entries[0][0].size, entries[0][0].size + entries[1][0].size]),
            indices=np.concatenate([c for c, _ in entries]),
            values=np.concatenate([v for _, v in entries]),
        ),
    )


def test_rows_that_change_places_are_no_change(family):
    other = swapped(family[0], 1, 4)
    assert other != family[0]
    assert changes(family[0], other)["changed_rows"] == 0
    assert NoveltyGuard([Dataset.from_milps(family)]).describe(other)["same_as"] == "0"


def test_columns_that_change_places_are_no_change(family):
    rng = np.random.default_rng(0)
    milp = random_milp(rng, n_rows=12, n_cols=9)
    other = permuted(milp, rng.permutation(12), rng.permutation(9))
    told = changes(milp, other)
    assert (told["changed_rows"], told["changed_cols"], told["changed_share"]) == (0, 0, 0.0)


def test_changed_rows_are_counted(family, toy):
    for sample in toy.sample_iter(10, mask_ratio=0.5):
        parent = family[int(sample.template_name)]
        differing = sum(
            not (
                np.array_equal(parent.row(i)[0], sample.milp.row(i)[0])
                and np.array_equal(parent.row(i)[1], sample.milp.row(i)[1])
                and parent.row_upper[i] == sample.milp.row_upper[i]
            )
            for i in range(parent.n_rows)
        )
        assert sample.record["changed_rows"] <= differing <= sample.record["masked_rows"]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_distances_ignore_the_order(seed):
    rng = np.random.default_rng(seed)
    milp = random_milp(rng)
    other = permuted(milp, rng.permutation(milp.n_rows), rng.permutation(milp.n_cols))
    assert distance(sketch(milp), sketch(other)) == 0.0


def test_an_isomorphic_instance_is_no_new_one(family):
    guard = NoveltyGuard([Dataset.from_milps(family)])
    rng = np.random.default_rng(0)
    moved = permuted(family[2], rng.permutation(12), rng.permutation(8))
    record = guard.describe(moved)
    assert record["same_as"] == "2"
    assert record["nearest"] == {"name": "2", "distance": 0.0}
