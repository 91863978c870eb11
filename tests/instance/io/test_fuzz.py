"""Whatever bytes come: a model, or an `InputError`; nothing else, and soon."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import InputError
from g2milp.instance.io import lp, mps
from g2milp.instance.io.rules import RULES
from g2milp.instance.milp import differing_fields

MPS = b"""*g2milp {"row": ["LIM2", "a b"]}
NAME          TEST
OBJSENSE
    MAX
ROWS
 N  COST
 L  LIM1
 G  LIM2
 E  MYEQN
COLUMNS
 X         COST       1   LIM1   1
 X         LIM2       1e-3
 MARKER    'MARKER'   'INTORG'
 Y         COST       2   LIM1   1.5
 Y         MYEQN     -1
 MARKER    'MARKER'   'INTEND'
 Z         COST      -1   MYEQN  1
RHS
 RHS       LIM1       4   LIM2   1
 RHS       COST       7
RANGES
 RNG       LIM1       2.5   MYEQN  -4
BOUNDS
 UP BND    X          4
 MI BND    Z
 BV BND    Y
ENDATA
"""
LP = b"""\\g2milp {"name": "small"}
Maximize
 obj: x + 2 y - z + 3
Subject To
 c1: x + y <= 4
 c2: x + 1e-3 z >= 1
 c3: - y + z = 7
Bounds
 x <= 4
 -inf <= z <= 5
 w free
Generals
 y
Semi-Continuous
 x
End
"""
PIECES = st.sampled_from(
    [b"", b" ", b"\n", b"\r\n", b"\t", b"*", b"$", b"'", b"\\", b"\x00", b"\xff", b"-", b"+", b".",
     b"e", b"1e400", b"nan", b"inf", b"-5", b"1e30", b"0x1", b"MARKER", b"'MARKER'", b"'INTORG'",
     b"'INTEND'", b"ROWS\n", b"COLUMNS\n", b"RHS\n", b"RANGES\n", b"BOUNDS\n", b"ENDATA\n",
     b" N C\n", b"SOS\n", b"OBJSENSE\n", b"NAME\n", b"*g2milp {}",
     b'*g2milp {"twin": ["LIM1", "LIM2"]}\n',
     b'*g2milp {"row": ["LIM1", ""]}\n', b"<=", b">=", b"=", b":", b"free", b"End\n", b"Bounds\n",
     b"Subject To\n", b"[", b"^2", b"->", b"\xef\xbb\xbf", b"\x1f\x8b", b"9" * 400, b"X", b"x"]
)  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn, text: bytes) -> bytes:
    """The text after a few cuts, copies, swaps and insertions."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        to = min(len(text), at + draw(st.integers(0, 40)))
        what = draw(st.sampled_from(["insert", "replace", "delete", "repeat", "move", "lines"]))
        piece = draw(st.one_of(PIECES, st.binary(max_size=4)))
        if what == "insert":
            text = text[:at] + piece + text[at:]
        elif what == "replace":
            text = text[:at] + piece + text[to:]
        elif what == "delete":
            text = text[:at] + text[to:]
        elif what == "repeat":
            text = text[:to] + text[at:to] + text[to:]
        elif what == "move":
            text = text[:at] + text[to:] + text[at:to]
        else:
            lines = text.split(b"\n")
            i, j = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
            lines[i], lines[j] = lines[j], lines[i]
            text = b"\n".join(lines)
    return text


ACCEPT = st.lists(st.sampled_from(sorted(RULES)), unique=True)
RUNS = settings(max_examples=600, deadline=None)


def check(read, write, text: bytes, accept: list[str]) -> None:
    start = time.perf_counter()
    try:
        milp = read(text, accept=accept)
    except InputError as error:
        refusal = str(error)
    else:
        refusal = "read"
        again = read(write(milp))
        assert differing_fields(milp, again) == []
    assert refusal
    assert time.perf_counter() - start < 2


@RUNS
@given(mutations(MPS), ACCEPT)
def test_mutated_mps(text: bytes, accept: list[str]) -> None:
    check(mps.loads, mps.dumps, text, accept)


@RUNS
@given(mutations(LP), ACCEPT)
def test_mutated_lp(text: bytes, accept: list[str]) -> None:
    check(lp.loads, lp.dumps, text, accept)


@RUNS
@given(mutations(MPS), ACCEPT)
def test_the_native_scanner_agrees_with_the_python_one(text: bytes, accept: list[str]) -> None:
    results = []
    for use_native in (True, False):
        try:
            results.append(mps.loads(text, accept=accept, use_native=use_native))
        except InputError as error:
            results.append(str(error))
    native, plain = results
    if isinstance(native, str) or isinstance(plain, str):
        assert native == plain
    else:
        assert differing_fields(native, plain) == []
        assert native.notes == plain.notes


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_noise(data: bytes) -> None:
    for read, write in ((mps.loads, mps.dumps), (lp.loads, lp.dumps)):
        check(read, write, data, [])
