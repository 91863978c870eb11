"""LP relaxations: the three statistics by hand, and that only solved instances count."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.evaluation.instances import milp_of
from tests.evaluation.test_evaluate import FRESH, REAL

import g2milp as gm
from g2milp.evaluation.hardness.relaxation import NAMES, compare_relaxations, relaxation
from g2milp.instance.milp import Kind
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


@pytest.mark.parametrize("seed", range(30))
def test_degeneracy_is_that_of_the_basis(seed: int):
    # HiGHS's own basis says which variables are basic; here they are found by their values.
    from highspy import HighsBasisStatus, HighsModelStatus

    from g2milp.generation.certificates.linear_program import _loaded

    rng = np.random.default_rng([4, seed])
    matrix = (rng.random((12, 15)) < 0.3) * rng.integers(1, 4, (12, 15)).astype(float)
    sides = rng.integers(1, 4, 12).astype(float)
    milp = milp_of(
        matrix, np.where(rng.random(12) < 0.2, sides, -np.inf), sides + (rng.random(12) < 0.3),
        objective=rng.integers(-2, 5, 15).astype(float), col_upper=np.full(15, 2.0),
        kinds=rng.integers(0, 2, 15), sense="max",
    )  # fmt: skip
    highs = _loaded(milp, relaxed=True)
    highs.run()
    if highs.getModelStatus() != HighsModelStatus.kOptimal:
        assert relaxation(milp, 0.0) is None
        return
    basis, point = highs.getBasis(), highs.getSolution()
    lines = [
        *zip(basis.col_status, point.col_value, milp.col_lower, milp.col_upper, strict=True),
        *zip(basis.row_status, point.row_value, milp.row_lower, milp.row_upper, strict=True),
    ]
    basic = [line[1:] for line in lines if line[0] == HighsBasisStatus.kBasic]
    assert len(basic) == milp.n_rows
    on_bound = sum(min(v - low, high - v) < 1e-6 for v, low, high in basic)
    found = relaxation(milp, 0.0)
    assert found is not None
    assert found[1] == pytest.approx(on_bound / milp.n_rows)


def test_zero_is_a_bound_of_a_semi_continuous_column():
    # x <= 1 with x in {0} or [2, 5]: the relaxation has x = 1, strictly between 0 and 5.
    milp = milp_of(
        np.ones((1, 1)), np.array([-np.inf]), np.array([1.0]), objective=[1.0],
        col_lower=[2.0], col_upper=[5.0], kinds=[Kind.SEMI_CONTINUOUS], sense="max",
    )  # fmt: skip
    assert relaxation(milp, 0.0) == pytest.approx((1.0, 0.0, 0.0))


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
