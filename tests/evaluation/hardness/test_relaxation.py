"""LP relaxations: the three statistics by hand, and that only solved instances count."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.evaluation.instances import milp_of
from tests.evaluation.test_evaluate import FRESH, REAL

import g2milp as gm
from g2milp.evaluation.hardness.relaxation import NAMES, compare_relaxations, relaxation
from g2milp.solvers.labelling import Plan, label


def triangle(bound: float = 1.0):
    """max x + y + z, two of three at most once: the relaxation is at one half each."""
    matrix = np.array([[1.0, 1, 0], [0, 1, 1], [1, 0, 1]])
    return milp_of(
        matrix, np.full(3, -np.inf), np.full(3, bound), objective=np.ones(3),
        col_upper=np.ones(3), kinds=np.ones(3), sense="max", offset=5.0,
    )  # fmt: skip


def test_the_triangle_has_a_gap_of_a_half_and_no_degenerate_vertex():
    # z_LP = 1.5 + 5, z* = 1 + 5; three basic columns, all inside their bounds, three tight rows.
    assert relaxation(triangle(), 6.0) == pytest.approx((0.5 / 6, 0.0, 1.0))


def test_a_vertex_on_too_many_bounds_is_degenerate():
    # x = y = z = 1 with all rows tight: no basic variable is off its bounds.
    gap, degeneracy, fractional = relaxation(triangle(2.0), 8.0)
    assert (gap, degeneracy, fractional) == pytest.approx((0.0, 1.0, 0.0))


def test_without_an_optimum_there_is_nothing():
    empty = milp_of(
        np.ones((2, 1)), np.array([1.0, -np.inf]), np.array([np.inf, 0.0]), objective=np.ones(1)
    )
    assert relaxation(empty, 0.0) is None


def test_equal_sets_are_one_and_no_set_is_nothing():
    rows = np.random.default_rng(0).random((30, 3))
    found = compare_relaxations(rows, rows)
    assert [s.name for s in found] == list(NAMES)
    assert [s.similarity for s in found] == pytest.approx([1.0] * 3)
    assert all(s.weight == 0 for s in found)
    far = compare_relaxations(rows, rows + 5)
    assert all(s.similarity < 0.2 and s.interval[1] < 0.3 for s in far)
    assert compare_relaxations(rows, rows[:0]) == ()


def test_only_what_was_solved_is_relaxed(tmp_path):
    for data in (REAL[:6], FRESH[:4]):
        label(data, tmp_path / "ledger", Plan(seeds=(0,)))
    settings = {"ledgers": [tmp_path / "ledger"], "two_sample": False}
    found = gm.evaluate(REAL[:8], FRESH[:4], relaxation=True, **settings)
    made = found.to_dict()["hardness"]["relaxation"]
    assert set(made) == set(NAMES)
    assert made["lp_fractional"]["reference_mean"] > 0
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert "LP relaxations" in str(found)
    assert gm.evaluate(REAL[:8], FRESH[:4], **settings).relaxation == ()
