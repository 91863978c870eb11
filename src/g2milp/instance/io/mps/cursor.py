"""Walking through the lines of an MPS file, section by section.

A line that starts in the first character is a section header or a comment (``*``), every other one
belongs to the section. The cursor counts lines, takes the structured comments out and enforces what
holds for every line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from g2milp.instance.io.sidetable import MARK, SideTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.instance.io.limits import ReadLimits
    from g2milp.instance.io.rules import Decisions

_BLANK = b" \t"
_SKIPPED = re.compile(rb"(?:(?:[ \t\r]*|\*(?!g2milp )[^\n]{0,1000})\n)++")
"""Blank lines and comments: a file of nothing else should cost next to nothing."""


class Cursor:
    """A position in the text, in bytes, and the number of the line that starts there."""

    def __init__(self, text: bytes, decisions: Decisions, limits: ReadLimits) -> None:
        self.text = text
        self.position = 0
        self.line = 1
        self.decisions = decisions
        self.limits = limits
        self.side_table = SideTable()

    def header(self, *, anything: bool = False) -> tuple[int, list[bytes], bytes] | None:
        """The next section header: its line number, its fields, the line; None at the end.

        With `anything`, the next line that is not empty, whatever it is.
        """
        for number, line in self._lines():
            if line[0] not in _BLANK or (anything and line.strip()):
                return number, line.split(), line
            if line.strip():
                self.decisions.refuse("section", number, "a line outside of any section")
        return None

    def body(self) -> Iterator[tuple[int, bytes]]:
        """The lines up to the next section header, without comments and empty lines."""
        for number, line in self._lines():
            if line[0] not in _BLANK:
                self.position = self._start
                self.line -= 1
                return
            yield number, line

    def jump(self, position: int, lines: int) -> None:
        """Go on to `position`, `lines` lines further down."""
        self.position = position
        self.line += lines

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        text, size, longest = self.text, len(self.text), self.limits.line_bytes
        while self.position < size:
            end = text.find(b"\n", self.position)
            if end < 0:
                end = size
            if end - self.position > longest:
                self.decisions.refuse(
                    "limits", self.line, f"a line of more than {longest:,} characters"
                )
            line = text[self.position : end]
            number = self.line
            self._start = self.position
            self.position = end + 1
            self.line += 1
            if line.endswith(b"\r"):
                line = line[:-1]
            if not line or line.isspace():
                self._skip()
            elif line[0] == 42:  # '*'
                if line.startswith(MARK, 1):
                    self.side_table.add(line[1 + len(MARK) :], number, self.decisions)
                self._skip()
            else:
                yield number, line

    def _skip(self) -> None:
        """Go on behind the blank lines and comments that come."""
        skipped = _SKIPPED.match(self.text, self.position)
        if skipped:
            self.position = skipped.end()
            self.line += self.text.count(b"\n", skipped.start(), skipped.end())
