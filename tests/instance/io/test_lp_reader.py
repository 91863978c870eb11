"""What the constructs of LP files mean, on hand-worked examples."""

from __future__ import annotations

import math

import pytest

from g2milp.errors import FormatError
from g2milp.instance.io import lp
from g2milp.instance.milp import Kind, Milp

INF = math.inf


def read(text: str, *accept: str) -> Milp:
    return lp.loads(text.encode(), accept=accept)


def test_the_whole_instance() -> None:
    milp = read(
        """\\ a comment
        Maximize
         profit: 3 x + 2.5 y - z + 7
        Subject To
         c1: x + y
             + z <= 10   \\ over two lines
         c2: - x + 2 y >= -3
         x - z = 0
        Bounds
         x <= 4
         -2 <= y <= 2
         z free
        Generals
         x
        End
        """
    )
    assert (milp.sense, milp.offset, milp.objective_name) == ("max", 7, "profit")
    assert milp.col_names == ("x", "y", "z")
    assert milp.row_names == ("c1", "c2", "R3")
    assert milp.objective.tolist() == [3, 2.5, -1]
    assert milp.matrix().toarray().tolist() == [[1, 1, 1], [-1, 2, 0], [1, 0, -1]]
    assert milp.row_lower.tolist() == [-INF, -3, 0]
    assert milp.row_upper.tolist() == [10, INF, 0]
    assert milp.col_lower.tolist() == [0, -2, -INF]
    assert milp.col_upper.tolist() == [4, 2, INF]
    assert milp.kinds.tolist() == [Kind.INTEGER, 0, 0]


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ("x <= 4", (0, 4)),
        ("x =< 4", (0, 4)),
        ("x < 4", (0, 4)),
        ("x >= 2", (2, INF)),
        ("4 >= x", (0, 4)),
        ("2 <= x", (2, INF)),
        ("x = 3", (3, 3)),
        ("x free", (-INF, INF)),
        ("x FREE", (-INF, INF)),
        ("-inf <= x <= inf", (-INF, INF)),
        ("-infinity <= x <= -5", (-INF, -5)),
        ("x >= -1e30", (-INF, INF)),
        ("5 <= x <= 2", (5, 2)),
        ("x >= 1\n x <= 3", (1, 3)),
        ("0 <= x <= -5", (0, -5)),
    ],
)
def test_bounds(bound: str, expected: tuple[float, float]) -> None:
    milp = read(f"min\n x\nst\n c: x + y >= 1\nBounds\n {bound}\nEnd\n")
    assert (milp.col_lower[0], milp.col_upper[0]) == expected


@pytest.mark.parametrize(
    ("section", "kind", "upper"),
    [
        ("General\n x", Kind.INTEGER, INF),
        ("Integers\n x", Kind.INTEGER, INF),
        ("Binaries\n x", Kind.INTEGER, 1),
        ("bin\n x", Kind.INTEGER, 1),
        ("Semi-Continuous\n x", Kind.SEMI_CONTINUOUS, INF),
        ("Semi-Continuous\n x\nGeneral\n x", Kind.SEMI_INTEGER, INF),
    ],
)
def test_kinds(section: str, kind: Kind, upper: float) -> None:
    milp = read(f"min\n x\nst\n c: x >= 1\n{section}\nEnd\n")
    assert (milp.kinds[0], milp.col_upper[0]) == (kind, upper)


def test_a_mark_and_windows_line_ends_change_nothing() -> None:
    text = "Maximize\n obj: x\nSubject To\n c: x <= 4\nEnd\n"
    assert read("\ufeff" + text) == read(text.replace("\n", "\r\n")) == read(text)
    assert read(text).sense == "max"
    assert read(text).objective.tolist() == [1]


@pytest.mark.parametrize(
    ("row", "accept", "sides"),
    [
        ("1 <= x + y <= 4", "number-first", (1, 4)),
        ("1 <= x + y", "number-first", (1, INF)),
        ("x + y + 3 <= 4", "constant-in-row", (-INF, 1)),
        ("3x + y <= 4", "glued-coefficient", (-INF, 4)),
    ],
)
def test_accepted_rows(row: str, accept: str, sides: tuple[float, float]) -> None:
    milp = read(f"min\n x\nst\n c: {row}\nEnd\n", accept)
    assert (milp.row_lower[0], milp.row_upper[0]) == sides
    assert milp.n_cols == 2
    assert milp.notes[0].startswith(accept)


