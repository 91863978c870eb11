from __future__ import annotations

import pytest

from g2milp.cli.options import Shard, jobs_of, settings_of, shard_of
from g2milp.errors import UsageError


def test_a_shard_counts_from_one_outside_and_from_zero_inside():
    assert shard_of("1/8") == Shard(0, 8)
    assert shard_of("8/8") == Shard(7, 8)
    assert shard_of(None) == Shard(0, 1)
    assert str(shard_of("3/8")) == "3/8"


@pytest.mark.parametrize(
    "text", ["0/8", "9/8", "1/0", "3", "a/b", "-1/8", "1/8/2", "", "1.5/2", "²/3"]
)
def test_a_bad_shard_is_refused(text: str):
    with pytest.raises(UsageError):
        shard_of(text)


def test_settings_are_json_where_they_can_be():
    given = ["steps=3", "rate=1e-3", "on=true", "sizes=[1, 2]", "name=a=b", "path = x y "]
    assert settings_of(given) == {
        "steps": 3,
        "rate": 1e-3,
        "on": True,
        "sizes": [1, 2],
        "name": "a=b",
        "path": "x y",
    }
    assert settings_of(None) == {}


@pytest.mark.parametrize("given", [["steps"], ["=3"], ["a=1", "a=2"], ["a=NaN"], ["a=[Infinity]"]])
def test_bad_settings_are_refused(given: list[str]):
    with pytest.raises(UsageError):
        settings_of(given)


def test_jobs_default_to_the_cores():
    assert jobs_of(None) >= 1
    assert jobs_of(3) == 3
