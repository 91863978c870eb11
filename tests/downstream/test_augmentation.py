"""Splits keep kin together; draws leave out what is kin of held-out instances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.downstream.augmentation import draw, parse_augmentation, split_families
from g2milp.downstream.leakage import Identity, require_apart
from g2milp.errors import UsageError


def one(structure: str, parent: str | None = None) -> Identity:
    return Identity(structure, structure, parent, parent is not None)


@given(st.lists(st.integers(0, 9), min_size=12, max_size=40), st.integers(0, 1000))
def test_the_parts_of_a_split_are_apart_and_complete(parents, seed):
    known = [one(f"s{i}", f"p{p}") for i, p in enumerate(parents)]
    if len(set(parents)) < 3 or max(parents.count(p) for p in parents) > len(parents) // 4:
        return
    train, held = split_families(known, 0.3, seed)
    assert sorted([*train, *held]) == list(range(len(known)))
    assert len(held) <= round(0.3 * len(known))
    require_apart({"train": [known[i] for i in train], "validation": [known[i] for i in held]})


def test_unrelated_instances_are_split_in_exact_shares_and_by_seed():
    known = [one(f"s{i}") for i in range(80)]
    splits = [split_families(known, 0.2, seed) for seed in range(3)]
    assert all((len(train), len(held)) == (64, 16) for train, held in splits)
    assert len({tuple(held) for _, held in splits}) == 3
    assert split_families(known, 0.2, 1) == splits[1]
    assert split_families(known, 0.0, 1) == (list(range(80)), [])


def test_a_family_that_is_the_whole_set_cannot_be_split():
    with pytest.raises(UsageError, match="families"):
        split_families([one(f"s{i}", "same") for i in range(5)], 0.2, 0)


def test_a_chain_of_kin_is_one_family():
    known = [one("a"), one("b"), one("c", "a"), one("d", "b"), Identity("e", "c", "d", True)]
    known += [one(f"s{i}") for i in range(5)]
    for seed in range(20):
        _, held = split_families(known, 0.5, seed)
        assert len(set(held) & set(range(5))) in (0, 5)


def test_draws_take_equal_shares_and_nothing_forbidden():
    pools = [[one(f"{k}{i}", f"p{i % 10}") for i in range(50)] for k in "ab"]
    forbidden = frozenset({"p3", "p4"})
    drawn = draw(pools, 21, forbidden, seed=5)
    assert [len(places) for places in drawn.chosen] == [11, 10]
    assert drawn.short == 0
    for pool, places in zip(pools, drawn.chosen, strict=True):
        assert not any(pool[i].parent in forbidden for i in places)
    assert draw(pools, 21, forbidden, seed=5) == drawn
    assert draw(pools, 21, forbidden, seed=6) != drawn


def test_every_allowed_instance_is_drawn_equally_often():
    pool = [one(f"s{i}") for i in range(10)]
    counts = np.zeros(10)
    for seed in range(2000):
        counts[list(draw([pool], 3, frozenset({"s9"}), seed).chosen[0])] += 1
    assert counts[9] == 0
    assert np.abs(counts[:9] - 2000 / 3).max() < 5 * (2000 * (1 / 3) * (2 / 3)) ** 0.5


def test_a_pool_that_is_too_small_is_told():
    pool = [one("a"), one("a"), one("b", "held")]
    drawn = draw([pool], 3, frozenset({"held"}), 0)
    assert (len(drawn.chosen[0]), drawn.excluded, drawn.short) == (1, 2, 2)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("new", (None, ["new"])),
        ("ours=a,b", ("ours", ["a", "b"])),
        ("a,b", (None, ["a", "b"])),
    ],
)
def test_augmentations_are_read(text, wanted):
    assert parse_augmentation(text) == wanted


@pytest.mark.parametrize("text", ["", "=a", "ours=", ","])
def test_augmentations_that_make_no_sense_are_refused(text):
    with pytest.raises(UsageError):
        parse_augmentation(text)