@pytest.mark.parametrize(
    ("row", "values"),
    [
        ("x + -2 y <= 4", [1, -2]),  # what `" + ".join` makes of negative coefficients
        ("- -2 x - +y <= 4", [2, -1]),
        ("x + 2\n y <= 4", [1, 2]),
        ("- \\ a comment\n 3 \\ another\n\n x + y\n <=\n 4", [-3, 1]),
    ],
)
def test_signs_and_lines_where_all_solvers_agree(row: str, values: list[float]) -> None:
    milp = read(f"min\n x\nst\n c: {row}\nEnd\n")
    assert milp.values.tolist() == values
    assert milp.row_upper.tolist() == [4]


def test_a_binary_variable_that_is_semi_continuous_is_semi_integer_on_request() -> None:
    text = "min\n x\nst\n c: x >= 1\nBinary\n x\nSemi\n x\nEnd\n"
    milp = read(text, "semi-integer-marker")
    assert (milp.kinds[0], milp.col_upper[0]) == (Kind.SEMI_INTEGER, 1)


def test_names_and_rows_that_solvers_write_for_real_instances() -> None:
    milp = read("min\n x + 2 ..b + .a\nst\n 2: x + .a >= 1\n 1e5: <= 4\n .5: = 0\nEnd\n")
    assert milp.col_names == ("x", "..b", ".a")
    assert milp.row_names == ("2", "1e5", ".5")
    assert milp.row_degrees.tolist() == [2, 0, 0]
    assert milp.row_upper.tolist() == [INF, 4, 0]
    assert lp.loads(lp.dumps(milp)) == milp


def test_a_variable_of_no_constraint_is_left_out_or_made_on_request() -> None:
    text = "min\n x\nst\n c: x >= 1\nBounds\n w <= 5\nGeneral\n w v\nEnd\n"
    assert read(text, "unknown-column").col_names == ("x",)
    milp = read(text, "unknown-column=create")
    assert milp.col_names == ("x", "w", "v")
    assert milp.col_upper.tolist() == [INF, 5, INF]
    assert milp.kinds.tolist() == [Kind.CONTINUOUS, Kind.INTEGER, Kind.INTEGER]
    with pytest.raises(FormatError, match="is a keyword"):
        read(text.replace("w <=", "nan <="), "unknown-column=create")


def test_sections_of_bounds_and_kinds_may_come_again() -> None:
    text = (
        "min\n x + y + z\nst\n c: x + y + z >= 1\nBounds\n x <= 5\nBounds\n y <= 3\n"
        "Generals\n x\nBinaries\n z\nIntegers\n y\nEnd\n"
    )
    milp = read(text)
    assert milp.col_upper.tolist() == [5, 3, 1]
    assert milp.is_integer.all()
    with pytest.raises(FormatError, match=":8: a second upper bound"):
        read(text.replace("y <= 3", "x <= 3"))


def test_a_row_with_two_sides_is_not_misread_silently() -> None:
    with pytest.raises(Exception, match="number-first"):
        read("min\n x\nst\n c: 1 <= 3 x + y <= 4\nEnd\n")


def test_our_ranges_come_back_as_one_row() -> None:
    milp = Milp.build(
        objective=[1, 1], indptr=[0, 2, 3], indices=[0, 1, 0], values=[3, 1, 2],
        row_lower=[1, -INF], row_upper=[4, 9], row_names=["range", "less"],
    )  # fmt: skip
    text = lp.dumps(milp)
    assert b" range: 3 c0 + c1 <= 4\n range_lower: 3 c0 + c1 >= 1\n" in text
    assert lp.loads(text) == milp


def test_lines_are_wrapped() -> None:
    n = 200
    milp = Milp.build(
        objective=[0.1] * n, indptr=[0, n], indices=range(n), values=[-1 / 3] * n,
        row_lower=[-INF], row_upper=[1],
    )  # fmt: skip
    text = lp.dumps(milp)
    assert max(map(len, text.split(b"\n"))) <= 100
    assert lp.loads(text) == milp


@pytest.mark.parametrize(("meaning", "sides"), [("binary", (0, 1)), ("bounds", (0, 5))])
def test_bounds_of_a_binary_variable(meaning: str, sides: tuple[float, float]) -> None:
    text = "min\n x\nst\n c: x >= 1\nBounds\n x <= 5\nBinary\n x\nEnd\n"
    milp = read(text, f"binary-bound={meaning}")
    assert (milp.col_lower[0], milp.col_upper[0]) == sides
