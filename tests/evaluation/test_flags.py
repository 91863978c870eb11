"""Flags: what the ledgers do not hold, tests without power, near-copies beside copies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.evaluation.instances import permuted
from tests.evaluation.test_evaluate import REAL

import g2milp as gm
from g2milp.evaluation import flags
from g2milp.evaluation.result import TwoSample
from g2milp.evaluation.two_sample.classifier import ClassifierTest
from g2milp.instance.milp import Milp


@pytest.mark.parametrize(
    ("solves", "reference", "generated", "code"),
    [
        (0, 0, 0, None),
        (8, 0, 0, "unmatched-ledger"),
        (8, 8, 0, "one-sided"),
        (8, 0, 8, "one-sided"),
        (8, 8, 8, "no-common-solver"),
    ],
)
def test_ledgers_that_do_not_fit_are_named(
    solves: int, reference: int, generated: int, code: str | None
):
    found = flags.hardness_flags((), solves, (reference, 8), (generated, 8))
    assert [flag.code for flag in found] == ([code] if code else [])


def test_a_ledger_of_some_of_the_instances_says_of_how_many(tmp_path):
    from g2milp.solvers.labelling import Plan, label

    label(REAL[:3], tmp_path / "ledger", Plan(seeds=(0,)))
    found = gm.evaluate(REAL, REAL[:2], ledgers=[tmp_path / "ledger"], two_sample=False)
    (partly,) = [flag for flag in found.flags if flag.code == "partly-solved"]
    assert "3 of 40 reference and 2 of 2 generated" in partly.message


def test_a_test_without_power_says_so():
    test = ClassifierTest("stumps", 0.5, (0.4, 0.6), 5, 3, ())
    weak = TwoSample(test, (), 0.7)
    assert [flag.code for flag in flags.test_flags(weak)] == ["weak-test"]
    assert not list(flags.test_flags(replace(weak, power=0.99)))
    told = replace(weak, classifier=replace(test, auc=0.99, interval=(0.95, 1.0)))
    assert [flag.code for flag in flags.test_flags(told)] == ["told-apart"]


def test_near_copies_are_found_beside_copies_in_another_order():
    def nearly(milp: Milp) -> Milp:
        upper = milp.row_upper.copy()
        upper[0] += 1
        return replace(milp, row_upper=upper)

    mixed = [
        *(permuted(m, np.random.default_rng(2)) for m in REAL[:6]),
        *(nearly(m) for m in REAL[6:10]),
    ]
    found = gm.evaluate(REAL, mixed, two_sample=False)
    assert found.novelty.isomorphic == pytest.approx(0.6)
    assert found.novelty.near_copies == pytest.approx(1.0)
    assert {"copies", "near-copies"} <= {flag.code for flag in found.flags}
