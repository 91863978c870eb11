"""Numbers: read strictly, written shortly, exact in both directions."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.errors import FormatError
from g2milp.instance.io import mps
from g2milp.instance.io.mps import native
from g2milp.instance.io.numbers import format_number, parse_number
from g2milp.instance.io.rules import Decisions

FINITE = st.floats(allow_nan=False, allow_infinity=False)
DIGITS = st.from_regex(
    r"[+-]?(\d{1,25}(\.\d{0,25})?|\.\d{1,25})([eE][+-]?\d{1,3})?\Z", fullmatch=True
)


@given(FINITE)
def test_the_text_reads_back_to_the_same_bits(value: float) -> None:
    text = format_number(value)
    read = parse_number(text.encode(), 1, Decisions("x"))
    assert struct.pack("d", read) == struct.pack("d", value + 0.0)
    assert len(text) <= len(repr(value))


@pytest.mark.parametrize(
    ("value", "text"), [(3.0, "3"), (-0.0, "0"), (0.1, "0.1"), (1e22, "1e+22")]
)
def test_the_text_is_short(value: float, text: str) -> None:
    assert format_number(value) == text


@given(DIGITS)
def test_the_native_scanner_reads_numbers_as_python_does(text: str) -> None:
    if not text.isascii():
        return
    source = f"ROWS\n N C\n L R\nCOLUMNS\n X C {text}\n X R 1\nRHS\nENDATA\n".encode()
    outcomes = []
    for use_native in (True, False):
        try:
            milp = mps.loads(source, use_native=use_native)
        except FormatError as error:
            outcomes.append(error.rule)
        else:
            outcomes.append(milp.objective.tobytes())
            assert milp.objective[0] == float(text)
    assert outcomes[0] == outcomes[1]


def test_the_native_core_is_built_where_a_compiler_is() -> None:
    if not native.is_available():
        pytest.skip("installed without a compiler")
    assert native.is_clean(b"text\r\n\ttext")
    assert not native.is_clean(b"text\rtext")
    assert not native.is_clean(b"x" * 10_000 + b"\x7f")
