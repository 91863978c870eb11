from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from g2milp.solvers.summary import statistics, summary


def line(name: str, status: str, seconds: float, **more: Any) -> dict[str, Any]:
    return {
        "instance_hash": name,
        "solver": "highs",
        "solver_version": "1",
        "status": status,
        "checked": "exact",
        "seconds": seconds,
        "nodes": 1,
        "lp_iterations": 10,
        "work": 10.0,
        **more,
    }


def test_counts_and_censored_share() -> None:
    lines = [
        line("a", "optimal", 1.0),
        line("a", "optimal", 3.0),
        line("b", "time_limit", 300.0),
        line("c", "crashed", 0.0, nodes=None, lp_iterations=None, work=None, checked="nothing"),
    ]
    found = summary(lines)
    assert (found["solves"], found["instances"]) == (4, 3)
    assert found["statuses"] == {"optimal": 2, "time_limit": 1, "crashed": 1}
    assert found["checked"] == {"exact": 3, "nothing": 1}
    assert found["censored_share"] == 0.25
    seconds = found["effort"]["highs 1"]["seconds"]
    assert (seconds["n"], seconds["median"], seconds["max"]) == (3, 3.0, 300.0)
    assert seconds["shifted_geometric_mean"] == pytest.approx((2 * 4 * 301) ** (1 / 3) - 1)


def test_work_of_gurobi_has_another_shift() -> None:
    of = summary([line("a", "optimal", 1.0, solver="gurobi", work=0.5)])["effort"]["gurobi 1"]
    assert (of["work"]["shift"], of["nodes"]["shift"]) == (1.0, 10.0)


def test_nothing_to_sum_up() -> None:
    assert summary([]) == {
        "solves": 0,
        "instances": 0,
        "statuses": {},
        "checked": {},
        "censored_share": 0.0,
        "effort": {},
    }


def test_a_constant_is_its_own_mean() -> None:
    found = statistics(np.full(7, 5.0), 10.0)
    assert math.isclose(found["shifted_geometric_mean"], 5.0)
    assert set(found["quantiles"].values()) == {5.0}


def test_zeros_have_the_mean_zero() -> None:
    assert statistics(np.zeros(4), 10.0)["shifted_geometric_mean"] == 0.0
    assert statistics(np.full(4, 1e-12), 1.0)["shifted_geometric_mean"] == pytest.approx(1e-12)
