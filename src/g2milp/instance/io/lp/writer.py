"""From a `Milp` to LP text that people can read, and that reads back to the same `Milp`.

Numbers are exact, lines are wrapped. A row with two sides is written as two, since HiGHS misreads
``1 <= 3 x + y <= 4``; a structured comment makes them one again. Others hold names that the format
does not allow, and the name of the instance. Where the variables appear in another order than their
own, the objective lists all of them, with coefficient 0 if need be.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import InvalidMilp
from g2milp.instance.io.lp.tokens import RESERVED
from g2milp.instance.io.mps.layout import has_large_sides
from g2milp.instance.io.names import PLAIN_BYTES, free_name, with_aliases
from g2milp.instance.io.numbers import format_number
from g2milp.instance.io.sidetable import SideTable
from g2milp.instance.milp import Kind, RowSense

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from g2milp.instance.milp import Milp

WIDTH = 100
_PLAIN = re.compile(
    r"(?![eE][0-9]|[iI][nN][fF])[A-Za-z_!#$%&(),;?@'`{}~\"][A-Za-z0-9_!#$%&(),.;?@'`{}~\"]*"
)


def is_plain_in_lp(name: str) -> bool:
    """Whether a name is one word of LP format that every reader takes as it is."""
    return (
        bool(_PLAIN.fullmatch(name)) and len(name) <= PLAIN_BYTES and name.lower() not in RESERVED
    )


def dumps(milp: Milp) -> bytes:
    """The LP text of `milp`: UTF-8, deterministic."""
    if milp.n_rows and not milp.n_cols:
        raise InvalidMilp(
            f"{milp.name!r}: constraints without variables cannot be written in LP format",
            hint="Write it as .mps.",
        )
    table = SideTable(name=milp.name or None, finite=has_large_sides(milp))
    rows, table.rows = with_aliases(milp.row_names, "R", is_plain_in_lp, set(milp.row_names))
    cols, table.columns = with_aliases(milp.col_names, "C", is_plain_in_lp, set(milp.col_names))
    taken = {*rows, *milp.row_names}
    twins = {}
    for i in np.flatnonzero(np.equal(milp.senses, RowSense.RANGE)).tolist():
        twins[i] = free_name(f"{rows[i]}_lower", taken)
        table.twins[rows[i]] = twins[i]
    objective = milp.objective_name
    if not is_plain_in_lp(objective) or objective in taken:
        objective, table.objective = free_name("obj", taken), objective
    lines = [
        *(f"\\g2milp {line}" for line in table.lines()),
        "Maximize" if milp.sense == "max" else "Minimize",
        *_objective(milp, objective, cols),
        "Subject To",
        *_rows(milp, rows, cols, twins),
        *_bounds(milp, cols),
        *_kinds(milp, cols),
        "End",
        "",
    ]
    return "\n".join(lines).encode("utf-8")


def _objective(milp: Milp, name: str, cols: list[str]) -> Iterator[str]:
    listed = np.flatnonzero(milp.objective)
    seen = np.concatenate([listed, milp.indices])
    first = np.full(milp.n_cols, seen.size)
    np.minimum.at(first, seen, np.arange(seen.size))
    if np.any(first == seen.size) or np.any(np.diff(first) < 0):
        listed = np.arange(milp.n_cols)
    words = list(_terms(milp.objective[listed].tolist(), [cols[j] for j in listed.tolist()]))
    if milp.offset != 0:
        words.append(_signed(milp.offset, first=not words))
    yield from _wrapped([f"{name}:", *words])


def _rows(milp: Milp, rows: list[str], cols: list[str], twins: dict[int, str]) -> Iterator[str]:
    indices, values, indptr = milp.indices.tolist(), milp.values.tolist(), milp.indptr.tolist()
    lower, upper = milp.row_lower.tolist(), milp.row_upper.tolist()
    for i, name in enumerate(rows):
        start, end = indptr[i], indptr[i + 1]
        words = list(_terms(values[start:end], [cols[j] for j in indices[start:end]]))
        if not words:
            words = [f"0 {cols[0]}"]
        low, high = lower[i], upper[i]
        if low == high:
            side = f"= {format_number(low)}"
        elif high == np.inf and low != -np.inf:
            side = f">= {format_number(low)}"
        else:
            side = f"<= {format_number(high)}"
        yield from _wrapped([f"{name}:", *words, side])
        if i in twins:
            yield from _wrapped([f"{twins[i]}:", *words, f">= {format_number(low)}"])


def _bounds(milp: Milp, cols: list[str]) -> Iterator[str]:
    usual = np.equal(milp.col_lower, 0)
    usual &= (milp.col_upper == np.inf) | milp.is_binary
    listed = np.flatnonzero(~usual).tolist()
    if listed:
        yield "Bounds"
    for j in listed:
        lower, upper = milp.col_lower[j].item(), milp.col_upper[j].item()
        if lower == -np.inf and upper == np.inf:
            yield f" {cols[j]} free"
        elif lower == upper:
            yield f" {cols[j]} = {format_number(lower)}"
        elif upper == np.inf:
            yield f" {cols[j]} >= {format_number(lower)}"
        else:
            yield f" {format_number(lower)} <= {cols[j]} <= {format_number(upper)}"


def _kinds(milp: Milp, cols: list[str]) -> Iterator[str]:
    semi = np.isin(milp.kinds, (int(Kind.SEMI_CONTINUOUS), int(Kind.SEMI_INTEGER)))
    for title, chosen in (
        ("Generals", milp.is_integer & ~milp.is_binary),
        ("Binaries", milp.is_binary),
        ("Semi-Continuous", semi),
    ):
        listed = np.flatnonzero(chosen).tolist()
        if listed:
            yield title
            yield from _wrapped([cols[j] for j in listed])


def _terms(values: Iterable[float], names: Iterable[str]) -> Iterator[str]:
    first = True
    for value, name in zip(values, names, strict=True):
        if value == 1:
            yield name if first else f"+ {name}"
        elif value == -1:
            yield f"- {name}"
        else:
            yield f"{_signed(value, first=first)} {name}"
        first = False


def _signed(value: float, *, first: bool) -> str:
    text = format_number(abs(value))
    if value < 0:
        return f"- {text}"
    return text if first else f"+ {text}"


def _wrapped(words: list[str]) -> Iterator[str]:
    """Lines of at most `WIDTH` characters; the continuation lines are indented."""
    line = ""
    indent = " "
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line, indent = "", "   "
        line = f"{line} {word}" if line else indent + word
    if line:
        yield line
