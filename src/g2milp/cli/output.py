"""What commands say: words and tables to stderr, one JSON object to stdout.

Names come from files that nobody vouches for, so what is printed goes through `visible`: control
characters and terminal sequences are shown, never obeyed, and square brackets are no markup.
"""

from __future__ import annotations

import json
import math
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

SCHEMA_VERSION = 1
"""Of every ``--json`` object. Fields may be added to a version, never changed or removed."""

_HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_INDENT = "  "
UNLIMITED = 1_000_000
"""The width of what is no terminal: logs and pipes get whole lines."""
TWO_COLUMNS = 18
"""With less room than this beside the labels, values go below them."""


@dataclass
class _Run:
    """The state of one call of `main`."""

    as_json: bool = False
    json_printed: bool = False


_run = _Run()


def start(*, as_json: bool) -> None:
    """Begin one command: whether its errors are wanted as JSON, too."""
    global _run
    _run = _Run(as_json=as_json)


def console() -> Console:
    """The terminal behind stderr. Made anew, since tests and callers replace `sys.stderr`."""
    from rich.console import Console

    terminal = Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not terminal.is_terminal:
        terminal.width = UNLIMITED
    return terminal


def say(*lines: str, style: str | None = None) -> None:
    """Print words for people, a paragraph each."""
    terminal = console()
    for line in lines:
        terminal.print(visible(line, keep="\n"), style=style)


def warn(message: str) -> None:
    """Print something that deserves attention but stops nothing."""
    _labelled("warning", message, "yellow")


def result(payload: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the one object of this command on stdout, when ``--json`` asks for it.

    `schema_version` is added. Numbers that are not finite become null: JSON has none.
    """
    if as_json:
        _run.json_printed = True
        document = {"schema_version": SCHEMA_VERSION, **payload}
        sys.stdout.write(json.dumps(_finite(document), indent=2, allow_nan=False) + "\n")
        sys.stdout.flush()


def fail(message: str, hint: str | None, *, kind: str, code: int) -> None:
    """Report an error: on stderr, and as ``{"error": …}`` unless a result was printed already."""
    _labelled("error", message, "bold red")
    if hint:
        _labelled("hint", hint, "cyan")
    if _run.as_json and not _run.json_printed:
        error = {"type": kind, "exit_code": code, "message": message, "hint": hint}
        result({"error": error}, as_json=True)


def traceback() -> None:
    """Print the traceback of the exception that is being handled (``--debug``)."""
    import traceback as standard

    sys.stderr.write(standard.format_exc())


def table(
    title: str | None,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    left: int = 1,
    spare: Sequence[str] = (),
) -> None:
    """Print a table whose first `left` columns are words and the rest numbers.

    Where it does not fit the terminal, columns named in `spare` are left out, the first named
    first; if that is not enough, each row becomes a paragraph of ``column: value`` lines.
    """
    from rich.measure import Measurement

    terminal = console()
    columns_of_cells = [_cells([row[i] for row in rows]) for i in range(len(columns))]
    cells = [list(row) for row in zip(*columns_of_cells, strict=True)]
    if title:
        terminal.print()
        terminal.print(visible(title), style="bold")
    whole = terminal.options.update(width=UNLIMITED)
    left_out = [name for name in spare if name in columns]
    for count in range(len(left_out) + 1):
        kept = [i for i, name in enumerate(columns) if name not in left_out[:count]]
        drawn = _draw([columns[i] for i in kept], [[row[i] for i in kept] for row in cells], left)
        if Measurement.get(terminal, whole, drawn).maximum <= terminal.width:
            terminal.print(drawn)
            return
    _print_records(terminal, columns, cells)


def facts(title: str | None, pairs: Sequence[tuple[str, object]]) -> None:
    """Print aligned ``label  value`` lines; long values wrap beside their label."""
    from rich.text import Text

    terminal = console()
    if title:
        terminal.print(Text(visible(title), style="bold", overflow="fold"))
    indent = len(_INDENT) + max((len(label) for label, _ in pairs), default=0) + 2
    below = terminal.width - indent < TWO_COLUMNS
    indent = 2 * len(_INDENT) if below else indent
    room = max(terminal.width - indent, 10)
    for label, value in pairs:
        head = _INDENT + visible(label)
        lines = list(Text(visible(number(value))).wrap(terminal, room)) or [Text()]
        if below:
            terminal.print(Text(head, style="dim"))
        for i, line in enumerate(lines):
            left = " " * indent if below or i else head.ljust(indent)
            line.rstrip()
            terminal.print(Text.assemble((left, "dim"), line), soft_wrap=True)


def visible(text: str, *, keep: str = "") -> str:
    """Show control, bidi and other invisible characters as escapes, so that none takes effect."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char
        if char in keep or unicodedata.category(char) not in _HIDDEN_CATEGORIES
        else _escape(char)
        for char in text
    )


def number(value: object) -> str:
    """A cell's text: thousands separated, floats to four digits, None as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e15:
            return f"{int(value):,}"
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.1f}"
    return str(value)


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def _labelled(label: str, message: str, style: str) -> None:
    from rich.text import Text

    terminal = console()
    text = Text.assemble((f"{label}: ", style), visible(message, keep="\n"))
    terminal.print(text)


def _cells(values: Sequence[object]) -> list[str]:
    """The texts of one column; a column of shares gets the same three decimals everywhere."""
    floats = [abs(value) for value in values if isinstance(value, float)]
    others = [value for value in values if not isinstance(value, float) and value is not None]
    shares = floats and not others and all(size == 0 or 5e-4 <= size <= 1 for size in floats)
    if shares:
        return [f"{value:.3f}" if isinstance(value, float) else number(value) for value in values]
    return [visible(number(value)) for value in values]


def _draw(columns: Sequence[str], cells: Sequence[Sequence[str]], left: int) -> Table:
    from rich import box
    from rich.table import Table

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, column in enumerate(columns):
        drawn.add_column(column, justify="left" if i < left else "right", no_wrap=True)
    for row in cells:
        drawn.add_row(*row)
    return drawn


def _print_records(
    terminal: Console, columns: Sequence[str], cells: Sequence[Sequence[str]]
) -> None:
    for row in cells:
        terminal.print(row[0], style="cyan")
        for column, cell in zip(columns[1:], row[1:], strict=True):
            terminal.print(f"{_INDENT}{column}: {cell}")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
