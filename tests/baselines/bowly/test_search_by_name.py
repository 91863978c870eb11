"""The search as users reach it: a setting of the generator."""

from __future__ import annotations

import pytest

from g2milp.baselines.bowly.generator import Bowly
from g2milp.errors import UsageError
from g2milp.testing import training_milps


def test_the_search_brings_the_statistic_nearer() -> None:
    data = training_milps()
    plain = Bowly().fit(data).sample(2, seed=3)
    searched = Bowly(search="side_std:10", steps=40).fit(data).sample(2, seed=3)
    for before, sample in zip(plain, searched.samples, strict=True):
        notes = sample.record["notes"]["search"]
        assert notes["start"] == pytest.approx(before.row_upper.std())
        assert notes["found"] == pytest.approx(sample.milp.row_upper.std())
        assert abs(notes["found"] - 10) < 0.5 * abs(notes["start"] - 10)


def test_hardness_can_be_asked_for() -> None:
    data = training_milps()
    for sample in Bowly(search="lp_iterations:max", steps=6).fit(data).sample(2, seed=0).samples:
        notes = sample.record["notes"]["search"]
        assert notes["value"] == "max"
        assert notes["found"] > notes["start"]


def test_zero_steps_change_nothing() -> None:
    data = training_milps()
    assert list(Bowly(search="density:1", steps=0).fit(data).sample(2)) == list(
        Bowly().fit(data).sample(2)
    )


@pytest.mark.parametrize("settings", [{"search": "nods"}, {"search": "nodes", "steps": -1}])
def test_wrong_settings_are_refused_at_once(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Bowly(**settings)
