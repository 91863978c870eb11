"""Write, read, write: nothing changes, whatever the numbers and names are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from g2milp.instance.io import files, lp, mps
from g2milp.instance.io.mps.ranges import row_form
from g2milp.instance.milp import Milp, differing_fields

ANY = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.sampled_from([0.0, 1.0, -1.0, 0.1, -0.3, 1 / 3, 1e-8, 123456789.123456789, 7.0, 100.0])
NUMBERS = st.one_of(PLAIN, st.integers(-1000, 1000).map(float), ANY)
ODD_NAMES = [
    "", " ", "a b", " lead", "trail ", "*star", "$dollar", "'quoted'", "RHS", "ROWS", "MARKER",
    "'MARKER'", "ENDATA", "free", "End", "inf", "3", "3x", "1e5", "e5", "E1x", "a\nb", "a\tb",
    "Ü", "数", "\u00a0", "\u2028", "x[1]", "x<=2", "a:b", "a+b", "\\g2milp", "\x00", "\ud800",
    "R_0", "C_0", "R_0_lower", "OBJ", "obj", "x" * 300, "st", "Maximise", "-inf", ".", "a|b",
]  # fmt: skip
NAMES = st.one_of(st.sampled_from(ODD_NAMES), st.text(max_size=6), st.from_regex(r"[a-z]\d?\Z"))


def sides(minimum: float, maximum: float) -> st.SearchStrategy[tuple[float, float]]:
    """A lower and an upper side, of which either may be missing or above the other."""
    low = st.one_of(st.just(-math.inf), NUMBERS)
    high = st.one_of(st.just(math.inf), NUMBERS)
    return st.one_of(
        st.tuples(low, high),
        NUMBERS.map(lambda value: (value, value)),
        st.just((minimum, maximum)),
    )


@st.composite
def milps(draw: st.DrawFn) -> Milp:
    n_rows, n_cols = draw(st.integers(0, 4)), draw(st.integers(1, 5))
    matrix = np.zeros((n_rows, n_cols))
    for i in range(n_rows):
        for j in range(n_cols):
            if draw(st.booleans()):
                matrix[i, j] = draw(NUMBERS)
    rows = [draw(sides(-math.inf, 1.0)) for _ in range(n_rows)]
    cols = [draw(sides(0.0, math.inf)) for _ in range(n_cols)]
    return Milp.build(
        name=draw(st.one_of(st.just("plain"), NAMES)),
        sense=draw(st.sampled_from(["min", "max"])),
        offset=draw(NUMBERS),
        objective_name=draw(st.one_of(st.just("OBJ"), NAMES)),
        objective=[draw(NUMBERS) for _ in range(n_cols)],
        col_lower=[low for low, _ in cols],
        col_upper=[high for _, high in cols],
        kinds=draw(st.lists(st.integers(0, 3), min_size=n_cols, max_size=n_cols)),
        col_names=draw(st.lists(NAMES, min_size=n_cols, max_size=n_cols, unique=True)),
        row_lower=[low for low, _ in rows],
        row_upper=[high for _, high in rows],
        row_names=draw(st.lists(NAMES, min_size=n_rows, max_size=n_rows, unique=True)),
        indptr=np.arange(n_rows + 1) * n_cols,
        indices=np.tile(np.arange(n_cols), n_rows),
        values=matrix.ravel(),
    )


RUNS = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@RUNS
@given(milps())
def test_mps_keeps_every_bit(milp: Milp) -> None:
    text = mps.dumps(milp)
    again = mps.loads(text)
    assert differing_fields(milp, again) == []
    assert mps.dumps(again) == text


@RUNS
@given(milps())
def test_lp_keeps_every_bit(milp: Milp) -> None:
    text = lp.dumps(milp)
    again = lp.loads(text)
    assert differing_fields(milp, again) == []
    assert lp.dumps(again) == text


@RUNS
@given(milps())
def test_the_native_core_reads_and_writes_the_same(milp: Milp) -> None:
    text = mps.dumps(milp)
    assert mps.dumps(milp, use_native=False) == text
    assert differing_fields(mps.loads(text), mps.loads(text, use_native=False)) == []


@RUNS
@given(NUMBERS, NUMBERS)
def test_a_range_is_exact_or_written_twice(a: float, b: float) -> None:
    lower, upper = min(a, b), max(a, b)
    form = row_form(lower, upper)
    if lower == upper:
        assert (form.kind, form.rhs, form.distance) == ("E", lower, None)
    elif not form.twin:
        assert form.distance is not None
        if form.kind == "L":
            assert (form.rhs - form.distance, form.rhs) == (lower, upper)
        else:
            assert (form.rhs, form.rhs + form.distance) == (lower, upper)


def test_everyday_ranges_are_one_row_in_the_file() -> None:
    for lower, upper in [(1, 5), (-3, 8), (0.1, 0.9), (2.5, 1e6), (-1e9, 1e9), (-0.3, 0.7)]:
        assert not row_form(lower, upper).twin


@pytest.mark.parametrize("suffix", [".mps", ".lp", ".mps.gz", ".lp.gz"])
def test_files_have_the_same_bytes_every_time(tmp_path, suffix: str) -> None:
    milp = Milp.build(
        objective=[1.0, 2.0], indptr=[0, 2], indices=[0, 1], values=[0.1, 1 / 3],
        row_lower=[1.0], row_upper=[2.0],
    )  # fmt: skip
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    files.write_file(milp, first)
    files.write_file(milp, second)
    assert first.read_bytes() == second.read_bytes()
    assert differing_fields(files.read(first), milp) == []
    if suffix.endswith(".gz"):
        assert first.read_bytes()[3:8] == bytes(5)  # no name, no time


def test_many_blocks_of_integers_are_written_in_linear_time() -> None:
    n = 20_000
    milp = Milp.build(
        objective=np.ones(n), kinds=np.arange(n) % 2, indptr=[0, n], indices=np.arange(n),
        values=np.ones(n), row_lower=[1.0], row_upper=[np.inf],
    )  # fmt: skip
    text = mps.dumps(milp)
    assert text.count(b"'INTORG'") == n // 2
    assert differing_fields(mps.loads(text), milp) == []


def test_row_numbers_beyond_16_bits() -> None:
    n = 70_000
    milp = Milp.build(
        objective=[1.0, 0.0], indptr=np.arange(n + 1), indices=np.arange(n) % 2,
        values=np.arange(1.0, n + 1), row_lower=np.zeros(n), row_upper=np.full(n, np.inf),
    )  # fmt: skip
    assert differing_fields(mps.loads(mps.dumps(milp)), milp) == []
