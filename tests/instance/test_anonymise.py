from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.instance.anonymise import Key, anonymise, deanonymise
from g2milp.instance.checks import check_point
from g2milp.instance.fingerprint import structure_hash
from g2milp.instance.milp import Kind, Milp
from g2milp.problems.registry import make
from g2milp.testing import assert_milp_equal, random_milp, tiny_milps


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_the_key_brings_the_original_back_bit_for_bit(seed: int, scale: bool) -> None:
    rng = np.random.default_rng(seed)
    milp = random_milp(rng)
    anonymous, key = anonymise(milp, rng, scale=scale)
    stored = Key.from_json(json.loads(json.dumps(key.as_json())))
    assert_milp_equal(deanonymise(anonymous, stored), milp)
    assert not set(anonymous.row_names + anonymous.col_names) & set(milp.row_names + milp.col_names)
    assert anonymous.name == ""


@pytest.mark.parametrize("name", list(tiny_milps()))
def test_tiny_instances_come_back(name: str) -> None:
    milp = tiny_milps()[name]
    anonymous, key = anonymise(milp, np.random.default_rng(1))
    assert_milp_equal(deanonymise(anonymous, key), milp)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_points_map_both_ways_and_keep_their_verdict(seed: int) -> None:
    rng = np.random.default_rng(seed)
    milp = random_milp(rng)
    x = rng.integers(0, 5, size=milp.n_cols) + rng.choice([0.0, 0.5], size=milp.n_cols)
    anonymous, key = anonymise(milp, rng)
    there = key.anonymous_point(x)
    assert np.array_equal(key.original_point(there), x)
    before, after = check_point(milp, x), check_point(anonymous, there)
    assert before.exact == after.exact
    assert before.objective == after.objective
    assert isinstance(after.objective, Fraction)


def test_without_scaling_the_structure_is_the_same() -> None:
    milp = make("mik", 3)
    plain, _ = anonymise(milp, np.random.default_rng(0), scale=False)
    assert structure_hash(plain) == structure_hash(milp)
    scaled, _ = anonymise(milp, np.random.default_rng(0))
    assert structure_hash(scaled) != structure_hash(milp)


def test_only_continuous_columns_change_their_unit() -> None:
    milp = random_milp(np.random.default_rng(5), n_rows=30, n_cols=200)
    _, key = anonymise(milp, np.random.default_rng(0))
    shifted = key.col_order[key.col_shift != 0]
    assert shifted.size
    assert (milp.kinds[shifted] == Kind.CONTINUOUS).all()


def test_extreme_numbers_are_left_alone() -> None:
    milp = Milp.build(
        objective=[5e-324, 1.0, 1.0],
        indptr=[0, 3],
        indices=[0, 1, 2],
        values=[1.7e308, 1e-9, 2.0**-1022],
        row_lower=[-1e20],
        row_upper=[1.5e308],
        col_upper=[9e19, 1e20, np.inf],
    )
    for seed in range(50):
        anonymous, key = anonymise(milp, np.random.default_rng(seed))
        assert_milp_equal(deanonymise(anonymous, key), milp)
        assert np.isfinite(anonymous.values).all()
        assert sorted(np.abs(anonymous.col_upper) >= 1e20) == [False, True, True]


def test_the_same_seed_gives_the_same_instance() -> None:
    milp = make("gisp", 0)
    one, _ = anonymise(milp, np.random.default_rng(7))
    two, _ = anonymise(milp, np.random.default_rng(7))
    assert_milp_equal(one, two)


def test_damaged_and_foreign_keys_are_refused() -> None:
    milp = tiny_milps()["knapsack"]
    anonymous, key = anonymise(milp, np.random.default_rng(0))
    good = key.as_json()
    for change in (
        {"schema_version": 99},
        {"row_order": [5]},
        {"col_order": [0, 0, 1]},
        {"col_shift": [0, 0, 4000]},
        {"col_names": [1, 2, 3]},
        {"name": None},
    ):
        with pytest.raises(DamagedArtifact):
            Key.from_json({**good, **change})
    with pytest.raises(DamagedArtifact):
        Key.from_json([1])
    with pytest.raises(UsageError, match="the key is for"):
        deanonymise(tiny_milps()["range"], key)
    assert anonymous.n_cols == 3
