"""Every malformed file is refused with its name, its line and the rule: none is misread."""

from __future__ import annotations

import time
from typing import NamedTuple

import pytest

from g2milp.errors import FormatError, InputError, NotAMilp
from g2milp.instance.io import files

MPS = b"""NAME          TEST
ROWS
 N  COST
 L  LIM1
 G  LIM2
 E  MYEQN
COLUMNS
 X         COST       1   LIM1   1
 X         LIM2       1
 MARKER    'MARKER'   'INTORG'
 Y         COST       2   LIM1   1
 Y         MYEQN     -1
 MARKER    'MARKER'   'INTEND'
 Z         COST      -1   MYEQN  1
RHS
 RHS       LIM1       4   LIM2   1
 RHS       MYEQN      7
RANGES
 RNG       LIM1       2
BOUNDS
 UP BND    X          4
 UP BND    Y          1
ENDATA
"""
LP = b"""\\ a small model
Minimize
 obj: x + 2 y - z
Subject To
 c1: x + y <= 4
 c2: x + z >= 1
 c3: - y + z = 7
Bounds
 x <= 4
 -1 <= z <= 5
General
 y
End
"""


class Bad(NamedTuple):
    name: str
    base: bytes
    old: bytes
    new: bytes
    rule: str
    line: int | None


def m(name: str, old: bytes, new: bytes, rule: str, line: int | None) -> Bad:
    return Bad(f"mps: {name}", MPS, old, new, rule, line)


def p(name: str, old: bytes, new: bytes, rule: str, line: int | None) -> Bad:
    return Bad(f"lp: {name}", LP, old, new, rule, line)


def number(text: bytes) -> list[Bad]:
    """The same bad number as coefficient, right-hand side, range and bound, and in LP."""
    word = text.decode()
    return [
        m(f"{word} as coefficient", b"LIM2       1\n MARKER", b"LIM2 %s\n MARKER" % text,
          "number", 9),
        m(f"{word} as cost", b"COST       2", b"COST %s" % text, "number", 11),
        m(f"{word} as right-hand side", b"MYEQN      7", b"MYEQN %s" % text, "number", 17),
        m(f"{word} as range", b"LIM1       2", b"LIM1 %s" % text, "number", 19),
        m(f"{word} as bound", b"X          4", b"X %s" % text, "number", 21),
    ]  # fmt: skip


