"""Instances small enough to solve in milliseconds, and each solver that is installed here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from g2milp.instance.milp import Milp
from g2milp.solvers.registry import available, get, names

if TYPE_CHECKING:
    from g2milp.solvers.base import Solver

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(params=names())
def solver(request: pytest.FixtureRequest) -> Solver:
    """Each solver; skipped where it is not installed."""
    if request.param not in available():
        pytest.skip(f"{request.param} is not available here")
    return get(request.param)


@pytest.fixture
def knapsack() -> Milp:
    """max 5x + 4y + 3z + 1, 2x + 3y + z ≤ 5, 4x + y + 2z ≤ 11, integer: 16 at (0, 0, 5)."""
    return Milp.build(
        name="knapsack",
        objective=[5.0, 4.0, 3.0],
        indptr=[0, 3, 6],
        indices=[0, 1, 2, 0, 1, 2],
        values=[2.0, 3.0, 1.0, 4.0, 1.0, 2.0],
        row_lower=[-np.inf, -np.inf],
        row_upper=[5.0, 11.0],
        col_upper=[9.0, 9.0, 9.0],
        kinds=[1, 1, 1],
        sense="max",
        offset=1.0,
    )
