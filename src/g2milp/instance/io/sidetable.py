r"""Structured comments: what a format cannot say, kept in lines that other readers skip.

Each is one JSON object with one key behind the mark ``*g2milp`` (MPS) or ``\g2milp`` (LP):

    {"name": "two  blanks "}          the name of the instance
    {"objective": "a b"}              the name of the objective
    {"row": ["R_7", "a b"]}           the row that the file calls R_7 has the name "a b"
    {"column": ["C_7", "x y"]}        likewise
    {"twin": ["r1", "R_twin_1"]}      these two rows of the file are the two sides of one row
    {"finite": true}                  sides of 1e20 and more are numbers, not infinities

Other readers see the names of the file and both twins: a correct model in other words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.instance.io.rules import Decisions

MARK = b"g2milp "


@dataclass
class SideTable:
    """What the structured comments of one file say."""

    name: str | None = None
    objective: str | None = None
    rows: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    twins: dict[str, str] = field(default_factory=dict)
    finite: bool = False

    def add(self, payload: bytes, line: int, decisions: Decisions) -> None:
        """Take in one structured comment, without its mark."""
        try:
            entry = json.loads(payload)
        except (ValueError, RecursionError):
            entry = None
        if not (isinstance(entry, dict) and len(entry) == 1):
            decisions.refuse("side-table", line, "a g2milp comment that cannot be understood")
        ((key, value),) = entry.items()
        if key in ("name", "objective") and isinstance(value, str):
            setattr(self, key, value)
        elif key == "finite" and value is True:
            self.finite = True
        elif key in ("row", "column", "twin") and _is_pair(value):
            table = {"row": self.rows, "column": self.columns, "twin": self.twins}[key]
            if value[0] in table:
                decisions.refuse("side-table", line, f"{value[0]!r} has two g2milp comments")
            table[value[0]] = value[1]
        else:
            decisions.refuse("side-table", line, f"a g2milp comment of unknown kind: {key!r:.60}")

    def lines(self) -> Iterator[str]:
        """The comments, without mark: one JSON object each, ASCII only."""
        for key, value in (("name", self.name), ("objective", self.objective)):
            if value is not None:
                yield json.dumps({key: value})
        if self.finite:
            yield json.dumps({"finite": True})
        for key, table in (("row", self.rows), ("column", self.columns), ("twin", self.twins)):
            for pair in table.items():
                yield json.dumps({key: list(pair)})

    def rename(self, names: list[str], what: str, decisions: Decisions) -> list[str]:
        """The names that the aliases of a file stand for; an alias of nothing is refused."""
        table = self.rows if what == "row" else self.columns
        if not table:
            return names
        missing = set(table).difference(names)
        if missing:
            decisions.refuse(
                "side-table", None, f"a g2milp comment names a {what} {min(missing)!r} of no line"
            )
        renamed = [table.get(name, name) for name in names]
        if len(set(renamed)) != len(renamed):
            decisions.refuse("side-table", None, f"the g2milp comments give two {what}s one name")
        return renamed


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and all(isinstance(item, str) for item in value)
    )
