"""Findings as a Markdown table: our number, its interval, and the published number in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.experiments.finding import Finding, Outcome


MOST_COLUMNS = 4
"""A table with more is split: by data set, then by this number of columns."""


def tables(outcome: Outcome) -> str:
    """All cells: one table where it is narrow enough, else one for each data set."""
    columns = outcome.columns()
    if len(columns) <= MOST_COLUMNS:
        return table(outcome)
    groups: dict[str, list[str]] = {}
    for column in columns:
        groups.setdefault(_data_set(column), []).append(column)
    if len(groups) == 2 and "" in groups:  # one data set alone: nothing to keep apart
        groups = {next(name for name in groups if name): columns}
    parts = []
    for name, members in groups.items():
        parts += [f"**{escape(name)}**\n"] if name else []
        parts += [table(outcome, piece, without=name) for piece in _pieces(members)]
    return "\n".join(parts)


def _pieces(columns: Sequence[str]) -> list[list[str]]:
    """Columns of each table; a mean and what is derived from it stay together."""
    blocks: list[list[str]] = []
    for column in columns:
        if not blocks or column.rpartition(", ")[2].startswith("mean "):
            blocks.append([])
        blocks[-1].append(column)
    pieces: list[list[str]] = []
    for block in blocks:
        if pieces and len(pieces[-1]) + len(block) <= MOST_COLUMNS:
            pieces[-1] += block
            continue
        number = -(-len(block) // MOST_COLUMNS)
        width = -(-len(block) // number)
        pieces += [block[start : start + width] for start in range(0, len(block), width)]
    return pieces


def table(outcome: Outcome, columns: Sequence[str] | None = None, without: str = "") -> str:
    """One row a row, one column a column; ours first, then ``(paper …)``.

    Only `columns`, with the rows that have one of them; `without` is left out of their headings.
    """
    shown_columns = outcome.columns() if columns is None else list(columns)
    heads = [escape(column.removeprefix(f"{without}, ")) for column in shown_columns]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    chosen = set(shown_columns)
    for row in dict.fromkeys(f.row for f in outcome.findings if f.column in chosen):
        cells = " | ".join(shown(outcome.cell(row, column)) for column in shown_columns)
        lines.append(f"| {escape(row)} | {cells} |")
    return "\n".join(lines) + "\n"


def _data_set(column: str) -> str:
    """The data set in front of a column's name, if there is one."""
    from g2milp.experiments.lab import TITLES

    titles = [title for title in TITLES.values() if column.startswith(f"{title}, ")]
    return max(titles, key=len, default="")


def shown(found: Finding | None) -> str:
    """One cell."""
    if found is None:
        return ""
    text = "–" if found.value is None else f"**{digits(found.value)}**"
    if found.interval is not None:
        low, high = found.interval
        text += f" [{digits(low)}, {digits(high)}]"
    if found.note:
        text += f" {escape(found.note)}"
    if found.paper is not None:
        text += f" (paper {digits(found.paper)})"
    return text


def digits(value: float) -> str:
    """Three digits that count, no exponent for ordinary sizes; counts as whole numbers."""
    value = float(value)
    if value == 0:
        return "0"
    if value.is_integer() and 2 <= abs(value) < 1000:
        return f"{value:.0f}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    if abs(value) >= 1:
        return f"{value:.2f}"
    return f"{value:.3f}" if abs(value) >= 0.0095 else f"{value:.2g}"


def escape(text: str) -> str:
    """Bars would end a cell."""
    return " ".join(text.replace("|", "\\|").split())
