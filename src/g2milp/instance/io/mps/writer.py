"""From a `Milp` to the text of an MPS file that reads back to the same `Milp`, bit for bit.

One entry a line, numbers in their shortest exact form, every bound of an integer column explicit,
continuous columns outside of the markers, OBJSENSE on two lines, the constant of the objective as a
negative right-hand side: what HiGHS, SCIP and Gurobi read alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.io.mps.entries import entries_text
from g2milp.instance.io.mps.layout import Layout
from g2milp.instance.io.mps.ranges import RowForm, row_forms
from g2milp.instance.io.numbers import format_number
from g2milp.instance.milp import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.instance.milp import Milp


def dumps(milp: Milp, *, use_native: bool = True) -> bytes:
    """The MPS text of `milp`: UTF-8, deterministic.

    `use_native` takes the native core where it is built; the text is the same.
    """
    forms = row_forms(milp.row_lower, milp.row_upper)
    layout = Layout.of(milp, [i for i, form in enumerate(forms) if form.twin])
    head = [
        *(f"*g2milp {line}\n" for line in layout.table.lines()),
        f"NAME          {layout.name}".rstrip() + "\n",
        "OBJSENSE\n    MAX\n" if milp.sense == "max" else "",
        "ROWS\n",
        *_rows(forms, layout),
        "COLUMNS\n",
    ]
    tail = [
        "RHS\n",
        *_rhs(milp, forms, layout),
        *_ranges(forms, layout),
        *_bounds(milp, layout),
        "ENDATA\n",
    ]
    entries = entries_text(milp, layout, use_native=use_native)
    return b"".join(["".join(head).encode("utf-8"), entries, "".join(tail).encode("utf-8")])


def _rows(forms: list[RowForm], layout: Layout) -> Iterator[str]:
    yield f" N {layout.objective}\n"
    for form, name in zip(forms, layout.rows, strict=True):
        yield f" {form.kind} {name}\n"
    for name in layout.twins.values():
        yield f" G {name}\n"


def _rhs(milp: Milp, forms: list[RowForm], layout: Layout) -> Iterator[str]:
    if milp.offset != 0:
        yield f" {layout.set_name} {layout.objective} {format_number(-milp.offset)}\n"
    for form, name in zip(forms, layout.rows, strict=True):
        if form.rhs != 0:
            yield f" {layout.set_name} {name} {format_number(form.rhs)}\n"
    for row, name in layout.twins.items():
        if milp.row_lower[row] != 0:
            yield f" {layout.set_name} {name} {format_number(milp.row_lower[row].item())}\n"


def _ranges(forms: list[RowForm], layout: Layout) -> Iterator[str]:
    ranged = [
        f" {layout.set_name} {name} {format_number(form.distance)}\n"
        for form, name in zip(forms, layout.rows, strict=True)
        if form.distance is not None
    ]
    if ranged:
        yield "RANGES\n"
        yield from ranged


def _bounds(milp: Milp, layout: Layout) -> Iterator[str]:
    integer = np.equal(milp.kinds, Kind.INTEGER)
    usual = np.equal(milp.kinds, Kind.CONTINUOUS)
    usual &= (milp.col_lower == 0) & (milp.col_upper == np.inf)
    listed = np.flatnonzero(~usual)
    if listed.size:
        yield "BOUNDS\n"
    for j, kind, lower, upper in zip(
        listed.tolist(),
        milp.kinds[listed].tolist(),
        milp.col_lower[listed].tolist(),
        milp.col_upper[listed].tolist(),
        strict=True,
    ):
        tail = f"{layout.set_name} {layout.columns[j]}"
        for word, value in bound_lines(kind, lower, upper, integer=bool(integer[j])):
            text = "" if value is None else f" {format_number(value)}"
            yield f" {word} {tail}{text}\n"


def bound_lines(
    kind: int, lower: float, upper: float, *, integer: bool
) -> Iterator[tuple[str, float | None]]:
    """The lines of BOUNDS, as type and value, that give a column its kind and both bounds."""
    semi = {int(Kind.SEMI_CONTINUOUS): "SC", int(Kind.SEMI_INTEGER): "SI"}.get(kind)
    if semi is None and lower == upper:
        yield "FX", lower
        return
    if semi is None and lower == -np.inf and upper == np.inf:
        yield "FR", None
        return
    if lower == -np.inf:
        yield "MI", None
    elif lower != 0 or upper < 0 or (integer and upper == np.inf):
        yield "LO", lower
    if semi is not None:
        yield semi, upper
    elif upper != np.inf:
        yield "UP", upper
