"""Settings are changed by name; what is unknown or of another type is refused."""

from __future__ import annotations

import pytest

from g2milp.downstream.optimal_value.protocol import protocol
from g2milp.downstream.tuning.protocol import protocol as tuning_protocol
from g2milp.errors import UsageError


def test_published_protocols():
    mik, nurse, mis = protocol("mik"), protocol("nurse"), protocol("mis")
    assert (mik.schedule.epochs, mik.comparison.validation_share) == (1000, 0.2)
    assert (mik.comparison.added, mik.comparison.repeats) == ((20,), 5)
    assert (nurse.schedule.epochs, nurse.comparison.validation_share) == (80, 0.0)
    assert mis.comparison.added == (0.25, 0.5, 1.0)
    assert (mik.network.depth, mik.network.width) == (6, 16)


def test_fields_of_all_parts_are_set_by_their_names():
    changed = protocol("mik", epochs=3, width=4, repeats=2, learning_rate=1)
    assert (changed.schedule.epochs, changed.network.width, changed.comparison.repeats) == (3, 4, 2)
    assert changed.schedule.learning_rate == 1.0
    assert changed.schedule.batch == protocol("mik").schedule.batch
    assert tuning_protocol(budget=7, few=2).search.budget == 7


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epoch": 3}, "epochs"),
        ({"epochs": "many"}, "epochs"),
        ({"epochs": True}, "epochs"),
        ({"epochs": 2.5}, "epochs"),
        ({"epochs": 0}, "epochs"),
        ({"repeats": 0}, "repeats"),
        ({"validation_share": 1.0}, "validation_share"),
        ({"added": (0,)}, "added"),
        ({"depth": 0}, "depth"),
    ],
)
def test_what_makes_no_sense_is_refused(given, words):
    with pytest.raises(UsageError) as refused:
        protocol("mik", **given)
    assert words in str(refused.value)


def test_shares_and_numbers():
    comparison = protocol("mik", sizes=(50, 100), added=(20, 0.25)).comparison
    assert [comparison.count(number, 50) for number in comparison.added] == [20, 12]
    assert comparison.arm("ours", 0.25, 50) == "ours +25% of 50"
    assert protocol("mik").comparison.arm("ours", 20, 80) == "ours"
