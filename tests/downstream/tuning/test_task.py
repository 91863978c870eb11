"""Costs from a ledger, and tuning from sets to the result."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.downstream.augmentation import Augmentation
from g2milp.downstream.session import Session
from g2milp.downstream.tuning import costs as costs_module
from g2milp.downstream.tuning.costs import Costs, shifted_mean
from g2milp.downstream.tuning.protocol import protocol
from g2milp.downstream.tuning.space import HIGHS, default, neighbours
from g2milp.downstream.tuning.task import FEW, MANY, tuning
from g2milp.errors import UsageError
from g2milp.execution.ledger import read
from g2milp.solvers.base import Limits
from g2milp.solvers.registry import get

LIMITS = Limits(nodes=1000)


def test_costs_are_the_effort_of_the_solver_and_are_solved_once(tmp_path, train, monkeypatch):
    costs = Costs(tmp_path / "l", LIMITS, seeds=(0, 1))
    wanted = [
        np.mean([get("highs").solve(milp, limits=LIMITS, seed=seed).work for seed in (0, 1)])
        for milp in train
    ]
    assert costs.of(default(HIGHS), train) == wanted
    assert costs.cost(default(HIGHS), train) == pytest.approx(shifted_mean(wanted))
    other = neighbours(HIGHS, default(HIGHS))[0]
    costs.of(other, train.subset([0]))
    assert len(list(read(tmp_path / "l"))) == 2 * (len(train) + 1)
    monkeypatch.setattr(costs_module, "label", None)  # nothing may be solved from here
    again = Costs(tmp_path / "l", LIMITS, seeds=(0, 1))
    assert again.of(default(HIGHS), train) == wanted


def test_the_mean_is_shifted_and_geometric():
    assert shifted_mean([0.0, 90.0]) == pytest.approx((10 * 100) ** 0.5 - 10)


def test_what_a_limit_ended_counts_ten_times_and_what_failed_as_the_worst(tmp_path, train):
    costs = Costs(tmp_path / "l", LIMITS, seeds=(0,))
    one = train.subset([0])
    usual = costs.of(default(HIGHS), one)[0]
    (lines,) = costs._known.values()
    lines[0]["status"] = "node_limit"
    assert costs.of(default(HIGHS), one) == [10 * usual]
    lines[0]["status"] = "crashed"
    assert costs.of(default(HIGHS), one) == [10 * usual]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    from downstream_sets import generated_from, independent_sets

    folder = tmp_path_factory.mktemp("tuning")
    train, test = independent_sets(6, seed=1, n_nodes=20), independent_sets(2, 2, n_nodes=20)
    made = generated_from(train, 12, folder / "generated")
    session = Session(
        folder=folder / "out",
        train=train,
        test=test,
        augmentations={Augmentation("made", (folder / "generated",)): [made]},
    )
    small = protocol(few=2, added=2, splits=5, budget=3)
    first = tuning(session, small)
    solves = len(list(read(folder / "out" / "solves")))
    assert tuning(session, small) == first
    assert len(list(read(folder / "out" / "solves"))) == solves
    return first


def test_every_split_has_every_training_set(told):
    assert [(r["arm"], r["repeat"]) for r in told["runs"]] == [
        (arm, split) for split in range(3) for arm in (FEW, "made", MANY)
    ]
    assert {r["real"] for r in told["runs"]} == {2, 6}
    assert all(len(r["tried"]) == 3 for r in told["runs"])


def test_one_choice_on_many_instances_has_no_spread(told):
    (many,) = (row for row in told["summary"] if row["arm"] == MANY)
    assert (many["transfer"]["n"], many["transfer"]["interval"]) == (1, None)
    assert many["improvement"]["n"] == 3


def test_transfer_is_relative_to_the_default_on_unseen_instances(told):
    for record in told["runs"]:
        assert record["transfer"] == record["held_out_work"] / record["default_work"]
        assert record["cost_on_training_set"] == min(cost for _, cost in record["tried"])
        if not record["chosen"]:
            assert record["transfer"] == 1.0
    rows = {row["arm"]: row for row in told["summary"]}
    assert rows[FEW]["improvement"] is None
    compared = rows["made"]["improvement"]
    assert compared["better"] + compared["equal"] + compared["worse"] == 3


def test_too_few_instances_and_other_solvers_are_refused(tmp_path, train, test_set):
    session = Session(folder=tmp_path / "out", train=train, test=test_set)
    with pytest.raises(UsageError, match="8 real instances"):
        tuning(session, protocol(few=9))
    other = Session(folder=tmp_path / "out", train=train, test=test_set, solver="scip")
    with pytest.raises(UsageError, match="HiGHS"):
        tuning(other, protocol(few=2))
