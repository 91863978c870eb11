"""Numbers are drawn anew where they are their own, and stay where they belong to something."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.invariants import discover
from g2milp.generation.values.coefficients import tied
from g2milp.generation.values.distribution import Distribution
from g2milp.generation.values.learned import Values
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make_many


def test_a_distribution_gives_its_values_in_their_shares() -> None:
    law = Distribution.learn(np.repeat([1.0, 4.0, 9.0], [10, 30, 60]))
    drawn = law.draw((np.arange(1000) + 0.5) / 1000)
    levels, counts = np.unique(drawn, return_counts=True)
    assert levels.tolist() == [1, 4, 9]
    np.testing.assert_allclose(counts, [100, 300, 600], atol=1)


def test_many_values_keep_their_lattice_and_their_quantiles() -> None:
    values = 7.0 + 2.0 * np.random.default_rng(0).integers(0, 500, 4000)
    law = Distribution.learn(values)
    drawn = law.draw(np.random.default_rng(1).random(4000))
    assert law.step == 2.0
    assert set(np.mod(drawn, 2).tolist()) == {1.0}
    assert drawn.min() >= values.min()
    assert drawn.max() <= values.max()
    shares = np.linspace(0.05, 0.95, 19)
    np.testing.assert_allclose(np.quantile(drawn, shares), np.quantile(values, shares), atol=40)
    assert Distribution.from_json(law.as_json(), "x") == law


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"points": [], "shares": None, "step": 0},
        {"points": [2, 1], "shares": None, "step": 0},
        {"points": [1, 2], "shares": [0.5, 0.6], "step": 0},
        {"points": [1, float("nan")], "shares": None, "step": 0},
        {"points": [0.0] * 9999, "shares": None, "step": 0},
    ],
)
def test_what_is_no_distribution_is_refused(content) -> None:
    with pytest.raises(DamagedArtifact):
        Distribution.from_json(content, "statistics.json")


def knapsacks(seed: int, *, sides: str, costs: str = "free") -> Milp:
    """Twelve rows over up to 45 of 60 columns; sides free, of the row's sum, or of its length."""
    rng = np.random.default_rng(seed)
    m, n = 12, 60
    lengths = rng.integers(30, 45, m)
    rows = [np.sort(rng.choice(n, k, replace=False)) for k in lengths]
    values = [rng.integers(100, 1000, k).astype(float) for k in lengths]
    side = {
        "free": rng.integers(1000, 9000, m).astype(float),
        "sum": np.array([np.floor(v.sum() / 4) for v in values]),
        "length": 1000.0 + 100 * lengths,
    }[sides]
    cost = rng.integers(1, 50, n).astype(float)
    if costs == "follow":
        cost[rows[0]] = values[0] + rng.integers(0, 50, lengths[0])
    return Milp.build(
        objective=cost,
        indptr=np.concatenate([[0], np.cumsum(lengths)]),
        indices=np.concatenate(rows),
        values=np.concatenate(values),
        row_lower=np.full(m, -np.inf),
        row_upper=side,
        col_upper=np.ones(n),
        kinds=np.ones(n, np.uint8),
    )


@pytest.mark.parametrize(("sides", "new"), [("free", True), ("sum", False), ("length", False)])
def test_sides_are_new_only_where_they_hang_on_nothing(sides: str, new: bool) -> None:
    milps = [knapsacks(seed, sides=sides) for seed in range(30)]
    values, _ = Values.learn(milps, discover(milps))
    rows = np.arange(12)
    milp, keep = milps[0], np.zeros(milps[0].n_nonzeros, bool)
    made = values.redrawn(milp, rows, keep, np.random.default_rng(0))
    assert (made.row_upper != milp.row_upper).any() == new
    assert np.array_equal(made.row_lower, milp.row_lower)
    assert np.array_equal(made.indices, milp.indices)
    assert (made.values != milp.values).mean() > 0.9
    assert set(made.values.tolist()) <= set(np.arange(100.0, 1000.0).tolist())


