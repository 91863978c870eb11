"""The generator around a network that was trained for a few steps only."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

pytest.importorskip("torch")

from g2milp.datasets.dataset import Dataset
from g2milp.errors import DamagedArtifact, InputError, NotFitted, UsageError
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.integrality.classes import column_classes, row_classes
from g2milp.problems.registry import make_many
from g2milp.testing import check_generator, training_milps

TINY = {
    "training.steps": 2,
    "training.batch": 2,
    "hidden": 4,
    "embedding": 4,
    "latent": 2,
    "depth": 1,
}


@pytest.fixture(scope="module")
def mik() -> Dataset:
    milps = list(make_many("mik", 4, 0, n_integers=12, n_continuous=4, n_knapsacks=3))
    return Dataset.from_milps(milps)


@pytest.fixture(scope="module")
def gen(mik) -> G2MILP:
    return G2MILP(mask_ratio=0.3, settings=TINY).fit(mik)


@pytest.fixture(scope="module")
def faithful(mik) -> G2MILP:
    return G2MILP(mask_ratio=0.3, preset="code-mik", settings=TINY).fit(mik)


def test_it_keeps_the_contract():
    make = partial(G2MILP, mask_ratio=0.3, scope="both", settings=TINY)
    check_generator(make, training_milps())


@pytest.mark.parametrize("which", ["gen", "faithful"])
def test_rows_keep_the_laws_of_the_family(which, request, mik):
    generator = request.getfixturevalue(which)
    for sample in generator.sample_iter(6, seed=1):
        parent = mik[int(sample.template_name)]
        assert sample.record["masked_rows"] == round(0.3 * parent.n_rows)
        assert generator.laws_.strange(sample.milp) == []
        assert (sample.milp.senses == parent.senses).all()
        assert (sample.milp.objective == parent.objective).all()


def test_passes_see_what_earlier_ones_made(faithful):
    """One row a pass and all at once differ as soon as two rows are masked."""
    one = faithful.sample(2, seed=3, passes="one")
    assert one == faithful.sample(2, seed=3)
    with pytest.raises(UsageError, match="one row a pass"):
        faithful.sample(1, passes="block")


def test_a_number_does_not_depend_on_its_neighbours(gen):
    few, many = gen.sample(3, seed=5), gen.sample(16, seed=5)
    assert list(few) == list(many)[:3]


def test_a_row_that_comes_up_again_is_redrawn_again(faithful, monkeypatch):
    from g2milp.generation import refilling

    redrawn = []
    real = refilling._row_patch
    monkeypatch.setattr(
        refilling,
        "_row_patch",
        lambda now, rows, *rest: redrawn.append(rows) or real(now, rows, *rest),
    )
    sample = next(faithful.sample_iter(1, mask_ratio=1.0, repeats=True))
    visits = np.concatenate(redrawn)
    assert visits.size == sample.milp.n_rows
    assert np.unique(visits).size == sample.record["masked_rows"] < visits.size


def test_choices_and_temperature_change_what_is_drawn(gen, mik):
    blocks = G2MILP(mask_ratio=0.3, preset="blocks", settings=TINY).fit(mik)
    plain = blocks.sample(4, seed=1)
    assert plain != blocks.sample(4, seed=1, choose="best")
    assert plain != blocks.sample(4, seed=1, choose="exchange")
    assert plain != blocks.sample(4, seed=1, temperature=3.0)
    with pytest.raises(UsageError, match="choose"):
        gen.sample(1, choose="worst")
    with pytest.raises(UsageError, match="by exchange only"):
        gen.sample(1, choose="best")


@pytest.mark.parametrize("problem", ["mis", "mik"])
def test_columns_keep_the_laws_of_the_family(problem):
    sizes = {"mis": {"n_nodes": 30}, "mik": {"n_integers": 12, "n_continuous": 4, "n_knapsacks": 3}}
    data = Dataset.from_milps(list(make_many(problem, 6, 0, **sizes[problem])))
    both = G2MILP(mask_ratio=0.5, scope="both", settings=TINY).fit(data)
    for scope in ("cols", "both"):
        for sample in both.sample_iter(4, seed=2, scope=scope):
            assert both.laws_.strange(sample.milp) == []


def test_scopes_are_those_of_the_training(gen, mik):
    with pytest.raises(UsageError, match="trained to redraw rows"):
        gen.sample(1, scope="cols")
    both = G2MILP(mask_ratio=0.3, scope="both", settings=TINY).fit(mik)
    for scope in ("rows", "cols", "both"):
        for sample in both.sample_iter(3, scope=scope, certify="bounded"):
            parent = mik[int(sample.template_name)]
            assert (sample.record["masked_cols"] > 0) == (scope != "rows")
            if scope == "cols":
                assert (sample.milp.values == parent.values).all()
            assert sample.record["certificate"]["level"] == "exact"
    assert next(both.sample_iter(1)).record["options"]["scope"] == "both"


def test_foreign_templates_are_refused_by_name(gen):
    foreign = Dataset.from_milps(training_milps(), ["a", "b", "c"])
    with pytest.raises(InputError, match=r"template [abc] is not like"):
        gen.sample(1, templates=foreign)
    assert len(gen.sample(1, templates=foreign, any_template=True)) == 1


def test_embeddings_have_one_vector_an_instance(gen, mik):
    vectors = gen.embed(mik)
    assert vectors.shape[0] == 4
    assert np.isfinite(vectors).all()
    with pytest.raises(NotFitted):
        G2MILP().embed(mik)


def test_damaged_laws_are_seen(gen):
    arrays, values = gen._state()
    with pytest.raises(DamagedArtifact, match="laws"):
        G2MILP._from_state(arrays, {k: v for k, v in values.items() if k != "laws"})


def test_typed_rows_only_take_columns_of_their_kind(gen, mik):
    seen = set()
    for milp in mik:
        pair = 32 * row_classes(milp)[milp.entry_rows] + column_classes(milp)[milp.indices]
        seen |= set(pair.tolist())
    for milp in gen.sample(8, mask_ratio=1.0):
        pair = 32 * row_classes(milp)[milp.entry_rows] + column_classes(milp)[milp.indices]
        assert set(pair.tolist()) <= seen
