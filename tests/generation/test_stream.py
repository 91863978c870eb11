from __future__ import annotations

import numpy as np
import pytest

from g2milp.errors import G2MILPError, InvalidMilp, NotFitted, UsageError
from g2milp.generation.contract import BLOCK, Redrawn, Samples
from g2milp.generation.options import resolve


def test_the_same_seed_gives_the_same_and_another_seed_does_not(toy):
    assert list(toy.sample(20, seed=3)) == list(toy.sample(20, seed=3))
    assert list(toy.sample(20, seed=3)) != list(toy.sample(20, seed=4))


def test_a_number_does_not_depend_on_how_many_follow(toy):
    assert list(toy.sample(BLOCK + 3, seed=1))[:BLOCK] == list(toy.sample(BLOCK, seed=1))


def test_nothing_masked_gives_back_the_template(toy, family):
    for sample in toy.sample_iter(6, mask_ratio=0.0):
        assert sample.milp == family[int(sample.template_name)]
        assert sample.record["same_as"] == sample.template_name
        assert sample.record["changed_rows"] == 0


@pytest.mark.parametrize("scope", ["rows", "cols", "both"])
def test_what_is_not_masked_stays_bit_for_bit(toy, family, scope):
    for sample in toy.sample_iter(8, mask_ratio=0.4, scope=scope):
        parent = family[int(sample.template_name)]
        same_rows = [
            i
            for i in range(parent.n_rows)
            if all((a == b).all() for a, b in zip(parent.row(i), sample.milp.row(i), strict=True))
            and parent.row_upper[i] == sample.milp.row_upper[i]
        ]
        masked = 0 if scope == "cols" else round(0.4 * parent.n_rows)
        assert sample.record["masked_rows"] == masked
        assert len(same_rows) >= parent.n_rows - masked
        assert sample.milp.row_names == parent.row_names
        assert sample.milp.col_names == parent.col_names
        if scope == "rows":
            assert (sample.milp.objective == parent.objective).all()
            assert (sample.milp.kinds == parent.kinds).all()


def test_distinct_instances_are_distinct(toy, family):
    samples = list(toy.sample_iter(40, mask_ratio=0.09, distinct=True, templates=family[:1]))
    hashes = [s.record["structure_hash"] for s in samples]
    assert len(set(hashes)) == 40
    assert all(s.record["same_as"] is None for s in samples)


def test_distinct_that_cannot_be_is_an_error(toy):
    with pytest.raises(G2MILPError, match="exists already"):
        toy.sample(1, mask_ratio=0.0, distinct=True)


def test_samples_are_a_list_that_keeps_the_records(toy):
    new = toy.sample(3)
    assert isinstance(new, Samples)
    assert [s.milp for s in new.samples] == list(new)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mask_ratio": 1.2}, "mask_ratio"),
        ({"mask_ratio": float("nan")}, "mask_ratio"),
        ({"mask_ration": 0.1}, "Did you mean 'mask_ratio'"),
        ({"scope": "all"}, "scope"),
        ({"order": "random"}, "order"),
        ({"temperature": 0.0}, "temperature"),
        ({"certify": "yes"}, "certify"),
        ({"spread": "wide"}, "must be a float"),
        ({"mask_ratio": "much"}, "must be a float"),
        ({"distinct": "yes"}, "must be a bool"),
    ],
)
def test_wrong_options_are_refused(toy, options, words):
    with pytest.raises(UsageError, match=words):
        toy.sample(1, **options)


def test_own_options_are_known_by_name(toy):
    assert resolve(toy, {"flavour": "hot", "spread": 2}).own("spread") == 2.0
    sample = next(toy.sample_iter(1, flavour="hot"))
    assert sample.record["options"]["extra"]["flavour"] == "hot"
    assert sample.record["notes"] == {"flavour": "hot"}


def test_an_unfitted_generator_says_so():
    from toy_generator import Toy

    with pytest.raises(NotFitted):
        Toy().sample(1)
    with pytest.raises(UsageError, match="negative"):
        Toy().fit([next(iter(make()))]).sample(1, seed=-1)


def make():
    from g2milp.instance.milp import Milp

    yield Milp.build(
        objective=[1.0], indptr=[0, 1], indices=[0], values=[1.0], row_lower=[0], row_upper=[1]
    )


def test_a_generator_that_touches_other_rows_is_caught(toy, monkeypatch):
    honest = type(toy)._rows

    def wide(self, draft):
        patch = honest(self, draft)
        others = np.setdiff1d(np.arange(draft.template.n_rows), draft.masked_rows)
        return type(patch)(**{**vars(patch), "rows": others[: patch.rows.size]})

    monkeypatch.setattr(type(toy), "_rows", wide)
    with pytest.raises(InvalidMilp, match="not masked"):
        toy.sample(1)


def test_a_generator_that_breaks_a_sense_is_caught(toy, monkeypatch):
    honest = type(toy)._rows

    def broken(self, draft):
        patch = honest(self, draft)
        return type(patch)(**{**vars(patch), "lower": np.full(patch.rows.size, -5.0)})

    monkeypatch.setattr(type(toy), "_rows", broken)
    with pytest.raises(InvalidMilp, match="sense"):
        toy.sample(1)


def test_whole_instances_and_patches_exclude_each_other(toy, family, monkeypatch):
    honest = type(toy)._rows
    monkeypatch.setattr(
        type(toy),
        "_redraw",
        lambda self, drafts, options: [
            Redrawn(rows=honest(self, d), whole=family[0]) for d in drafts
        ],
    )
    with pytest.raises(InvalidMilp, match="as well"):
        toy.sample(1)
