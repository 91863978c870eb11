"""Findings as a Markdown table: our number, its interval, and the published number in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2milp.experiments.finding import Finding, Outcome


def table(outcome: Outcome) -> str:
    """One row a row, one column a column; ours first, then ``(paper …)``."""
    columns = outcome.columns()
    lines = [
        "| | " + " | ".join(escape(column) for column in columns) + " |",
        "|---|" + "---|" * len(columns),
    ]
    for row in outcome.rows():
        cells = [shown(outcome.cell(row, column)) for column in columns]
        lines.append(f"| {escape(row)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


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
    """Three digits that count, no exponent for ordinary sizes."""
    if value == 0:
        return "0"
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
