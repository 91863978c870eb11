from __future__ import annotations

import math

import pytest

from g2milp.reports import text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (0, "0"),
        (-3.0, "−3"),
        (1234567, "1,234,567"),
        (1234.56, "1,235"),
        (0.123456, "0.123"),
        (-0.5, "−0.5"),
        (0.00012345, "1.23e-04"),
        (1e300, "1e+300"),
    ],
)
def test_numbers(value: float | None, shown: str):
    assert text.number(value) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (None, "–"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.5, "50 %"),
        (0.05, "5.0 %"),
        (0.98, "98.0 %"),
        (0.0001, "< 0.1 %"),
        (0.9999, "> 99.9 %"),
    ],
)
def test_per_cents_never_round_to_all_or_nothing(share: float | None, shown: str):
    assert text.percent(share) == shown.replace(" ", "\u00a0")


def test_what_cannot_be_seen_is_shown():
    assert text.visible("a\u202eb\x1b[31m\u200bü") == "a\\u202eb\\x1b[31m\\u200bü"
    assert text.visible("plain") == "plain"


@pytest.mark.parametrize("longest", [5, 6, 80])
def test_long_names_keep_both_ends(longest: int):
    name = "abcdefghij" * 20
    cut = text.visible(name, longest)
    assert len(cut) == longest
    head, tail = cut.split("…")
    assert name.startswith(head)
    assert name.endswith(tail)
    assert text.visible("short", longest) == "short"


def test_lists_and_intervals():
    assert text.listed(["a"]) == "a"
    assert text.listed(["a", "b", "c"]) == "a, b and c"
    assert text.interval(0.5, 1) == "0.5 to 1"
    assert text.interval(None, 1) == "–"
    assert text.score(-0.0042) == "−0.004"
