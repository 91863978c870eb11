"""The first point: HiGHS's, or the one nearest to zero where HiGHS does not take the model."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.generation.certificates.linear_program import first_feasible_point, nearest_to_zero
from g2milp.generation.certificates.planted import planted


@pytest.mark.parametrize(
    ("lower", "upper", "kind", "expected"),
    [
        (-1.0, 1.0, 0, 0.0),
        (0.5, 3.5, 1, 1.0),
        (-3.5, -0.5, 1, -1.0),
        (-np.inf, -2.0, 0, -2.0),
        (2.0, 5.0, 2, 0.0),
        (2.0, 5.0, 3, 0.0),
    ],
)
def test_nearest_to_zero_respects_bounds_and_kinds(make_milp, lower, upper, kind, expected):
    milp = make_milp(
        [[1.0]], lower=[-np.inf], upper=[np.inf], objective=[1.0], kinds=[kind],
        col_lower=[lower], col_upper=[upper],
    )  # fmt: skip
    (found,) = nearest_to_zero(milp)
    assert found == expected
    assert not np.signbit(found) or found < 0


def test_a_model_that_highs_refuses_still_gets_its_point(make_milp):
    huge = make_milp([[1e200, 1.0]], lower=[-np.inf], upper=[5.0], objective=[1.0, 1.0])
    found = planted(huge, first_feasible_point(huge), "solved")
    assert found is not None
    assert found.level == "exact"


def test_an_infeasible_model_has_no_planted_point(make_milp):
    milp = make_milp([[1.0], [1.0]], lower=[2.0, 0.0], upper=[3.0, 1.0], objective=[1.0])
    assert planted(milp, first_feasible_point(milp), "solved") is None
