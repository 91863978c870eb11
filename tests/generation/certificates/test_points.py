"""Numbers of solution files and claims: exact at any length, and no text that fills the memory."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.generation.certificates.points import rational, spelled, spelled_long

VERY_LONG = Fraction(7**20_000, 3**20_000)


@given(st.fractions())
def test_what_is_spelled_is_read_back(value: Fraction) -> None:
    assert rational(spelled(value)) == value
    assert rational(spelled_long(value)) == value


@pytest.mark.parametrize("value", [VERY_LONG, -VERY_LONG, Fraction(2**50_000)])
def test_numbers_beyond_pythons_limit_of_digits_are_spelled(value: Fraction) -> None:
    with pytest.raises(ValueError, match="digits"):
        str(value)
    assert rational(spelled_long(value)) == value


@pytest.mark.parametrize(
    "text", ["1e999999999", "-1E+999999999", "1/0", "0x1/0x0", "0xg", "x", "nan", "inf", "1e", "5/"]
)
def test_what_is_no_number_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        rational(text)