CASES = [
    *[bad for text in (b"nan", b"NaN", b"1e400", b"-1e999", b"1,5", b"12abc", b"1/3", b"1_000",
                       b"+-3", b".", b"0x10", b"1e", b"e5", b"--1", b"1.2.3", b"1e-400", b"abc",
                       b"1e5.5", "１".encode(), b"1" * 2000)
      for bad in number(text)],
    m("inf as coefficient", b"COST       2", b"COST inf", "number", 11),
    m("infinity as coefficient", b"COST       2", b"COST -Infinity", "number", 11),
    m("a Fortran exponent", b"COST       2", b"COST 1.5D2", "fortran-exponent", 11),
    m("no ENDATA", b"ENDATA\n", b"", "no-end", 22),
    m("cut in BOUNDS", b" UP BND    Y          1\nENDATA\n", b"", "no-end", 21),
    m("cut in a line of BOUNDS", b"Y          1\nENDATA\n", b"", "fields", 22),
    m("cut in COLUMNS", MPS[MPS.index(b" Z  "):], b"", "no-end", 13),
    m("cut in a number", MPS[MPS.index(b"  MYEQN  1"):], b"", "no-end", 14),
    m("cut behind ROWS", MPS[MPS.index(b"COLUMNS"):], b"", "no-end", 6),
    m("cut after a name", MPS[MPS.index(b"-1   MYEQN"):], b"", "fields", 14),
    m("no ROWS", MPS[MPS.index(b"ROWS"):MPS.index(b"COLUMNS")], b"", "section", 2),
    m("no COLUMNS", MPS[MPS.index(b"COLUMNS"):MPS.index(b"RHS\n")], b"", "section", None),
    m("ROWS twice", b"COLUMNS\n", b"ROWS\n L LIM9\nCOLUMNS\n", "section", 7),
    m("COLUMNS twice", b"RHS\n", b"COLUMNS\n W COST 1\nRHS\n", "section", 15),
    m("RHS twice", b"RANGES\n", b"RHS\n RHS LIM1 1\nRANGES\n", "section", 18),
    m("BOUNDS before COLUMNS", b"COLUMNS\n", b"BOUNDS\n UP BND X 1\nCOLUMNS\n", "section", 7),
    m("RANGES before RHS", b"RHS\n RHS       LIM1", b"RANGES\n RNG LIM2 2\nRHS\n RHS       LIM1",
      "section-order", 17),
    m("NAME after ROWS", b"COLUMNS\n", b"NAME again\nCOLUMNS\n", "section", 7),
    m("OBJSENSE after COLUMNS", b"RHS\n", b"OBJSENSE\n MAX\nRHS\n", "section-order", 15),
    m("an unknown section", b"RHS\n", b"RHSS\n", "section", 15),
    m("a long unknown line", b"RHS\n", b"Q" * 700 + b"\n", "section", 15),
    m("a data line without blank", b" UP BND    X", b"UP BND    X", "section", 21),
    m("lower-case keywords", b"ROWS\n", b"rows\n", "lower-case", 2),
    m("a lower-case row type", b" L  LIM1", b" l  LIM1", "lower-case", 4),
    m("lower-case sense", b"ROWS\n", b"OBJSENSE\n max\nROWS\n", "lower-case", 3),
    m("British sense", b"ROWS\n", b"OBJSENSE\n MAXIMISE\nROWS\n", "section", 3),
    m("an empty sense", b"ROWS\n", b"OBJSENSE\nROWS\n", "section", 2),
    m("two senses", b"ROWS\n", b"OBJSENSE\n MAX\n MIN\nROWS\n", "section", 2),
    m("another objective", b"ROWS\n N  COST", b"OBJNAME\n OTHER\nROWS\n N  COST\n N  OTHER",
      "objective-name", 3),
    m("an objective that is not there", b"ROWS\n", b"OBJNAME\n OTHER\nROWS\n", "objective-name", 3),
    m("an unknown row type", b" L  LIM1", b" X  LIM1", "row-type", 4),
    m("a row without a name", b" L  LIM1", b" L", "fields", 4),
    m("a row with a field too many", b" L  LIM1", b" L  LIM1 5", "fields", 4),
    m("two rows of one name", b" G  LIM2", b" G  LIM1", "duplicate-row", 5),
    m("an unknown row", b"X         LIM2", b"X         LIM3", "unknown-row", 9),
    m("an unknown row in RHS", b"RHS       MYEQN", b"RHS       MYEQQ", "unknown-row", 17),
    m("an unknown row in RANGES", b"RNG       LIM1", b"RNG       LIM9", "unknown-row", 19),
    m("an unknown column in BOUNDS", b"UP BND    X", b"UP BND    W", "unknown-column", 21),
    m("a coefficient twice", b"X         LIM2", b"X         LIM1", "duplicate-entry", 9),
    m("a coefficient twice on a line", b"COST       1   LIM1", b"COST       1   COST",
      "duplicate-entry", 8),
    m("a column in two blocks", b"RHS\n", b" X LIM2 1\nRHS\n", "split-column", 15),
    m("a right-hand side twice", b"RHS       MYEQN", b"RHS       LIM1", "duplicate-rhs", 17),
    m("a range twice", b"BOUNDS\n", b" RNG LIM1 3\nBOUNDS\n", "duplicate-range", 20),
    m("a bound twice", b"UP BND    Y", b"UP BND    X", "duplicate-bound", 22),
    m("BV and then FX", b" UP BND    Y          1", b" BV BND X\n", "duplicate-bound", 22),
    m("a negative upper bound", b"X          4", b"X         -4", "negative-up", 21),
    m("an unknown bound", b" UP BND    X", b" UQ BND    X", "bound-type", 21),
    m("a bound without value", b" UP BND    X          4", b" UP BND    X", "number", 21),
    m("a bound with two values", b" UP BND    X          4", b" UP BND    X  4  5", "fields", 21),
    m("a bound at infinity", b" UP BND    X          4", b" LO BND    X  1e30",
      "infinite-side", 21),
    m("FX at infinity", b" UP BND    X          4", b" FX BND    X  1e20", "infinite-side", 21),
    m("an equation at infinity", b"MYEQN      7", b"MYEQN   1e30", "infinite-side", 17),
    m("the objective constant at infinity", b"MYEQN      7", b"COST   inf", "number", 17),
    m("sets on some lines only", b" UP BND    Y          1", b" UP Y 1", "set-names", 22),
    m("a second set of right-hand sides", b"RHS       MYEQN", b"RHS2 MYEQN", "further-set", 17),
    m("a second set of ranges", b"BOUNDS\n", b" RNG2 LIM2 3\nBOUNDS\n", "further-set", 20),
    m("a second set of bounds", b"UP BND    Y", b"UP BND2   Y", "further-set", 22),
    m("a range from an infinite side", b"LIM1       4", b"LIM1     inf", "infinite-side", 19),
    m("an infinite range from an infinite side", MPS[MPS.index(b" RHS       LIM1"):],
      b" RHS LIM1 inf\nRANGES\n RNG LIM1 inf\nENDATA\n", "infinite-side", 18),
    m("INTORG without INTEND", b" MARKER    'MARKER'   'INTEND'\n", b"", "open-marker", 10),
    m("INTEND without INTORG", b" MARKER    'MARKER'   'INTORG'\n", b"", "marker", 12),
    m("INTORG twice", b"'INTEND'", b"'INTORG'", "marker", 13),
    m("an unknown marker", b"'INTEND'", b"'INTSTOP'", "marker", 13),
    m("a marker without quotes", b"'MARKER'   'INTORG'", b"MARKER   INTORG", "unknown-row", 10),
    m("half a marker", b"'MARKER'   'INTORG'", b"'MARKER'", "fields", 10),
    m("a range on the objective", b"RNG       LIM1", b"RNG       COST", "free-row-range", 19),
    m("a right-hand side of a free row", b" L  LIM1", b" N  LIM1", "free-row-rhs", 16),
    m("too few fields in COLUMNS", b"X         LIM2       1", b"X         LIM2", "fields", 9),
    m("four fields in COLUMNS", b"X         LIM2       1", b"X  LIM2  1  MYEQN", "fields", 9),
    m("seven fields in COLUMNS", b"X         LIM2       1", b"X LIM2 1 MYEQN 1 COST 1",
      "fields", 9),
    m("a lone field in RHS", b"RHS       MYEQN      7", b"RHS", "fields", 17),
    m("a dollar comment", b"LIM2       1\n", b"LIM2       1 $ why\n", "dollar-comment", 9),
    m("a word behind a keyword", b"COLUMNS\n", b"COLUMNS here\n", "section", 7),
    m("another section after ENDATA", b"ENDATA\n", b"ENDATA\nQUADOBJ\n X X 1\n",
      "text-after-end", 24),
    m("a semi-continuous integer", b" UP BND    Y ", b" SC BND    Y ", "semi-integer-marker", 22),
    m("a NUL byte", b"LIM2       1\n", b"LIM2       1\x00\n", "characters", 9),
    m("a NUL byte in a name", b" L  LIM1", b" L  LI\x00M1", "characters", 4),
    m("a vertical tab", b" L  LIM1", b" L \x0bLIM1", "characters", 4),
    m("old Mac line ends", b"\n", b"\r", "characters", 1),
    m("Latin-1", b" L  LIM1", b" L  LIM\xfc", "latin-1", 4),
    m("UTF-16", MPS, MPS.decode().encode("utf-16"), "characters", 1),
    m("a broken side table", b"NAME ", b"*g2milp {nonsense\nNAME ", "side-table", 1),
    m("a side table about nothing", b"NAME ", b'*g2milp {"row": ["Q", "q"]}\nNAME ',
      "side-table", None),
    m("twins that do not fit", b"NAME ", b'*g2milp {"twin": ["LIM1", "LIM2"]}\nNAME ',
      "side-table", None),
    m("binary noise", MPS, bytes(range(255, 0, -1)) * 20, "characters", None),
    m("no MPS at all", MPS, b"hello\nworld\n", "section", 1),
    m("an LP file", MPS, LP, "section", 1),
    m("an empty file", MPS, b"", "no-end", 1),
    m("a line end only", MPS, b"\n", "no-end", 1),
    m("COLUMNS and a blank line", MPS, b"COLUMNS\n\n1", "section", 1),
    m("ROWS and half a row", MPS, b"NAME\nROWS\n L", "fields", 3),
    m("a long line", b"NAME          TEST", b"NAME " + b"x" * 2_000_000, "limits", 1),
    m("a long name", b" L  LIM1", b" L  " + b"x" * 70_000, "limits", 4),
    p("Maximise", b"Minimize", b"Maximise", "section", 2),
    p("no objective", b"Minimize\n obj: x + 2 y - z\n", b"", "section", 2),
    p("two objectives", b"Subject To", b"Maximize\n 2 x\nSubject To", "section", 4),
    p("no End", b"End\n", b"", "no-end", None),
    p("cut in a row", LP[LP.index(b" + z >= 1"):], b"", "fields", 6),
    p("cut in a right-hand side", LP[LP.index(b" 4\n c2"):], b"", "fields", 5),
    p("text after End", b"End\n", b"End\n c9: x <= 1\n", "text-after-end", 14),
    p("a constant in a row", b"x + y <= 4", b"x + y + 3 <= 4", "constant-in-row", 5),
    p("a glued coefficient", b"x + y <= 4", b"3x + y <= 4", "glued-coefficient", 5),
    p("a glued exponent", b"x + y <= 4", b"2e1y + x <= 4", "glued-coefficient", 5),
    p("a variable twice", b"x + y <= 4", b"x + y + x <= 4", "duplicate-entry", 5),
    p("a variable twice in the objective", b"obj: x + 2 y", b"obj: x + 2 x", "duplicate-entry", 3),
    p("not equal", b"x + y <= 4", b"x + y != 4", "fields", 5),
    p("a reversed range", b"-1 <= z <= 5", b"8 >= z >= 2", "reversed-range", 10),
    p("relations that do not fit", b"-1 <= z <= 5", b"-1 <= z >= 5", "fields", 10),
    p("an equation with two sides", b"-1 <= z <= 5", b"-1 = z = 5", "fields", 10),
    p("Binary with a bound of 5", b"General\n y", b"Binary\n z", "binary-bound", 12),
    p("a Binary variable that is semi-continuous", b"General\n y", b"Binary\n y\nSemi\n y",
      "semi-integer-marker", 12),
    p("an unknown variable in Bounds", b" x <= 4\n", b" w <= 4\n", "unknown-column", 9),
    p("an unknown variable in General", b"General\n y", b"General\n w", "unknown-column", 12),
    p("a bound twice", b" x <= 4\n", b" x <= 4\n x <= 5\n", "duplicate-bound", 10),
    p("a negative upper bound", b" x <= 4\n", b" x <= -4\n", "negative-up", 9),
    p("a row name twice", b"c2:", b"c1:", "duplicate-row", 6),
    p("a keyword as a row name", b"c2:", b"bounds:", "keyword-name", 6),
    p("a keyword as a variable", b"x + y <= 4", b"x + free <= 4", "keyword-name", 5),
    p("a comma number", b"y <= 4", b"y <= 1,5", "number", 5),
    p("a word as right-hand side", b"y <= 4", b"y <= abc", "fields", 5),
    p("1/3", b"y <= 4", b"y <= 1/3", "fields", 5),
    p("1e400", b"2 y", b"1e400 y", "number", 3),
    p("nan", b"y <= 4", b"y <= nan", "fields", 5),
    p("a variable on the right", b"y <= 4", b"y <= z", "fields", 5),
    p("no relation", b"y <= 4", b"y", "fields", 6),
    p("two rows on a line", b"x + y <= 4\n c2:", b"x + y <= 4 c2:", "fields", 5),
    p("three signs", b"x + y <= 4", b"x + - - y <= 4", "fields", 5),
    p("two signs at the right", b"x + y <= 4", b"x + y <= --4", "fields", 5),
    p("a number as a variable", b"x + y <= 4", b"x + 3 0001 <= 4", "constant-in-row", 5),
    p("an empty row without a name", b"c2: x + z >= 1", b">= 1", "fields", 6),
    p("constraints twice", b" c2:", b"Subject To\n c2:", "section", 6),
    p("a missing sign", b"x + y <= 4", b"x y <= 4", "fields", 5),
    p("an odd character", b"x + y <= 4", b"x + y <= 4 | 5", "fields", 5),
    p("constraints after Bounds", b"General\n y", b"Subject To\n c9: x <= 1", "section", 11),
    p("an equation at infinity", b"z = 7", b"z = 1e30", "infinite-side", 7),
    p("a bound at infinity", b" x <= 4\n", b" x >= 1e30\n", "infinite-side", 9),
    p("lp_solve's dialect", LP, b"/* x */\nmax: 3x+2y;\nc1: x+y<=4;\n", "keyword-name", 2),
    p("an MPS file", LP, MPS, "section", 1),
    p("an empty file", LP, b"", "section", None),
    p("a NUL byte", b"c2:", b"c\x002:", "characters", 6),
    p("binary noise", LP, b"\x80\x81\xfe" * 50, "latin-1", 1),
    p("a long line", b"2 y", b"2 y" + b" " * 2_000_000, "limits", 3),
    p("a long name", b"2 y", b"2 " + b"y" * 70_000, "limits", 3),
]  # fmt: skip

