"""The COLUMNS section: names, markers and coefficients, by far the largest part of a file.

`scan` walks line by line and knows why a line is refused. Where the native core is there, it reads
the section first; it understands only ordinary lines and hands everything else back to `scan`.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.io.mps.model import Entries
from g2milp.instance.io.numbers import parse_number

if TYPE_CHECKING:
    from g2milp.instance.io.mps.cursor import Cursor
    from g2milp.instance.io.mps.fields import Splitter
    from g2milp.instance.io.rules import Decisions

_MARKERS = (b"'MARKER'", b'"MARKER"')


class ColumnScanner:
    """The line-by-line reader of one COLUMNS section."""

    def __init__(
        self, row_index: dict[bytes, int], decisions: Decisions, name_bytes: int, items: int
    ) -> None:
        self.row_index = row_index
        self.decisions = decisions
        self.name_bytes = name_bytes
        self.items = items
        self.col_index: dict[bytes, int] = {}
        self.in_integers = False
        self.marker_line = 0
        self._split_allowed = "split-column" in decisions.meanings
        self._entries_of: dict[int, dict[int, int]] = {}
        self._integer = bytearray()
        self._columns = array("i")
        self._rows = array("i")
        self._values = array("d")

    def scan(self, cursor: Cursor, split: Splitter) -> None:
        """Read the lines up to the next section header."""
        decisions, row_index = self.decisions, self.row_index
        numbers = decisions.numbers
        add_column, add_row, add_value = (
            self._columns.append,
            self._rows.append,
            self._values.append,
        )
        current, column = None, -1
        in_column: dict[int, int] = {}
        for number, line in cursor.body():
            fields = split(number, line)
            count = len(fields)
            if count == 3 and fields[1] in _MARKERS:
                self._marker(number, fields[2])
                current = None
                continue
            if count != 3 and count != 5:
                if not fields:
                    continue
                self._refuse_count(number, fields)
            name = fields[0]
            if name != current:
                current = name
                column, in_column = self._start(number, name)
            for k in range(1, count, 2):
                row = row_index.get(fields[k], -1)
                if row < 0:
                    shown = fields[k][:80].decode("utf-8", "replace")
                    decisions.refuse("unknown-row", number, f"there is no row {shown!r}")
                token = fields[k + 1]
                value = numbers.get(token)
                if value is None:
                    value = parse_number(token, number, decisions)
                if row in in_column:
                    self._duplicate(number, in_column[row], fields[k], value)
                    continue
                in_column[row] = len(self._rows)
                add_column(column)
                add_row(row)
                add_value(value)
        if len(self._rows) > self.items:
            decisions.refuse("limits", cursor.line, f"more than {self.items:,} entries")

    def finish(self) -> Entries:
        """Everything as arrays, column by column."""
        if self.in_integers:
            self.decisions.decide(
                "open-marker", self.marker_line, "this INTORG marker has no INTEND"
            )
        columns = np.frombuffer(self._columns, dtype=np.int32)
        rows = np.frombuffer(self._rows, dtype=np.int32)
        values = np.frombuffer(self._values, dtype=np.float64)
        n = len(self.col_index)
        if np.any(np.diff(columns) < 0):  # only where a split column was merged
            order = np.argsort(columns, kind="stable")
            columns, rows, values = columns[order], rows[order], values[order]
        indptr = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(columns, minlength=n), out=indptr[1:])
        names = [name.decode("utf-8") for name in self.col_index]
        integer = np.frombuffer(bytes(self._integer), dtype=np.uint8).astype(bool)
        return Entries(names, integer, indptr, rows, values)

    def _start(self, number: int, name: bytes) -> tuple[int, dict[int, int]]:
        """The index of the column that starts here, and its rows so far."""
        column = self.col_index.get(name)
        if column is None:
            if len(name) > self.name_bytes:
                self.decisions.refuse(
                    "limits", number, f"a name of more than {self.name_bytes:,} bytes"
                )
            column = self.col_index[name] = len(self.col_index)
            self._integer.append(self.in_integers)
            entries: dict[int, int] = {}
            if self._split_allowed:
                self._entries_of[column] = entries
            return column, entries
        shown = name[:80].decode("utf-8", "replace")
        self.decisions.decide(
            "split-column", number, f"the variable {shown!r} has entries further up already"
        )
        return column, self._entries_of[column]

    def _duplicate(self, number: int, at: int, row: bytes, value: float) -> None:
        shown = row[:80].decode("utf-8", "replace")
        meaning = self.decisions.decide(
            "duplicate-entry", number, f"a second coefficient in the row {shown!r}"
        )
        if meaning == "sum":
            self._values[at] += value
        elif meaning == "last":
            self._values[at] = value

    def _marker(self, number: int, word: bytes) -> None:
        kind = word.strip(b"'\"")
        if kind == b"INTORG" and not self.in_integers:
            self.in_integers, self.marker_line = True, number
        elif kind == b"INTEND" and self.in_integers:
            self.in_integers = False
        elif kind in (b"INTORG", b"INTEND"):
            other = "is not closed yet" if kind == b"INTORG" else "was not opened"
            self.decisions.refuse("marker", number, f"{kind.decode()}: the integer block {other}")
        elif kind in (b"SOSORG", b"SOSEND"):
            self.decisions.not_a_milp(number, "special ordered sets (SOSORG markers)")
        else:
            shown = word[:40].decode("utf-8", "replace")
            self.decisions.refuse(
                "marker", number, f"unknown marker {shown}", "Only 'INTORG' and 'INTEND' are read."
            )

    def _refuse_count(self, number: int, fields: list[bytes]) -> None:
        hint = None
        if any(b"MARKER" in field.upper() for field in fields[:2]):
            hint = "A marker line reads: name 'MARKER' 'INTORG' (or 'INTEND'), with quotes."
        self.decisions.refuse(
            "fields",
            number,
            f"{len(fields)} fields where a variable, a row and a number (twice at most) belong",
            hint,
        )
