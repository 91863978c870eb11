"""Scales: named numbers, single ones changed, wrong names refused with the known ones."""

from __future__ import annotations

import json

import pytest

from g2milp.errors import UsageError
from g2milp.experiments.scales import FULL, SHORT, described, scale_of


def test_full_is_as_published():
    assert FULL.generated == 1000
    assert {name: FULL.sets[name].instances for name in ("mis", "setcover", "mik")} == {
        "mis": 1000,
        "setcover": 1000,
        "mik": 80,
    }
    assert all(size.steps is None for size in FULL.sets.values())


def test_single_numbers_are_changed_and_nothing_else():
    changed = scale_of("short", {"generated": 7, "mis.solved": 3, "ratios": [0.2]})
    assert (changed.generated, changed.sets["mis"].solved, changed.ratios) == (7, 3, (0.2,))
    assert changed.sets["mik"] == SHORT.sets["mik"]
    assert changed.sets["mis"].instances == SHORT.sets["mis"].instances
    assert SHORT.generated != 7


@pytest.mark.parametrize("key", ["generate", "mis.size", "tsp.solved", "name", "sets"])
def test_unknown_settings_are_refused(key: str):
    with pytest.raises(UsageError, match=key):
        scale_of("short", {key: 1})


def test_unknown_scales_are_refused():
    with pytest.raises(UsageError, match="smoke, short, full"):
        scale_of("tiny")


def test_a_changed_scale_is_named_as_such():
    plain = json.loads(json.dumps(SHORT.as_json()))
    assert described(plain) == "`short`"
    changed = scale_of("short", {"generated": 50, "mis.steps": 1000, "ratios": [0.1]})
    text = described(json.loads(json.dumps(changed.as_json())))
    assert text.startswith("`short` changed by ")
    assert text.count("=") == 3
    for words in ("`generated=50`", "`mis.steps=1000`", "`ratios=[0.1]`"):
        assert words in text


def test_results_from_before_a_set_was_added_are_not_called_changed():
    older = json.loads(json.dumps(SHORT.as_json()))
    del older["sets"]["auction"], older["epochs"]
    assert described(older) == "`short`"
    assert described({"name": "mine", "sets": {}}) == "`mine`"
