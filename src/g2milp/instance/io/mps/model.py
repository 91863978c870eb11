"""What the sections of one MPS file have said so far, and what they add up to: a `Milp`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.io.numbers import INFINITE
from g2milp.instance.io.sorting import stable_order
from g2milp.instance.milp import Kind, Milp, Sense

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.io.rules import Decisions
    from g2milp.instance.io.sidetable import SideTable


@dataclass
class Entries:
    """The COLUMNS section: names, integrality and entries column by column.

    Shapes
    ------
    names : n; integer : (n,); indptr : (n + 1,); rows, values : (indptr[-1],)
    Rows are numbered as in the ROWS section, the objective included.
    """

    names: list[str]
    integer: NDArray[np.bool_]
    indptr: NDArray[np.int64]
    rows: NDArray[np.int32]
    values: NDArray[np.float64]


@dataclass
class MpsModel:
    """The raw content of a file; row numbers are those of the ROWS section."""

    name: str = ""
    sense: Sense = "min"
    objective_name: str | None = None
    row_types: bytearray = field(default_factory=bytearray)
    row_index: dict[bytes, int] = field(default_factory=dict)
    objective_row: int = -1
    entries: Entries | None = None
    col_index: dict[bytes, int] = field(default_factory=dict)
    rhs: dict[int, tuple[float, int]] = field(default_factory=dict)
    ranges: dict[int, tuple[float, int]] = field(default_factory=dict)
    lower: dict[int, tuple[float, int]] = field(default_factory=dict)
    upper: dict[int, tuple[float, int]] = field(default_factory=dict)
    kinds: dict[int, Kind] = field(default_factory=dict)

    def add_column(self, name: bytes) -> int:
        """One more continuous column, without entries; `finish_columns` makes room for all."""
        assert self.entries is not None
        self.entries.names.append(name.decode("utf-8"))
        return self.col_index.setdefault(name, len(self.col_index))

    def finish_columns(self) -> None:
        """Extend the arrays of `entries` to the columns that were added."""
        if self.entries is None:
            return
        added = len(self.entries.names) - self.entries.integer.size
        if added:
            self.entries.integer = np.pad(self.entries.integer, (0, added))
            self.entries.indptr = np.pad(self.entries.indptr, (0, added), mode="edge")

    def is_between_markers(self, column: int) -> bool:
        """Whether a column stood between INTORG and INTEND."""
        assert self.entries is not None
        return column < self.entries.integer.size and bool(self.entries.integer[column])


def assemble(model: MpsModel, table: SideTable, decisions: Decisions) -> Milp:
    """The instance that a completely read file describes."""
    entries = model.entries
    if entries is None:
        entries = Entries(
            [], np.zeros(0, bool), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0)
        )
    infinite = np.inf if table.finite else INFINITE
    row_lower, row_upper = _row_sides(model, infinite, decisions)
    col_lower, col_upper, kinds = _columns(model, entries, infinite, decisions)

    n_cols = len(entries.names)
    n_all = len(model.row_types)
    columns = np.repeat(np.arange(n_cols, dtype=np.int32), np.diff(entries.indptr))
    rows, values = entries.rows, entries.values
    objective = np.zeros(n_cols)
    is_objective = rows == model.objective_row
    objective[columns[is_objective]] = values[is_objective] + 0.0
    kept = ~is_objective & (values != 0)
    n_zeros = int(np.count_nonzero((values == 0) & ~is_objective))
    if n_zeros:
        decisions.remark(f"explicit zeros: {n_zeros} coefficients of 0 were left out")

    names = [name.decode("utf-8") for name in model.row_index]
    position = np.arange(n_all, dtype=np.int32)
    if model.objective_row >= 0:
        position[model.objective_row :] -= 1
        objective_name = names.pop(model.objective_row)
        constraints = np.arange(n_all) != model.objective_row
        row_lower, row_upper = row_lower[constraints], row_upper[constraints]
    else:
        objective_name = "OBJ"
    rows, columns, values = position[rows[kept]], columns[kept], values[kept]
    order = stable_order(rows)
    indptr = np.zeros(len(names) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(names)), out=indptr[1:])
    constant = model.rhs.get(model.objective_row, (0.0, 0))[0]
    milp = Milp.build(
        name=model.name if table.name is None else table.name,
        sense=model.sense,
        offset=0.0 - constant,
        objective_name=objective_name if table.objective is None else table.objective,
        objective=objective,
        col_lower=col_lower,
        col_upper=col_upper,
        kinds=kinds,
        col_names=table.rename(entries.names, "column", decisions),
        row_lower=row_lower,
        row_upper=row_upper,
        row_names=names if table.twins else table.rename(names, "row", decisions),
        indptr=indptr,
        indices=columns[order],
        values=values[order],
        notes=decisions.notes(),
    )
    return milp


def _row_sides(
    model: MpsModel, infinite: float, decisions: Decisions
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper side of every row: type, right-hand side and range.

    ======  =========  ===================
    type    R          sides
    ======  =========  ===================
    L       any        [rhs - ``|R|``, rhs]
    G       any        [rhs, rhs + ``|R|``]
    E       R ≥ 0      [rhs, rhs + ``|R|``]
    E       R < 0      [rhs - ``|R|``, rhs]
    ======  =========  ===================
    """
    types = np.frombuffer(bytes(model.row_types), dtype=np.uint8)
    value = np.zeros(types.size)
    for row, (rhs, _) in model.rhs.items():
        value[row] = rhs
    lower = np.where((types == ord("L")) | (types == ord("N")), -np.inf, value)
    upper = np.where((types == ord("G")) | (types == ord("N")), np.inf, value)
    for row, (size, range_line) in model.ranges.items():
        side = value[row].item()
        if abs(side) >= infinite:
            decisions.refuse("infinite-side", range_line, "a range from an infinite side")
        below = types[row] == ord("L") or (types[row] == ord("E") and size < 0)
        if below:
            lower[row] = side - abs(size)
        else:
            upper[row] = side + abs(size)
    lower[lower <= -infinite] = -np.inf
    upper[upper >= infinite] = np.inf
    for row in np.flatnonzero((lower >= infinite) | (upper <= -infinite)).tolist():
        line = model.rhs.get(row, (0.0, None))[1]
        decisions.refuse(
            "infinite-side", line, "this right-hand side asks a constraint to reach infinity"
        )
    return lower, upper


