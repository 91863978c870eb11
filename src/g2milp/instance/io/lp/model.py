"""What the sections of one LP file have said so far, and what they add up to: a `Milp`."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.io.numbers import INFINITE
from g2milp.instance.milp import Kind, Milp, Sense

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.io.rules import Decisions
    from g2milp.instance.io.sidetable import SideTable


@dataclass
class LpModel:
    """The raw content of a file."""

    sense: Sense = "min"
    objective_name: str = "obj"
    objective: dict[int, float] = field(default_factory=dict)
    offset: float = 0.0
    col_index: dict[str, int] = field(default_factory=dict)
    row_names: list[str | None] = field(default_factory=list)
    row_lines: list[int] = field(default_factory=list)
    row_lower: list[float] = field(default_factory=list)
    row_upper: list[float] = field(default_factory=list)
    indptr: array[int] = field(default_factory=lambda: array("q", [0]))
    indices: array[int] = field(default_factory=lambda: array("i"))
    values: array[float] = field(default_factory=lambda: array("d"))
    lower: dict[int, tuple[float, int]] = field(default_factory=dict)
    upper: dict[int, tuple[float, int]] = field(default_factory=dict)
    general: set[int] = field(default_factory=set)
    binary: dict[int, int] = field(default_factory=dict)
    semi: set[int] = field(default_factory=set)

    def column(self, name: str) -> int:
        """The index of a column, which is new when it was not named yet."""
        return self.col_index.setdefault(name, len(self.col_index))

    def add_row(
        self, name: str | None, line: int, terms: dict[int, float], lower: float, upper: float
    ) -> None:
        """One more row."""
        self.row_names.append(name)
        self.row_lines.append(line)
        self.row_lower.append(lower)
        self.row_upper.append(upper)
        self.indices.extend(terms.keys())
        self.values.extend(terms.values())
        self.indptr.append(len(self.indices))


def assemble(model: LpModel, table: SideTable, decisions: Decisions) -> Milp:
    """The instance that a completely read file describes."""
    infinite = np.inf if table.finite else INFINITE
    n = len(model.col_index)
    objective = np.zeros(n)
    for column, cost in model.objective.items():
        objective[column] = cost
    lower, upper, kinds = np.zeros(n), np.full(n, np.inf), np.zeros(n, np.uint8)
    _apply_kinds(model, kinds, upper, decisions)
    _apply_bounds(model, lower, upper, decisions)
    row_lower, row_upper = np.array(model.row_lower), np.array(model.row_upper)
    for low, high in ((lower, upper), (row_lower, row_upper)):
        low[low <= -infinite] = -np.inf
        high[high >= infinite] = np.inf
    bad_rows = np.flatnonzero((row_lower >= infinite) | (row_upper <= -infinite))
    if bad_rows.size:
        line = model.row_lines[bad_rows[0]]
        decisions.refuse("infinite-side", line, "this constraint is asked to reach infinity")
    for column in np.flatnonzero((lower >= infinite) | (upper <= -infinite)).tolist():
        side = model.lower if lower[column] >= infinite else model.upper
        line = side[column][1]
        decisions.refuse("infinite-side", line, "this bound asks a variable to reach infinity")
    return Milp.build(
        name=table.name or "",
        sense=model.sense,
        offset=model.offset,
        objective_name=model.objective_name if table.objective is None else table.objective,
        objective=objective,
        col_lower=lower,
        col_upper=upper,
        kinds=kinds,
        col_names=table.rename(list(model.col_index), "column", decisions),
        row_lower=row_lower,
        row_upper=row_upper,
        row_names=(
            _row_names(model) if table.twins else table.rename(_row_names(model), "row", decisions)
        ),
        indptr=np.frombuffer(model.indptr, dtype=np.int64),
        indices=np.frombuffer(model.indices, dtype=np.int32),
        values=np.frombuffer(model.values, dtype=np.float64),
        notes=decisions.notes(),
    )


def _row_names(model: LpModel) -> list[str]:
    """The names of the rows; a row without one is called after its place: ``R1, R2, …``."""
    taken = {name for name in model.row_names if name is not None}
    names = []
    for place, name in enumerate(model.row_names, start=1):
        if name is None:
            name = f"R{place}"
            while name in taken:
                name += "_"
        names.append(name)
    return names


def _apply_kinds(
    model: LpModel, kinds: NDArray[np.uint8], upper: NDArray[np.float64], decisions: Decisions
) -> None:
    for column in model.general:
        kinds[column] = Kind.INTEGER
    for column, line in model.binary.items():
        kinds[column] = Kind.INTEGER
        upper[column] = 1.0
        odd = model.lower.get(column, (0.0, line)), model.upper.get(column, (1.0, line))
        values = (odd[0][0], odd[1][0])
        if not all(value in (0.0, 1.0) for value in values):
            meaning = decisions.decide(
                "binary-bound", line, "a Binary variable with bounds other than 0 and 1"
            )
            if meaning == "binary":
                model.lower.pop(column, None)
                model.upper.pop(column, None)
    for column in model.semi:
        integer = kinds[column] == Kind.INTEGER
        if column in model.binary:
            reason = "a Binary variable that is semi-continuous"
            decisions.decide("semi-integer-marker", model.binary[column], reason)
        kinds[column] = Kind.SEMI_INTEGER if integer else Kind.SEMI_CONTINUOUS


def _apply_bounds(
    model: LpModel, lower: NDArray[np.float64], upper: NDArray[np.float64], decisions: Decisions
) -> None:
    for column, (value, _) in model.lower.items():
        lower[column] = value
    for column, (value, line) in model.upper.items():
        upper[column] = value
        if value < 0 and column not in model.lower:
            meaning = decisions.decide(
                "negative-up", line, f"the upper bound {value:g} comes without a lower bound"
            )
            if meaning == "minus-infinity":
                lower[column] = -np.inf
