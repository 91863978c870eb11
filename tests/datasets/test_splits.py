from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.datasets.splits import split_indices, split_sizes
from g2milp.errors import UsageError


@given(st.integers(3, 500), st.integers(0, 2**32))
def test_parts_are_disjoint_sorted_and_complete(n: int, seed: int) -> None:
    parts = split_indices(n, (0.7, 0.2, 0.1), seed)
    assert sorted(np.concatenate(parts).tolist()) == list(range(n))
    for part, fraction in zip(parts, (0.7, 0.2, 0.1), strict=True):
        assert part.size >= 1
        assert abs(part.size - fraction * n) <= 2
        assert (np.diff(part) > 0).all()


def test_a_split_never_changes() -> None:
    """Published splits depend on it."""
    assert [p.tolist() for p in split_indices(6, (0.5, 0.5), 0)] == SPLIT
    assert [p.tolist() for p in split_indices(6, (0.5, 0.5), 1)] != SPLIT


def test_sizes() -> None:
    assert split_sizes(10, (0.8, 0.2)) == [8, 2]
    assert split_sizes(3, (0.98, 0.01, 0.01)) == [1, 1, 1]
    assert split_sizes(10, (0.3, 0.3)) == [3, 3]
    assert sum(split_sizes(7, (1 / 3, 1 / 3, 1 / 3))) == 7


@pytest.mark.parametrize("fractions", [(), (0.0, 1.0), (0.8, 0.3), (-0.5, 1.0), (float("nan"),)])
def test_impossible_fractions_are_refused(fractions: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="fractions"):
        split_sizes(10, fractions)


def test_too_few_instances_are_refused() -> None:
    with pytest.raises(UsageError, match=r"1 instance\(s\) cannot be split into 2"):
        split_sizes(1, (0.5, 0.5))


SPLIT = [[2, 3, 5], [0, 1, 4]]
