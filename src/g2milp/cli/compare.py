"""``g2milp compare``: what changed between two instances, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from g2milp.cli import output
from g2milp.cli.options import PANEL_INSTANCES, Accept, AsJson, Debug, NoSeed

if TYPE_CHECKING:
    from g2milp.evaluation.compare import Change, Comparison, LineChange

FIELD_WORDS = {
    "objective": "objective",
    "col_lower": "lower bound",
    "col_upper": "upper bound",
    "kinds": "kind",
    "row_lower": "lower side",
    "row_upper": "upper side",
}
KINDS = ("continuous", "integer", "semi-continuous", "semi-integer")
ENTRIES_SHOWN = 6


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_INSTANCES)(compare)


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="Model file.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Model file to compare with it.")],
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="List at most N rows and N columns.")
    ] = 20,
    accept: Accept = None,
    seed: NoSeed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Show what changed between two instances, row by row."""
    from g2milp.evaluation.compare import compare as compare_instances
    from g2milp.instance.io.files import read

    accepted = tuple(accept or ())
    found = compare_instances(read(first, accept=accepted), read(second, accept=accepted))
    output.result({"a": str(first), "b": str(second), **found.to_dict()}, as_json=as_json)
    if found.equal:
        output.say("The two instances are equal, bit for bit.")
        return
    _show_summary(found)
    _show_lines("Constraints", found.rows, limit)
    _show_lines("Variables", found.columns, limit)
    if found.statistics:
        output.table(
            "Statistics that differ",
            ["statistic", "A", "B"],
            [[change.what, change.before, change.after] for change in found.statistics],
        )


def _show_summary(found: Comparison) -> None:
    output.facts(
        None,
        [
            ("isomorphic", found.isomorphic),
            *((change.what, f"{change.before!r} → {change.after!r}") for change in found.header),
            ("constraints", _tally(found.rows_kept, found.rows, found.matched_by["rows"])),
            ("variables", _tally(found.columns_kept, found.columns, found.matched_by["columns"])),
            ("coefficients", f"{found.entries_kept:,} kept"),
        ],
    )


def _tally(kept: int, lines: tuple[LineChange, ...], matched_by: str) -> str:
    counts = {
        how: sum(line.how == how for line in lines) for how in ("changed", "removed", "added")
    }
    parts = [f"{kept:,} kept", *(f"{count:,} {how}" for how, count in counts.items() if count)]
    return f"{', '.join(parts)} (matched by {matched_by})"


def _show_lines(title: str, lines: tuple[LineChange, ...], limit: int) -> None:
    if not lines or not limit:
        return
    output.say("")
    output.say(title, style="bold")
    for line in lines[:limit]:
        parts = [_change(change) for change in line.changes]
        parts += [_change(change) for change in line.entries[:ENTRIES_SHOWN]]
        more = len(line.entries) - ENTRIES_SHOWN
        if more > 0:
            parts.append(f"{more} more coefficients")
        output.say(f"  {line.name} {line.how}" + (f": {', '.join(parts)}" if parts else ""))
    if len(lines) > limit:
        output.say(f"  … and {len(lines) - limit} more; --limit shows more, --json all")


def _change(change: Change) -> str:
    what = FIELD_WORDS.get(change.what, change.what)
    if change.before is None:
        return f"+{what} {_value(change.what, change.after)}"
    if change.after is None:
        return f"-{what} {_value(change.what, change.before)}"
    return f"{what} {_value(change.what, change.before)} → {_value(change.what, change.after)}"


def _value(what: str, value: float | str | None) -> str:
    if what == "kinds" and isinstance(value, int):
        return KINDS[value]
    return f"{value:g}" if isinstance(value, float) else str(value)
