from __future__ import annotations

import numpy as np

from g2milp.generation.supports import Budget, Supports, best, drawn


def test_best_takes_the_largest_and_breaks_ties_by_index():
    assert best(np.array([0.0, 3.0, 1.0, 3.0]), 2).tolist() == [1, 3]
    assert best(np.array([1.0, 1.0, 1.0]), 2).tolist() == [0, 1]
    assert best(np.array([1.0, -np.inf, -np.inf]), 2).tolist() == [0]


def test_drawn_columns_follow_the_logits():
    rng = np.random.default_rng(0)
    odds = np.array([1.0, 2.0, 4.0])
    counts = np.bincount([int(drawn(np.log(odds), 1, rng)[0]) for _ in range(7000)], minlength=3)
    assert np.allclose(counts / 7000, odds / 7, atol=0.02)
    assert drawn(np.zeros(9), 4, rng).size == 4


def test_a_budget_is_wanted_until_it_is_used(family):
    milp = family[0]
    rows = np.array([0, 3, 5])
    budget = Budget.of(milp, rows)
    expected = np.zeros(milp.n_cols)
    for i in rows:
        expected[milp.row(int(i))[0]] += 1
    assert (budget.slots == expected).all()
    assert (budget.log_odds() == 0).all()
    for i in rows:
        budget.use(milp.row(int(i))[0])
    assert (budget.log_odds()[expected > 0] < -3).all()
    assert (budget.log_odds()[expected == 0] == 0).all()


def test_supports_know_what_is_taken(make_milp):
    milp = make_milp([[1, 1, 0], [0, 1, 1]], lower=[0, 0], upper=[1, 1], objective=[1, 1, 1])
    supports = Supports.of(milp)
    assert not supports.is_new(np.array([0, 1]))
    supports.discard(milp.row(0)[0])
    assert supports.is_new(np.array([0, 1]))
    assert not supports.is_new(np.array([1, 2]))
    supports.add(np.array([0, 1]))
    assert not supports.is_new(np.array([0, 1]))
    twice = make_milp([[1, 1], [2, 1]], lower=[0, 0], upper=[1, 1], objective=[1, 1])
    assert Supports.of(twice).is_new(np.array([0, 1]))
