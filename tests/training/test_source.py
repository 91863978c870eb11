"""Graphs on demand and the split."""

from __future__ import annotations

import pytest

from g2milp.training.source import GraphSource, split


def test_graphs_are_dropped_beyond_the_limit_and_made_again(tiny) -> None:
    source = GraphSource(tiny, "rows", max_bytes=1)
    first = source[0]
    assert source[0] is first
    source[1]
    again = source[0]
    assert again is not first
    assert (again.indices == first.indices).all()
    assert len(list(source)) == len(tiny)


@pytest.mark.parametrize("n", [5, 10, 300])
def test_validation_is_held_out_where_there_is_enough(n) -> None:
    train, validation = split(list(range(n)), 0.1, 0)
    assert sorted([*train, *validation]) == list(range(n))
    assert len(validation) == max(round(n / 10), 1)
    assert split(list(range(n)), 0.1, 0) == (train, validation)


@pytest.mark.parametrize(("n", "share"), [(1, 0.1), (4, 0.5), (100, 0.0)])
def test_small_sets_are_not_split(n, share) -> None:
    train, validation = split(list(range(n)), share, 0)
    assert train == validation == list(range(n))