def _columns(
    model: MpsModel, entries: Entries, infinite: float, decisions: Decisions
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    """Bounds and kinds; an integer column without any bound is binary, as all readers agree."""
    n = len(entries.names)
    lower, upper = np.zeros(n), np.full(n, np.inf)
    kinds = np.where(entries.integer, np.uint8(Kind.INTEGER), np.uint8(Kind.CONTINUOUS))
    for column, kind in model.kinds.items():
        kinds[column] = kind
    unbounded = entries.integer.copy()
    for column, (value, _) in model.lower.items():
        lower[column] = value
        unbounded[column] = False
    for column, (value, line) in model.upper.items():
        upper[column] = value
        unbounded[column] = False
        if value < 0 and column not in model.lower:
            reason = f"the upper bound {value:g} of {entries.names[column]!r:.80} comes without"
            meaning = decisions.decide("negative-up", line, f"{reason} a lower bound")
            if meaning == "minus-infinity":
                lower[column] = -np.inf
    upper[unbounded] = 1.0
    lower[lower <= -infinite] = -np.inf
    upper[upper >= infinite] = np.inf
    for column in np.flatnonzero((lower >= infinite) | (upper <= -infinite)).tolist():
        at = model.lower.get(column) if lower[column] >= infinite else None
        line_of = (at or model.upper.get(column) or (0.0, None))[1]
        decisions.refuse("infinite-side", line_of, "this bound asks a variable to reach infinity")
    return lower, upper, kinds
