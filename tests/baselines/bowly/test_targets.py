"""What a search can watch: by name, with a number, the largest, or the training set's mean."""

from __future__ import annotations

import math

import numpy as np
import pytest

from g2milp.baselines.bowly.targets import MEASURES, Target, measure_of
from g2milp.errors import DamagedArtifact, UsageError
from g2milp.problems.registry import make, make_many
from g2milp.testing import tiny_milps


def test_forms_of_a_target() -> None:
    milps = list(make_many("setcover", 2, seed=0, n_rows=20, n_cols=30, density=0.2))
    assert Target.parse("density:0.3", milps) == Target("density", 0.3)
    assert math.isinf(Target.parse("density:max", milps).value)
    assert Target.parse("density", milps).value == pytest.approx(0.2)


@pytest.mark.parametrize("text", ["nods", "", "density:many", "density:", "density:inf"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Target.parse(text, [make("setcover", seed=0, n_rows=20, n_cols=30, density=0.2)])


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_a_finite_number(name: str) -> None:
    for milp in (tiny_milps()["range"], tiny_milps()["free row"], tiny_milps()["no rows"]):
        assert np.isfinite(measure_of(name)(milp))


def test_measures_are_what_they_say() -> None:
    milp = tiny_milps()["range"]  # [[1, 2], [3, -1]], sides [1, 3] and ≤ 2
    assert measure_of("density")(milp) == 1.0
    assert measure_of("coefficient_mean")(milp) == 1.25
    assert measure_of("side_mean")(milp) == 2.5
    assert measure_of("row_degree_std")(milp) == 0.0


@pytest.mark.parametrize("value", [3.5, math.inf])
def test_targets_survive_json(value: float) -> None:
    target = Target("nodes", value)
    assert Target.from_dict(target.to_dict()) == target


@pytest.mark.parametrize(
    "values",
    [None, {"name": "nodes"}, {"name": "nods", "value": 1}, {"name": "nodes", "value": True}],
)
def test_damaged_targets_are_refused(values: object) -> None:
    with pytest.raises(DamagedArtifact):
        Target.from_dict(values)
