"""What the random baselines know of a training set: numbers by sense of row."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.baselines.senses import Pool, from_arrays, marginals_of, to_arrays
from g2milp.errors import DamagedArtifact
from g2milp.testing import random_milp, tiny_milps


def pool(*values: float, counts: list[int] | None = None) -> Pool:
    return Pool(np.array(values), np.array(counts or [1] * len(values)))


def test_uniform_draws_fill_the_range_and_do_not_leave_it() -> None:
    drawn = pool(-2.0, 6.0).uniform(20_000, np.random.default_rng(0))
    assert drawn.min() >= -2.0
    assert drawn.max() <= 6.0
    assert np.quantile(drawn, [0.25, 0.5, 0.75]) == pytest.approx([0.0, 2.0, 4.0], abs=0.15)
    huge = pool(-1e308, 1e308).uniform(100, np.random.default_rng(0))
    assert np.isfinite(huge).all()


def test_resampled_draws_have_the_frequencies() -> None:
    drawn = pool(1.0, 2.0, 9.0, counts=[6, 3, 1]).resampled(20_000, np.random.default_rng(0))
    shares = [np.mean(drawn == value) for value in (1.0, 2.0, 9.0)]
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.02)


def test_pools_are_kept_apart_by_sense() -> None:
    found = marginals_of([tiny_milps()["range"]])  # 1 ≤ x + 2y ≤ 3, 3x − y ≤ 2
    assert found[0, "side"].values.tolist() == [2.0]
    assert found[3, "side"].values.tolist() == [3.0]
    assert found[3, "width"].values.tolist() == [2.0]
    assert found[0, "weight"].values.tolist() == [-1.0, 3.0]
    assert found[3, "weight"].values.tolist() == [1.0, 2.0]
    assert (1, "side") not in found
    assert found[0, "degree"].is_integer


@pytest.mark.parametrize("seed", range(3))
def test_marginals_survive_saving(seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = marginals_of([random_milp(rng, n_rows=20) for _ in range(3)])
    again = from_arrays(to_arrays(found), "test")
    assert again.keys() == found.keys()
    for key, own in found.items():
        assert np.array_equal(again[key].values, own.values)
        assert np.array_equal(again[key].counts, own.counts)


@pytest.mark.parametrize(
    "damage",
    [
        {"less.side.values": np.array([2.0, 1.0])},
        {"less.side.values": np.array([1.0, np.nan])},
        {"less.side.counts": np.array([1, 0])},
        {"less.side.counts": np.array([1])},
        {"less.side.more": np.array([1.0])},
        {"lesser.side.values": np.array([1.0])},
    ],
)
def test_damage_is_refused(damage: dict[str, np.ndarray]) -> None:
    sound = {
        "less.side.values": np.array([1.0, 2.0]),
        "less.side.counts": np.array([1, 1]),
        "less.degree.values": np.array([3.0]),
        "less.degree.counts": np.array([2]),
    }
    assert from_arrays(sound, "test")[0, "side"].values.tolist() == [1.0, 2.0]
    with pytest.raises(DamagedArtifact):
        from_arrays({**sound, **damage}, "test")


def test_a_sense_without_its_degrees_is_damage() -> None:
    sides = {"less.side.values": np.array([1.0, 2.0]), "less.side.counts": np.array([1, 1])}
    with pytest.raises(DamagedArtifact, match=r"less\.degree is missing"):
        from_arrays(sides, "test")