SECTIONS = {
    b"QUADOBJ\n X X 1\n": "quadratic objective",
    b"QMATRIX\n X X 1\n": "quadratic objective",
    b"QSECTION      COST\n X X 1\n": "quadratic",
    b"QCMATRIX   LIM1\n X X 1\n": "quadratic constraints",
    b"SOS\n S1 SOS1 1\n": "special ordered sets",
    b"SOS1\n S1 SOS1 1\n": "special ordered sets",
    b"INDICATORS\n IF LIM1 Y 1\n": "indicator",
    b"CSECTION      K1         0.0       QUAD\n X\n": "cones",
    b"PWLOBJ\n X 1 2\n": "piecewise",
    b"GENCONS\n MAX G\n": "general constraints",
    b"LAZYCONS\n L LAZY\n": "lazy",
    b"USERCUTS\n L CUT\n": "user cuts",
}


@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name[:60])
def test_refused_with_line_and_rule(bad: Bad, tmp_path) -> None:
    assert bad.old in bad.base or not bad.old
    path = tmp_path / ("bad.mps" if bad.name.startswith("mps") else "bad.lp")
    path.write_bytes(bad.base.replace(bad.old, bad.new) if bad.old != bad.base else bad.new)
    start = time.perf_counter()
    with pytest.raises(FormatError) as caught:
        files.read(path)
    assert time.perf_counter() - start < 2
    error = caught.value
    assert error.exit_code == 3
    assert error.path == str(path)
    assert error.rule == bad.rule, str(error)
    if bad.line is not None:
        assert error.line == bad.line, str(error)
        assert f"{path}:{bad.line}:" in str(error)
    assert error.reason


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.split()[0].decode())
def test_sections_outside_of_a_milp_are_named(section: bytes, tmp_path) -> None:
    path = tmp_path / "other.mps"
    path.write_bytes(MPS.replace(b"ENDATA\n", section + b"ENDATA\n"))
    with pytest.raises(NotAMilp, match=SECTIONS[section]) as caught:
        files.read(path)
    assert caught.value.line == 23


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        (b"- z\n", b"- z + [ x ^2 ] / 2\n", 3, "quadratic"),
        (b"c2: x + z", b"c2: [ x * z ] + z", 6, "quadratic"),
        (b"c2: x", b"c2: y = 1 -> x", 6, "indicator"),
        (b"General", b"SOS\n s1: S1:: x:1 y:2\nGeneral", 11, "special ordered sets"),
        (b"General", b"Lazy Constraints\n c9: x <= 1\nGeneral", 11, "lazy"),
        (b"General", b"General Constraints\n g: z = MAX ( x , y )\nGeneral", 11, "general"),
    ],
)
def test_parts_of_lp_files_outside_of_a_milp_are_named(
    old: bytes, new: bytes, line: int, what: str, tmp_path
) -> None:
    path = tmp_path / "other.lp"
    path.write_bytes(LP.replace(old, new))
    with pytest.raises(NotAMilp, match=what) as caught:
        files.read(path)
    assert caught.value.line == line


def test_the_files_without_fault_are_read(tmp_path) -> None:
    for name, text in (("good.mps", MPS), ("good.lp", LP)):
        path = tmp_path / name
        path.write_bytes(text)
        assert files.read(path).n_cols == 3


@pytest.mark.parametrize("suffix", ["mps", "lp"])
def test_every_truncation_is_refused(suffix: str, tmp_path) -> None:
    text = {"mps": MPS, "lp": LP}[suffix].rstrip()
    path = tmp_path / f"cut.{suffix}"
    for length in range(len(text)):
        path.write_bytes(text[:length])
        with pytest.raises(InputError):
            files.read(path)


@pytest.mark.parametrize(("name", "text", "hint"), [("a.mps", LP, ".lp"), ("a.lp", MPS, ".mps")])
def test_a_wrong_ending_is_recognised(name: str, text: bytes, hint: str, tmp_path) -> None:
    (tmp_path / name).write_bytes(text)
    with pytest.raises(FormatError, match=f"looks like .*{hint}"):
        files.read(tmp_path / name)
