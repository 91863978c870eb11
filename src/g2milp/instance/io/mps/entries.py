"""The COLUMNS section as text: one line an entry, by far the largest part of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.io.mps import native
from g2milp.instance.io.numbers import format_number
from g2milp.instance.io.sorting import stable_order
from g2milp.instance.milp import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.io.mps.layout import Layout
    from g2milp.instance.milp import Milp


def entries_text(milp: Milp, layout: Layout, *, use_native: bool = True) -> bytes:
    """The lines of COLUMNS: for each column the objective, the rows in order, the twins.

    Each run of integer columns stands between two markers, each of which is one more line of three
    words.
    """
    words = [*layout.rows, *layout.twins.values(), layout.objective, "'MARKER'"]
    columns = [*layout.columns, layout.marker]
    cols, rows, values = _sorted_entries(milp, layout)
    distinct, number_of = np.unique(values, return_inverse=True)
    which = number_of.astype(np.int32)
    numbers = [*map(format_number, distinct.tolist()), "'INTORG'", "'INTEND'"]

    places, kinds = _markers(milp, cols)
    cols = np.insert(cols, places, len(columns) - 1)
    rows = np.insert(rows, places, len(words) - 1)
    which = np.insert(which, places, len(numbers) - 2 + kinds)
    if use_native:
        text = native.join_entries(columns, words, numbers, cols, rows, which)
        if text is not None:
            return text
    lines = [
        f" {column} {row} {number}\n"
        for column, row, number in zip(
            map(columns.__getitem__, cols.tolist()),
            map(words.__getitem__, rows.tolist()),
            map(numbers.__getitem__, which.tolist()),
            strict=True,
        )
    ]
    return "".join(lines).encode("utf-8")


def _sorted_entries(
    milp: Milp, layout: Layout
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Column, row and value of every line, column by column.

    Rows are numbered as the words of the file: the rows, the twins, the objective.
    """
    rows, cols, values = milp.entry_rows, milp.indices, milp.values
    if layout.twins:
        twin_of = np.full(milp.n_rows, -1, np.int32)
        twin_of[list(layout.twins)] = milp.n_rows + np.arange(len(layout.twins))
        doubled = twin_of[rows] >= 0
        rows = np.concatenate([rows, twin_of[rows[doubled]]])
        cols = np.concatenate([cols, cols[doubled]])
        values = np.concatenate([values, values[doubled]])
    listed = milp.objective != 0
    listed |= np.bincount(milp.indices, minlength=milp.n_cols) == 0  # else it would be lost
    priced = np.flatnonzero(listed).astype(np.int32)
    objective = np.full(priced.size, milp.n_rows + len(layout.twins), np.int32)
    rows = np.concatenate([objective, rows])
    cols = np.concatenate([priced, cols])
    values = np.concatenate([milp.objective[priced], values])
    order = stable_order(cols)
    return cols[order], rows[order], values[order]


def _markers(milp: Milp, cols: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Before which lines a marker stands, and whether it closes (1) or opens (0) a block."""
    inside = np.concatenate([[0], np.equal(milp.kinds, Kind.INTEGER), [0]]).astype(np.int8)
    change = np.diff(inside)
    edges = np.flatnonzero(change)
    places = np.searchsorted(cols, edges)
    return places, (change[edges] < 0).astype(np.int32)
