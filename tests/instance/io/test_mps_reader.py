"""What the constructs of MPS mean, on hand-worked examples."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from g2milp.errors import FormatError, UsageError
from g2milp.instance.io import mps
from g2milp.instance.io.rules import RULES
from g2milp.instance.milp import Kind, Milp

INF = math.inf
BASE = """NAME          T
ROWS
 N  COST
 L  LESS
 G  MORE
 E  SAME
COLUMNS
    X         COST               1   LESS               2
    X         MORE               3   SAME               4
    MARKER    'MARKER'                 'INTORG'
    Y         COST               5   LESS               6
    MARKER    'MARKER'                 'INTEND'
    Z         SAME               7
RHS
    RHS       LESS              10   MORE              20
    RHS       SAME              30
%sENDATA
"""


def read(tail: str = "", *accept: str, base: str = BASE) -> Milp:
    return mps.loads((base % tail).encode(), accept=accept)


def row_sides(milp: Milp) -> list[tuple[float, float]]:
    return list(zip(milp.row_lower.tolist(), milp.row_upper.tolist(), strict=True))


def col_sides(milp: Milp, name: str) -> tuple[float, float, Kind]:
    j = milp.col_names.index(name)
    return milp.col_lower[j].item(), milp.col_upper[j].item(), Kind(milp.kinds[j])


def test_the_whole_instance() -> None:
    milp = read()
    assert (milp.name, milp.sense, milp.offset, milp.objective_name) == ("T", "min", 0, "COST")
    assert milp.row_names == ("LESS", "MORE", "SAME")
    assert milp.col_names == ("X", "Y", "Z")
    assert milp.objective.tolist() == [1, 5, 0]
    assert milp.matrix().toarray().tolist() == [[2, 6, 0], [3, 0, 0], [4, 0, 7]]
    assert row_sides(milp) == [(-INF, 10), (20, INF), (30, 30)]
    assert milp.notes == ()


@pytest.mark.parametrize(
    ("row", "size", "sides"),
    [
        ("LESS", 4, (6, 10)),
        ("LESS", -4, (6, 10)),
        ("MORE", 4, (20, 24)),
        ("MORE", -4, (20, 24)),
        ("SAME", 4, (30, 34)),
        ("SAME", -4, (26, 30)),
        ("SAME", 0, (30, 30)),
        ("LESS", 1e30, (-INF, 10)),
        ("MORE", 1e30, (20, INF)),
    ],
)
def test_ranges(row: str, size: float, sides: tuple[float, float]) -> None:
    milp = read(f"RANGES\n    R  {row}  {size}\n")
    assert row_sides(milp)[milp.row_names.index(row)] == sides


@pytest.mark.parametrize(
    ("lines", "name", "expected"),
    [
        ([], "X", (0, INF, Kind.CONTINUOUS)),
        ([], "Y", (0, 1, Kind.INTEGER)),  # all solvers agree
        (["LO B Y 2"], "Y", (2, INF, Kind.INTEGER)),
        (["UP B Y 9"], "Y", (0, 9, Kind.INTEGER)),
        (["UP B Y 2.5"], "Y", (0, 2.5, Kind.INTEGER)),
        (["PL B Y"], "Y", (0, INF, Kind.INTEGER)),
        (["MI B Y"], "Y", (-INF, INF, Kind.INTEGER)),
        (["FR B Y"], "Y", (-INF, INF, Kind.INTEGER)),
        (["UP B X 4"], "X", (0, 4, Kind.CONTINUOUS)),
        (["UP B X 0"], "X", (0, 0, Kind.CONTINUOUS)),
        (["LO B X -4"], "X", (-4, INF, Kind.CONTINUOUS)),
        (["LO B X 5", "UP B X 4"], "X", (5, 4, Kind.CONTINUOUS)),  # infeasible, not unreadable
        (["UP B X -5", "LO B X -9"], "X", (-9, -5, Kind.CONTINUOUS)),
        (["MI B X", "UP B X -5"], "X", (-INF, -5, Kind.CONTINUOUS)),
        (["LO B X 0", "UP B X -5"], "X", (0, -5, Kind.CONTINUOUS)),
        (["FX B X 3"], "X", (3, 3, Kind.CONTINUOUS)),
        (["FR B X"], "X", (-INF, INF, Kind.CONTINUOUS)),
        (["FR B X 7"], "X", (-INF, INF, Kind.CONTINUOUS)),
        (["BV B X"], "X", (0, 1, Kind.INTEGER)),
        (["LI B X 2"], "X", (2, INF, Kind.INTEGER)),
        (["UI B X 8"], "X", (0, 8, Kind.INTEGER)),
        (["SC B X 8"], "X", (0, 8, Kind.SEMI_CONTINUOUS)),
        (["LO B X 2", "SC B X 8"], "X", (2, 8, Kind.SEMI_CONTINUOUS)),
        (["SC B X 1e30"], "X", (0, INF, Kind.SEMI_CONTINUOUS)),
        (["SI B X 8"], "X", (0, 8, Kind.SEMI_INTEGER)),
        (["UP B X 1e20"], "X", (0, INF, Kind.CONTINUOUS)),
        (["UP B X inf"], "X", (0, INF, Kind.CONTINUOUS)),
        (["LO B X -Infinity"], "X", (-INF, INF, Kind.CONTINUOUS)),
        (["UP X 4"], "X", (0, 4, Kind.CONTINUOUS)),  # no name of a set
        (["FR X"], "X", (-INF, INF, Kind.CONTINUOUS)),
    ],
)
def test_bounds(lines: list[str], name: str, expected: tuple[float, float, Kind]) -> None:
    tail = "BOUNDS\n" + "".join(f" {line}\n" for line in lines) if lines else ""
    assert col_sides(read(tail), name) == expected


@pytest.mark.parametrize("style", ["OBJSENSE\n    MAX\n", "OBJSENSE MAX\n", "OBJSENSE MAXIMIZE\n",
                                   "OBJSENSE\n  MAXIMIZE\n"])  # fmt: skip
def test_maximise_in_all_styles(style: str) -> None:
    assert read(base=BASE.replace("ROWS\n", style + "ROWS\n", 1)).sense == "max"


def test_the_constant_of_the_objective() -> None:
    base = BASE.replace("RHS       SAME              30", "RHS       COST              30")
    milp = read(base=base)
    assert milp.offset == -30
    assert milp.row_upper[2] == 0


def test_further_n_rows_are_free_rows() -> None:
    base = BASE.replace(" L  LESS", " N  SECOND\n L  LESS").replace(
        "X         MORE", "X SECOND 9\n    X MORE"
    )
    milp = read(base=base)
    assert milp.row_names == ("SECOND", "LESS", "MORE", "SAME")
    assert row_sides(milp)[0] == (-INF, INF)
    assert milp.objective_name == "COST"


def test_explicit_zeros_are_left_out_and_noted() -> None:
    milp = read(base=BASE.replace("SAME               7", "SAME               0"))
    assert milp.n_nonzeros == 4
    assert "1 coefficients of 0" in milp.notes[0]


def test_fixed_form_allows_blanks_in_names() -> None:
    text = b"""NAME          BLANKS
