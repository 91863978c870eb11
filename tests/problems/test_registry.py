from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from g2milp.errors import UsageError
from g2milp.instance.fingerprint import content_hash
from g2milp.problems.registry import PROBLEMS, make, make_many, parse_settings, problem
from g2milp.testing import assert_milp_equal

SMALL: dict[str, dict[str, Any]] = {
    "mis": {"n_nodes": 30},
    "setcover": {"n_rows": 20, "n_cols": 40, "density": 0.2},
    "mik": {"n_integers": 20, "n_continuous": 3, "n_knapsacks": 4},
    "auction": {"n_items": 10, "n_bids": 30},
    "facility": {"n_customers": 6, "n_facilities": 5},
    "gisp": {"n_nodes": 15},
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_an_instance_depends_on_seed_and_number_only(name: str) -> None:
    five = list(make_many(name, 5, 3, **SMALL[name]))
    three = list(make_many(name, 3, 3, **SMALL[name]))
    for a, b in zip(five, three, strict=False):
        assert_milp_equal(a, b)
    assert_milp_equal(make(name, 3, **SMALL[name]), five[0])
    hashes = {content_hash(m) for m in [*five, make(name, 4, **SMALL[name])]}
    assert len(hashes) == 6
    assert five[1].name.endswith(".2")


@pytest.mark.parametrize("name", PROBLEMS)
def test_default_parameters_are_described(name: str) -> None:
    parameters = PROBLEMS[name].parameters()
    assert set(parameters.RANGES) == {field.name for field in dataclasses.fields(parameters)}
    assert PROBLEMS[name].title
    assert PROBLEMS[name].source


@pytest.mark.parametrize("name", PROBLEMS)
def test_names_say_what_a_row_is(name: str) -> None:
    milp = make(name, 0, **SMALL[name])
    assert not any(label.startswith("r") and label[1:].isdigit() for label in milp.row_names)
    assert all(" " not in label for label in (*milp.row_names, *milp.col_names))


@pytest.mark.parametrize("name", PROBLEMS)
def test_instances_are_feasible(name: str) -> None:
    """By HiGHS, which gets the arrays and not a file."""
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.optimize import milp as solve

    instance = make(name, 1, **SMALL[name])
    sign = -1.0 if instance.sense == "max" else 1.0
    outcome = solve(
        sign * instance.objective,
        integrality=instance.is_integer.astype(int),
        bounds=Bounds(instance.col_lower, instance.col_upper),
        constraints=LinearConstraint(instance.matrix(), instance.row_lower, instance.row_upper),
    )
    assert outcome.status == 0


def test_settings_are_read_from_text() -> None:
    assert parse_settings("setcover", ["n_rows=10", "density = 0.5", "n-cols=20"]) == {
        "n_rows": 10,
        "density": 0.5,
        "n_cols": 20,
    }


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("setcover", ["n_row=10"], "Did you mean 'n_rows'"),
        ("setcover", ["n_rows"], "not of the form key=value"),
        ("setcover", ["n_rows=ten"], "whole number, not 'ten'"),
        ("setcover", ["n_rows=1.5"], "whole number"),
        ("setcover", ["density=2"], "density must lie between 0 and 1, not 2"),
        ("setcover", ["density=nan"], "finite"),
        ("setcover", ["density=0.0001"], "two in every column"),
        ("setcover", ["n_rows=5", "n_rows=6"], "twice"),
        ("mis", ["affinity=500"], "smaller than n_nodes"),
        ("mik", ["n_integers=20", "n_knapsacks=10"], "larger than twice"),
        ("mik", ["n_knapsacks=300"], "needs n_integers"),
        ("auction", ["max_value=0.5"], "max_value"),
        ("misc", [], "Did you mean 'mis'"),
    ],
)
def test_wrong_settings_say_what_to_do(name: str, settings: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_settings(name, settings)


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(UsageError, match="seed"):
        make("mis", -1)
    with pytest.raises(UsageError, match="n must not"):
        make_many("mis", -1, 0)
    with pytest.raises(UsageError, match="n_nodes must be a number"):
        make("mis", 0, n_nodes="many")
    with pytest.raises(UsageError, match="whole number"):
        make("mis", 0, n_nodes=2.5)
    assert isinstance(make("mis", 0, n_nodes=np.int64(30).item()).n_rows, int)
    assert problem("mis").name == "mis"
