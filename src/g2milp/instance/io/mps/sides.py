"""The sections RHS, RANGES and BOUNDS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.instance.io.numbers import is_number, parse_number, parse_side
from g2milp.instance.milp import Kind

if TYPE_CHECKING:
    from g2milp.instance.io.mps.cursor import Cursor
    from g2milp.instance.io.mps.fields import Splitter
    from g2milp.instance.io.mps.model import MpsModel
    from g2milp.instance.io.rules import Decisions

_WITH_VALUE = frozenset((b"UP", b"LO", b"FX", b"UI", b"LI", b"SC", b"SI"))
_WITHOUT_VALUE = frozenset((b"FR", b"MI", b"PL", b"BV"))


class SetFilter:
    """Which lines of a section count, where they carry the names of different sets.

    A second set is another instance to SCIP, which takes the first alone, and more of the same to
    HiGHS and Gurobi, which take all of them.
    """

    def __init__(self, section: str, decisions: Decisions) -> None:
        self.section = section
        self.decisions = decisions
        self._first: bytes | None = None
        self._started = False

    def takes(self, name: bytes | None, line: int) -> bool:
        """Whether a line of the set `name` (None: it carries no name) counts."""
        if not self._started:
            self._first, self._started = name, True
            return True
        if name == self._first:
            return True
        if name is None or self._first is None:
            self.decisions.decide(
                "set-names", line, f"only some lines of {self.section} carry the name of the set"
            )
            return True
        shown, first = (word[:80].decode("utf-8", "replace") for word in (name, self._first))
        meaning = self.decisions.decide(
            "further-set", line, f"{self.section} has a second set {shown!r} behind {first!r}"
        )
        return meaning == "all"


def read_rhs(cursor: Cursor, split: Splitter, model: MpsModel, decisions: Decisions) -> None:
    """RHS: the right-hand sides; on the objective, minus its constant."""
    sets = SetFilter("RHS", decisions)
    for number, row, token in _row_values(cursor, split, model, decisions, sets):
        if row != model.objective_row and model.row_types[row] == ord("N"):
            decisions.decide("free-row-rhs", number, "a right-hand side of a free row")
            continue
        side = parse_number if row == model.objective_row else parse_side
        value = side(token, number, decisions)
        if row in model.rhs and (
            decisions.decide("duplicate-rhs", number, "a second right-hand side of this row")
            == "first"
        ):
            continue
        model.rhs[row] = (value, number)


def read_ranges(cursor: Cursor, split: Splitter, model: MpsModel, decisions: Decisions) -> None:
    """RANGES: the distance of the other side."""
    sets = SetFilter("RANGES", decisions)
    for number, row, token in _row_values(cursor, split, model, decisions, sets):
        value = parse_side(token, number, decisions)
        if model.row_types[row] == ord("N"):
            decisions.decide("free-row-range", number, "a range of a free row")
            continue
        if row in model.ranges and (
            decisions.decide("duplicate-range", number, "a second range of this row") == "first"
        ):
            continue
        model.ranges[row] = (value, number)


def _row_values(
    cursor: Cursor, split: Splitter, model: MpsModel, decisions: Decisions, sets: SetFilter
) -> list[tuple[int, int, bytes]]:
    """Line, row and number for each pair of a section with the fields [set] row number …."""
    found = []
    for number, line in cursor.body():
        fields = split(number, line)
        if not fields:
            continue
        if not 2 <= len(fields) <= 5:
            decisions.refuse(
                "fields",
                number,
                f"{len(fields)} fields where a set, a row and a number (twice at most) belong",
            )
        named = len(fields) % 2 == 1
        if not sets.takes(fields[0] if named else None, number):
            continue
        for k in range(int(named), len(fields), 2):
            row = model.row_index.get(fields[k])
            if row is None:
                shown = fields[k][:80].decode("utf-8", "replace")
                parse_side(fields[k + 1], number, decisions)
                decisions.decide("unknown-row", number, f"there is no row {shown!r}")
                continue
            found.append((number, row, fields[k + 1]))
    return found


def read_bounds(cursor: Cursor, split: Splitter, model: MpsModel, decisions: Decisions) -> None:
    """BOUNDS: each line sets the lower side, the upper side, the kind, or several of them."""
    sets = SetFilter("BOUNDS", decisions)
    for number, line in cursor.body():
        fields = split(number, line)
        if not fields:
            continue
        kind = fields[0]
        name, column_name, token = _bound_fields(number, fields, model, decisions)
        if not sets.takes(name, number):
            continue
        value = 0.0 if token is None else parse_side(token, number, decisions)
        column = model.col_index.get(column_name)
        if column is None:
            shown = column_name[:80].decode("utf-8", "replace")
            reason = f"there is no variable {shown!r}"
            if decisions.decide("unknown-column", number, reason) == "ignore":
                continue
            column = model.add_column(column_name)
        _apply(kind, column, value, number, model, decisions)
    model.finish_columns()


def _bound_fields(
    number: int, fields: list[bytes], model: MpsModel, decisions: Decisions
) -> tuple[bytes | None, bytes, bytes | None]:
    """Set, column and value of a line with the fields type [set] column [value]."""
    kind, count = fields[0], len(fields)
    if kind in _WITH_VALUE:
        if count == 4:
            return fields[1], fields[2], fields[3]
        if count == 3:
            return None, fields[1], fields[2]
    elif kind in _WITHOUT_VALUE:
        if count == 4:
            return fields[1], fields[2], fields[3]
        if count == 2:
            return None, fields[1], None
        if count == 3:
            if not (fields[1] in model.col_index and is_number(fields[2])):
                return fields[1], fields[2], None
            if fields[2] in model.col_index:
                decisions.refuse("fields", number, "set and variable cannot be told apart")
            return None, fields[1], fields[2]
    else:
        shown = kind[:40].decode("utf-8", "replace")
        decisions.refuse("bound-type", number, f"unknown type of bound {shown!r}")
    decisions.refuse(
        "fields", number, f"{count} fields where a type, a set, a variable and a number belong"
    )


def _apply(
    kind: bytes, column: int, value: float, number: int, model: MpsModel, decisions: Decisions
) -> None:
    infinity = float("inf")
    lower = upper = None
    if kind in (b"LO", b"LI"):
        lower = value
    elif kind in (b"UP", b"UI", b"SC", b"SI"):
        upper = value
    elif kind == b"FX":
        lower = upper = value
    elif kind == b"BV":
        lower, upper = 0.0, 1.0
    if kind in (b"FR", b"MI"):
        lower = -infinity
    if kind in (b"FR", b"PL"):
        upper = infinity
    repeated = [
        word
        for word, new, known in (("lower", lower, model.lower), ("upper", upper, model.upper))
        if new is not None and column in known
    ]
    if repeated and (
        decisions.decide("duplicate-bound", number, f"a second {repeated[0]} bound of a variable")
        == "first"
    ):
        return
    if lower is not None:
        model.lower[column] = (lower, number)
    if upper is not None:
        model.upper[column] = (upper, number)
    _set_kind(kind, column, number, model, decisions)


def _set_kind(kind: bytes, column: int, number: int, model: MpsModel, decisions: Decisions) -> None:
    if kind in (b"BV", b"LI", b"UI"):
        model.kinds[column] = Kind.INTEGER
    elif kind == b"SI":
        model.kinds[column] = Kind.SEMI_INTEGER
    elif kind == b"SC":
        if model.is_between_markers(column):
            decisions.decide(
                "semi-integer-marker", number, "a semi-continuous bound on an integer variable"
            )
            model.kinds[column] = Kind.SEMI_INTEGER
        else:
            model.kinds[column] = Kind.SEMI_CONTINUOUS
