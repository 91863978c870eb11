"""The space, the surrogate, and that the best configuration is chosen."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.datasets.dataset import Dataset
from g2milp.downstream.tuning.search import SearchSettings, choose
from g2milp.downstream.tuning.space import HIGHS, default, draw, encoded, neighbours, options
from g2milp.downstream.tuning.surrogate import expected_improvement, propose
from g2milp.errors import UsageError
from g2milp.solvers.registry import get


class Planted:
    """Costs that fall with the distance to one configuration; counts what is asked."""

    def __init__(self, best: tuple[int, ...]) -> None:
        self.best = best
        self.asked: list[tuple[int, ...]] = []

    def cost(self, configuration, data) -> float:
        self.asked.append(configuration)
        return 10.0 + 50.0 * sum(a != b for a, b in zip(configuration, self.best, strict=True))


def test_first_choices_are_the_defaults_of_the_solver(train):
    import highspy

    known = highspy.Highs().getOptions()
    for name, choices in HIGHS.items():
        assert getattr(known, name) == choices[0], name
    assert options(HIGHS, default(HIGHS)) == {}


def test_every_choice_is_taken_by_the_solver_and_keeps_the_optimum(train):
    wanted = get("highs").solve(train[0]).objective
    for configuration in neighbours(HIGHS, default(HIGHS)):
        told = options(HIGHS, configuration)
        assert len(told) == 1
        assert get("highs").solve(train[0], options=told).objective == pytest.approx(wanted), told


def test_a_design_has_the_default_first_and_no_configuration_twice():
    design = draw(HIGHS, 40, np.random.default_rng(3))
    assert design[0] == default(HIGHS)
    assert len(set(design)) == len(design) == 40
    assert draw(HIGHS, 40, np.random.default_rng(3)) == design
    assert len(draw({"a": (1, 2), "b": (1, 2)}, 40, np.random.default_rng(3))) == 4


def test_encoding_is_one_hot():
    space = {"a": (1, 2), "b": (1, 2, 3)}
    np.testing.assert_array_equal(
        encoded(space, [(1, 2), (0, 0)]), [[0, 1, 0, 0, 1], [1, 0, 1, 0, 0]]
    )


def test_expected_improvement_is_the_mean_of_what_is_gained():
    mean, deviation, best = np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.0, 0.1]), 1.5
    drawn = np.random.default_rng(0).normal(mean, deviation, (200_000, 3))
    wanted = np.maximum(best - drawn, 0).mean(axis=0)
    np.testing.assert_allclose(expected_improvement(mean, deviation, best), wanted, atol=5e-3)
    assert expected_improvement(np.array([1.0]), np.array([0.0]), 1.5) == pytest.approx([0.5])


def test_the_cheapest_of_the_design_wins_and_ties_go_to_the_default():
    seen = draw(HIGHS, 12, np.random.default_rng([0, 0x7E57]))
    planted = Planted(seen[7])
    chosen = choose(planted, Dataset([]), SearchSettings(budget=12), seed=0)
    assert chosen.configuration == seen[7]
    assert planted.asked == seen
    flat = Planted(default(HIGHS))
    flat.cost = lambda configuration, data: 1.0
    assert choose(flat, Dataset([]), SearchSettings(budget=5), 0).configuration == default(HIGHS)


def test_the_sequential_search_comes_nearer_than_the_design():
    best = tuple(len(choices) - 1 for choices in HIGHS.values())
    costs = {}
    for method in ("grid", "smac"):
        planted = Planted(best)
        chosen = choose(planted, Dataset([]), SearchSettings(method=method, budget=24), seed=1)
        assert len(planted.asked) == len(set(planted.asked)) == 24
        costs[method] = chosen.cost
    assert costs["smac"] < costs["grid"]


def test_nothing_is_proposed_when_all_is_tried():
    space = {"a": (1, 2)}
    assert propose(space, [(0,), (1,)], [1.0, 2.0], np.random.default_rng(0)) is None


def test_budgets_and_methods_are_checked():
    with pytest.raises(UsageError):
        SearchSettings(budget=1)
    with pytest.raises(UsageError):
        SearchSettings(method="irace")