ROWS
 N  MY COST
 L  ROW ONE
COLUMNS
    COL 1     MY COST            1.5   ROW ONE            2.5
    COL 2     ROW ONE             -1
RHS
    RHS       ROW ONE              4
BOUNDS
 UP BND       COL 1                9
ENDATA
"""
    milp = mps.loads(text)
    assert milp.objective_name == "MY COST"
    assert milp.row_names == ("ROW ONE",)
    assert milp.col_names == ("COL 1", "COL 2")
    assert milp.values.tolist() == [2.5, -1]
    assert milp.col_upper.tolist() == [9, INF]
    assert mps.loads(mps.dumps(milp)) == milp


def test_a_free_form_file_with_a_fault_does_not_become_a_fixed_one() -> None:
    with pytest.raises(Exception, match="no row 'c9'"):
        mps.loads(b"ROWS\n N C\n L R\nCOLUMNS\n x  c9  1\nENDATA\n")


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text,
    lambda text: text.replace("    ", "\t"), lambda text: text.replace("RHS\n", "\n* hm\n\nRHS\n"),
    lambda text: text.replace("NAME          T\n", "NAME          T\n\n\n"),
])  # fmt: skip
def test_line_ends_marks_tabs_and_comments_change_nothing(change) -> None:
    assert mps.loads(change(BASE % "").encode()) == read()


@pytest.mark.parametrize(
    ("tail", "accept", "expected"),
    [
        ("BOUNDS\n UP B X -5\n", "negative-up", (-INF, -5)),
        ("BOUNDS\n UP B X -5\n", "negative-up=zero", (0, -5)),
        ("BOUNDS\n UP B X 5\n UP B X 7\n", "duplicate-bound", (0, 5)),
        ("BOUNDS\n UP B X 5\n UP B X 7\n", "duplicate-bound=last", (0, 7)),
        ("BOUNDS\n UP B W 5\n", "unknown-column", (0, INF)),
        ("BOUNDS\n UP B X 5\nRANGES\n R LESS 1\n", "section-order", (0, 5)),
        ("bounds\n UP B X 5\n", "lower-case", (0, 5)),
        ("BOUNDS\n UP B X 1.5D1\n", "fortran-exponent", (0, 15)),
        ("BOUNDS\n UP B X 5 $ why\n", "dollar-comment", (0, 5)),
        ("BOUNDS\n UP B X 5\n UP Z 6\n", "set-names", (0, 5)),
    ],
)
def test_accepted_meanings_are_noted(tail: str, accept: str, expected: object) -> None:
    milp = read(tail, accept)
    assert col_sides(milp, "X")[:2] == expected
    name, _, meaning = accept.partition("=")
    assert milp.notes[0].startswith(f"{name}={meaning or next(iter(RULES[name].meanings))}")


@pytest.mark.parametrize(
    ("meaning", "sides", "upper"), [("first", (20, INF), INF), ("all", (20, 25), 4)]
)
def test_a_further_set_counts_or_not(
    meaning: str, sides: tuple[float, float], upper: float
) -> None:
    tail = "RANGES\n A LESS 1\n B MORE 5\nBOUNDS\n UP A Y 3\n UP B X 4\n"
    milp = read(tail, f"further-set={meaning}")
    assert row_sides(milp)[:2] == [(9, 10), sides]
    assert col_sides(milp, "X")[1] == upper
    assert col_sides(milp, "Y")[1] == 3
    assert milp.notes == (f"further-set={meaning}: 2 × (first in line 19)",)


def test_all_sets_together_may_not_repeat_themselves() -> None:
    tail = "BOUNDS\n UP A X 3\n UP B X 4\n"
    with pytest.raises(FormatError, match=":19: a second upper bound"):
        read(tail, "further-set=all")
    assert col_sides(read(tail, "further-set"), "X")[1] == 3


def test_a_variable_of_no_constraint_is_left_out_or_made_on_request() -> None:
    tail = "BOUNDS\n UP B W 4\n SC B V 6\n LO B W -1\n UP B X 3\n"
    assert read(tail, "unknown-column").col_names == ("X", "Y", "Z")
    milp = read(tail, "unknown-column=create")
    assert milp.col_names == ("X", "Y", "Z", "W", "V")
    assert col_sides(milp, "W") == (-1, 4, Kind.CONTINUOUS)
    assert col_sides(milp, "V") == (0, 6, Kind.SEMI_CONTINUOUS)
    assert milp.col_degrees.tolist() == [3, 1, 1, 0, 0]
    assert mps.loads(mps.dumps(milp)) == milp


@pytest.mark.parametrize(("meaning", "value"), [("sum", 11.0), ("first", 2.0), ("last", 9.0)])
def test_a_coefficient_twice(meaning: str, value: float) -> None:
    base = BASE.replace("MORE               3", "LESS               9")
    milp = read("", f"duplicate-entry={meaning}", base=base)
    assert milp.values[0] == value


def test_a_split_column_is_merged() -> None:
    base = BASE.replace("RHS\n", "    X         COST               0\n    Z   LESS   8\nRHS\n", 1)
    base = base.replace("    X         COST               0\n", "    X         SAME2  1\n")
    base = base.replace(" E  SAME\n", " E  SAME\n E  SAME2\n")
    milp = read("", "split-column", base=base)
    assert milp.col_names == ("X", "Y", "Z")
    assert milp.matrix().toarray()[:, 0].tolist() == [2, 3, 4, 1]
    assert milp.matrix().toarray()[:, 2].tolist() == [8, 0, 7, 0]
    assert np.array_equal(milp.kinds, [0, 1, 0])


@pytest.mark.parametrize("accept", ["no-such-rule", "negative-up=maybe"])
def test_unknown_rules_and_meanings_are_usage_errors(accept: str) -> None:
    with pytest.raises(UsageError):
        read("", accept)


def test_two_meanings_of_one_rule_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="two meanings"):
        read("", "duplicate-entry=sum", "duplicate-entry=last")


def test_every_refusal_with_a_choice_says_how_to_accept_it() -> None:
    with pytest.raises(Exception, match=r"--accept negative-up if .*--accept negative-up=zero if"):
        read("BOUNDS\n UP B X -5\n")


def test_a_sum_that_overflows_is_refused_with_the_name_of_the_file() -> None:
    text = b"ROWS\n N C\n L R\nCOLUMNS\n X R 1e308\n X R 1e308\nRHS\nENDATA\n"
    with pytest.raises(FormatError, match="my file: values holds"):
        mps.loads(text, source="my file", accept=["duplicate-entry=sum"])


def test_alternating_columns_are_merged_in_linear_time() -> None:
    n = 20_000
    rows = "".join(f" L R{i}\n" for i in range(n))
    lines = "".join(f" X{i % 2} R{i} 1\n" for i in range(n))
    text = f"ROWS\n N C\n{rows}COLUMNS\n{lines}RHS\nENDATA\n".encode()
    start = time.perf_counter()
    assert mps.loads(text, accept=["split-column"]).col_degrees.tolist() == [n // 2, n // 2]
    assert time.perf_counter() - start < 2