def test_the_knapsack_that_the_costs_were_made_from_keeps_its_coefficients() -> None:
    milps = [knapsacks(seed, sides="free", costs="follow") for seed in range(30)]
    assert [bool(tied(m, np.arange(12))[0]) for m in milps].count(True) >= 28
    others = [tied(m, np.arange(1, 12)).mean() for m in milps]
    assert np.mean(others) < 0.05


def test_balances_and_equalities_keep_their_sides() -> None:
    facilities = list(make_many("facility", 6, 0, n_customers=8, n_facilities=5))
    values, _ = Values.learn(facilities, discover(facilities))
    assert values.sides.groups == {}


def test_values_come_back_from_json_and_nothing_else_does() -> None:
    milps = [knapsacks(seed, sides="free") for seed in range(10)]
    values, _ = Values.learn(milps, discover(milps))
    assert values.sides.groups
    assert values.coefficients.blocks
    assert Values.from_json(values.as_json(), "x") == values
    for content in (None, {}, {"sides": {}, "coefficients": {}}, {"sides": [], "coefficients": []}):
        with pytest.raises(DamagedArtifact):
            Values.from_json(content, "x")


def test_coefficients_that_go_by_their_side_stay_in_proportion() -> None:
    milps = list(make_many("mik", 30, 0, n_integers=120, n_continuous=4, n_knapsacks=10))
    values, _ = Values.learn(milps, discover(milps))
    blocks = values.coefficients.blocks
    assert blocks
    assert all(block.by_side and block.step == 1.0 for block in blocks.values())
    assert len({block.law for block in blocks.values()}) == 1  # above and below a thousand
    assert Values.from_json(values.as_json(), "x") == values
    shifts = []
    for seed, milp in enumerate(milps):
        rows, rng = np.arange(milp.n_rows), np.random.default_rng(seed)
        made = values.redrawn(milp, rows, np.zeros(milp.n_nonzeros, bool), rng)
        shared = np.flatnonzero((milp.col_upper == 100.0) & (milp.col_degrees == 11))
        inside = np.isin(milp.indices, shared) & (milp.entry_rows < 10)
        side = milp.row_upper[milp.entry_rows[inside]]
        assert (made.values[inside] != milp.values[inside]).mean() > 0.9
        assert made.values[inside].min() >= 1.0
        assert (made.values[inside] <= np.ceil(2.0 * side)).all()
        assert np.array_equal(made.row_upper[:10], milp.row_upper[:10])
        shifts.append(made.values[inside].mean() - milp.values[inside].mean())
    assert abs(np.mean(shifts)) < 4.0 * np.std(shifts) / np.sqrt(len(shifts))


def _given(seed: int, of_side: bool) -> Milp:
    """Rows of one length whose sides are half their sums, or give coefficients their size."""
    rng = np.random.default_rng(seed)
    m, n = 20, 40
    side = rng.integers(1000, 9000, m).astype(float)
    weights = rng.uniform(0.2, 1.0, (m, n)) * (side[:, None] if of_side else 1000.0)
    return Milp.build(
        objective=rng.integers(1, 50, n).astype(float),
        indptr=np.arange(0, m * n + 1, n),
        indices=np.tile(np.arange(n), m),
        values=weights.ravel(),
        row_lower=np.full(m, -np.inf),
        row_upper=side if of_side else weights.sum(axis=1) / 2.0,
        col_upper=np.ones(n),
        kinds=np.ones(n, np.uint8),
    )


@pytest.mark.parametrize("of_side", [True, False])
def test_sums_that_made_the_sides_are_no_proportion(of_side: bool) -> None:
    milps = [_given(seed, of_side) for seed in range(20)]
    values, _ = Values.learn(milps, discover(milps))
    found = {block.by_side for block in values.coefficients.blocks.values()}
    assert found == {True} if of_side else True not in found


def test_what_is_no_proportion_is_refused() -> None:
    law = Distribution.learn(np.array([-1.0, 0.0, 2.0])).as_json()
    good = Distribution.learn(np.array([1.0, 2.0])).as_json()
    for content in ([["r", "c", law, 1.0]], [["r", "c", good, -1.0]], [["r", "c", good, "1"]]):
        with pytest.raises(DamagedArtifact):
            Values.from_json({"sides": {}, "coefficients": content}, "x")
