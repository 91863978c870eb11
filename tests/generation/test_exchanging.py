"""Rows redrawn by exchanges: what they keep, what they move, how they are stored."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from g2milp.datasets.dataset import Dataset
from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.invariants import discover
from g2milp.generation.g2milp import G2MILP
from g2milp.problems.registry import make_many

TINY = {
    "training.steps": 2,
    "training.batch": 2,
    "hidden": 8,
    "embedding": 8,
    "latent": 2,
    "depth": 1,
}


@pytest.fixture(scope="module")
def graphs() -> Dataset:
    return Dataset.from_milps(list(make_many("mis", 4, 0, n_nodes=60, affinity=3)))


@pytest.fixture(scope="module")
def asked(graphs) -> G2MILP:
    """A generator whose judge is asked, whatever it has learned in two steps."""
    gen = G2MILP(mask_ratio=0.4, settings=TINY).fit(graphs)
    gen.judge_gain_ = (1.0, 0.0)
    return gen


def test_invariants_degrees_and_unmasked_rows_stay(asked, graphs):
    rules = discover(graphs)
    for sample in asked.sample_iter(5, seed=2):
        parent = graphs[int(sample.template_name)]
        assert np.array_equal(sample.milp.row_degrees, parent.row_degrees)
        assert np.array_equal(sample.milp.col_degrees, parent.col_degrees)
        found = discover([sample.milp])
        assert rules.single_overlap <= found.single_overlap
        assert 0 < sample.record["changed_rows"] <= sample.record["masked_rows"]
        assert sample.record["notes"]["exchanges"] > 0


def test_the_judge_decides_and_the_temperature_weakens_it(asked):
    plain = asked.sample(2, seed=3)
    assert plain == asked.sample(2, seed=3)
    assert plain != asked.sample(2, seed=3, temperature=50.0)
    before, asked.judge_gain_ = asked.judge_gain_, (0.0, 0.0)
    unasked = asked.sample(2, seed=3)
    asked.judge_gain_ = before
    assert plain != unasked


def test_a_number_does_not_depend_on_its_neighbours(asked):
    assert list(asked.sample(3, seed=5)) == list(asked.sample(16, seed=5))[:3]


def test_what_was_learned_comes_back_from_the_folder(asked, tmp_path):
    asked.save(tmp_path / "model")
    again = G2MILP.load(tmp_path / "model")
    assert again.judge_gain_ == asked.judge_gain_
    assert again.structure_ == asked.structure_
    assert again.sample(2, seed=1) == asked.sample(2, seed=1)


@pytest.mark.parametrize("name", ["invariants", "structure", "values", "judge_gain"])
def test_a_folder_without_it_is_damaged(asked, name):
    arrays, values = asked._state()
    for content in (None, "much", []):
        with pytest.raises(DamagedArtifact, match=name):
            G2MILP._from_state(arrays, {**values, name: content})


def test_redrawn_sides_are_of_the_family():
    mik = Dataset.from_milps(
        list(make_many("mik", 6, 0, n_integers=40, n_continuous=4, n_knapsacks=5))
    )
    gen = G2MILP(mask_ratio=1.0, settings=TINY).fit(mik)
    changed = 0
    for sample in gen.sample_iter(4, seed=0, certify="bounded"):
        parent = mik[int(sample.template_name)]
        assert gen.laws_.strange(sample.milp) == []
        assert sample.record["certificate"]["level"] == "exact"
        changed += int((sample.milp.row_upper != parent.row_upper).sum())
    assert changed > 0
