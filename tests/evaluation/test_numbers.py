"""Numbers as people read them: digits, signs, nothing that looks like what it is not."""

from __future__ import annotations

import math

import pytest

from g2milp.evaluation import numbers


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
    assert numbers.number(value) == shown


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
    assert numbers.percent(share) == shown.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.0, "1.00"),
        (0.3, "0.30"),
        (1.005e-3, "0.00101"),
        (0.0, "0.00"),
        (12.34, "12.3"),
        (1234.5, "1,234"),
        (-0.5, "−0.50"),
        (math.inf, "∞"),
    ],
)
def test_ratios_have_the_same_decimals_beside_each_other(value: float, shown: str):
    assert numbers.ratio(value) == shown


def test_a_p_value_is_never_zero():
    assert numbers.chance(2.3e-4) == "<\u00a00.001"
    assert numbers.chance(0.0214) == "0.021"


def test_errors_intervals_and_scores():
    assert numbers.error(0.3609) == "36.1\u00a0%"
    assert numbers.error(12.5) == "1,250.0\u00a0%"
    assert numbers.interval(0.5, 1) == "0.50 to 1.00"
    assert numbers.interval(None, 1) == "–"
    assert numbers.score(-0.0042) == "−0.004"
    assert numbers.number(0.27234, 4) == "0.2723"
