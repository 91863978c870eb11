"""Free degrees in G2MILP: what varies, what stays, how they are switched off and stored."""

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
def covers() -> Dataset:
    sizes = {"n_rows": 60, "n_cols": 90, "density": 0.1}
    return Dataset.from_milps(list(make_many("setcover", 8, 0, **sizes)))


@pytest.fixture(scope="module")
def gen(covers) -> G2MILP:
    return G2MILP(mask_ratio=0.3, settings=TINY).fit(covers)


def test_degrees_vary_through_masked_rows_only(gen, covers):
    rules = discover(covers)
    for sample in gen.sample_iter(4, seed=1, certify="bounded"):
        parent, new = covers[int(sample.template_name)], sample.milp
        changed = [i for i in range(new.n_rows) if not np.array_equal(new.row(i), parent.row(i))]
        assert 0 < len(changed) <= sample.record["masked_rows"] == 18
        assert sample.record["notes"]["transfers"] > 0
        assert (new.row_degrees != parent.row_degrees).sum() > 5
        assert (new.col_degrees != parent.col_degrees).sum() > 10
        assert new.n_nonzeros == parent.n_nonzeros
        assert new.col_degrees.min() >= 2
        assert rules.antichain <= discover([new]).antichain
        assert sample.record["certificate"]["level"] == "exact"


def test_the_same_seed_gives_the_same(gen):
    assert list(gen.sample(3, seed=5)) == list(gen.sample(16, seed=5))[:3]


def test_nothing_masked_is_nothing_changed(gen, covers):
    for sample in gen.sample_iter(2, seed=0, mask_ratio=0.0):
        assert sample.milp == covers[int(sample.template_name)]


def test_the_option_keeps_them(gen, covers):
    for sample in gen.sample_iter(3, seed=1, keep_degrees=True):
        parent = covers[int(sample.template_name)]
        assert np.array_equal(sample.milp.row_degrees, parent.row_degrees)
        assert np.array_equal(sample.milp.col_degrees, parent.col_degrees)
        assert sample.milp != parent
        assert "transfers" not in sample.record["notes"]


def test_they_come_back_from_the_folder(gen, tmp_path):
    gen.save(tmp_path / "model")
    again = G2MILP.load(tmp_path / "model")
    assert again.degrees_ == gen.degrees_
    assert again.sample(2, seed=1) == gen.sample(2, seed=1)


def test_a_folder_from_before_has_none(gen, covers):
    arrays, values = gen._state()
    old = G2MILP._from_state(arrays, {k: v for k, v in values.items() if k != "degrees"})
    assert not old.degrees_
    old.templates_ = covers
    for sample in old.sample_iter(1, seed=1):
        parent = covers[int(sample.template_name)]
        assert np.array_equal(sample.milp.col_degrees, parent.col_degrees)
    for hostile in (None, "much", []):
        with pytest.raises(DamagedArtifact, match="degrees"):
            G2MILP._from_state(arrays, {**values, "degrees": hostile})
