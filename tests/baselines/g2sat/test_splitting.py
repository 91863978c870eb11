"""Splitting takes every row apart, largest first, and its examples are true ones."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.baselines.g2sat.splitting import split_history
from g2milp.testing import random_milp, training_milps


@pytest.mark.parametrize("seed", range(5))
def test_largest_rows_lose_an_entry_first(seed: int) -> None:
    milp = random_milp(np.random.default_rng(seed), n_rows=8, n_cols=10, density=0.5)
    history = split_history(milp, np.random.default_rng(seed))
    degree = milp.row_degrees.copy()
    for entry in history.detached:
        row = history.row[entry]
        assert degree[row] == degree.max() > 1
        degree[row] -= 1
    assert degree.max() == 1
    assert np.unique(history.detached).size == history.detached.size


def test_after_all_splits_every_entry_is_alone() -> None:
    milp = training_milps()[0]
    history = split_history(milp, np.random.default_rng(0))
    assert np.array_equal(history.clauses_after(0), milp.entry_rows)
    clause = history.clauses_after(history.detached.size)
    assert np.bincount(clause).max() == 1


def test_examples_belong_together_or_do_not() -> None:
    milp = training_milps()[0]
    rng = np.random.default_rng(1)
    history = split_history(milp, rng)
    for splits in rng.integers(1, history.detached.size + 1, size=40).tolist():
        clause, (u, v, w) = history.example(splits, rng)
        (entry,) = np.flatnonzero(clause == v)
        assert history.row[entry] == u
        assert np.array_equal(clause, history.clauses_after(splits))
        assert w not in (u, v)
        assert history.variable[entry] not in history.variable[clause == w]


def test_which_entries_leave_is_random() -> None:
    milp = training_milps()[0]
    first = split_history(milp, np.random.default_rng(0)).detached
    second = split_history(milp, np.random.default_rng(1)).detached
    assert not np.array_equal(first, second)
