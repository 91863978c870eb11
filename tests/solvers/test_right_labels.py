"""No wrong label is stored as proven: the optimum of tiny instances is known by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from g2milp.instance.milp import Milp
from g2milp.solvers.base import Limits, Status
from g2milp.solvers.solving import SolveJob, solve_job

if TYPE_CHECKING:
    from g2milp.solvers.base import Solver


def tiny(seed: int) -> Milp:
    """Three columns in -2..2, up to three rows; numbers of every size where `seed` is even."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(1, 4))
    matrix = rng.integers(1, 10, (n_rows, 3)) * rng.choice([-1.0, 1.0], (n_rows, 3))
    cost = rng.integers(-9, 10, 3).astype(float)
    if seed % 2 == 0:
        matrix *= 10.0 ** rng.integers(-6, 7, matrix.shape)
        cost *= 10.0 ** rng.integers(-6, 7, 3)
    activity = matrix @ rng.integers(-2, 3, 3)
    return Milp.build(
        objective=cost,
        indptr=np.arange(0, 3 * n_rows + 1, 3),
        indices=np.tile(np.arange(3), n_rows),
        values=matrix.ravel(),
        row_lower=np.where(rng.random(n_rows) < 0.5, activity, -np.inf),
        row_upper=activity + np.abs(activity) * rng.choice([0.0, 0.5], n_rows),
        col_lower=[-2.0] * 3,
        col_upper=[2.0] * 3,
        kinds=[1] * 3,
        sense=("min", "max")[seed // 2 % 2],  # type: ignore[arg-type]
    )


def optimum(milp: Milp) -> Fraction | None:
    """By trying all 125 points in rational arithmetic."""

    def dot(values: list[float], point: tuple[int, ...]) -> Fraction:
        return sum((Fraction(v) * x for v, x in zip(values, point, strict=True)), Fraction(0))

    rows = milp.values.reshape(-1, 3).tolist()
    sides = list(zip(milp.row_lower.tolist(), milp.row_upper.tolist(), strict=True))
    costs = [
        dot(milp.objective.tolist(), point)
        for point in product(range(-2, 3), repeat=3)
        if all(low <= dot(row, point) <= up for row, (low, up) in zip(rows, sides, strict=True))
    ]
    if not costs:
        return None
    return max(costs) if milp.sense == "max" else min(costs)


@pytest.mark.parametrize("block", range(4))
def test_a_proven_label_is_right(solver: Solver, block: int) -> None:
    proven = 0
    for seed in range(40 * block, 40 * block + 40):
        milp = tiny(seed)
        outcome = solve_job(SolveJob(milp=milp, solver=solver.name, limits=Limits(gap=0.0)))
        if not outcome.checked.is_proven:
            continue
        proven += 1
        truth = optimum(milp)
        if truth is None:
            assert outcome.status is Status.INFEASIBLE
        else:
            assert outcome.objective is not None
            error = abs(Fraction(outcome.objective) - truth)
            assert error <= Fraction(1, 10**6) * max(1, abs(truth)), (seed, outcome)
    assert proven >= 20
