"""The words of one MPS file: every name as the file has it, and the comments that explain them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from g2milp.instance.io.names import free_name, is_plain_in_mps, with_aliases
from g2milp.instance.io.numbers import INFINITE
from g2milp.instance.io.sidetable import SideTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.instance.milp import Milp


@dataclass(frozen=True)
class Layout:
    """Names in the file.

    Attributes
    ----------
    rows, columns
        One word each, in the order of the instance.
    twins
        For the number of a row that is written twice, the name of the second one.
    set_name
        The set of RHS, RANGES and BOUNDS: a word that is no row and no column.
    """

    name: str
    objective: str
    rows: list[str]
    columns: list[str]
    twins: dict[int, str]
    set_name: str
    marker: str
    table: SideTable

    @classmethod
    def of(cls, milp: Milp, twin_rows: Sequence[int]) -> Self:
        """Choose the words for `milp`; the rows `twin_rows` are written twice."""
        table = SideTable()
        name = milp.name
        if name != name.strip() or not (name.isprintable() and len(name) <= 255):
            table.name, name = milp.name, ""
        taken = {*milp.row_names, milp.objective_name}
        rows, table.rows = with_aliases(milp.row_names, "R", is_plain_in_mps, taken)
        objective = milp.objective_name
        if not is_plain_in_mps(objective) or objective in milp.row_names:
            objective, table.objective = free_name("OBJ", taken), objective
        twins = {}
        for row in twin_rows:
            twins[row] = free_name(f"R_{row}_lower", taken)
            table.twins[rows[row]] = twins[row]
        taken_columns = set(milp.col_names)
        columns, table.columns = with_aliases(milp.col_names, "C", is_plain_in_mps, taken_columns)
        table.finite = has_large_sides(milp)
        return cls(
            name=name,
            objective=objective,
            rows=rows,
            columns=columns,
            twins=twins,
            set_name=free_name("RHS", taken | taken_columns),
            marker=free_name("MARKER", taken_columns),
            table=table,
        )


def has_large_sides(milp: Milp) -> bool:
    """Whether a finite side is so large that readers take it for infinite."""
    sides = np.concatenate([milp.row_lower, milp.row_upper, milp.col_lower, milp.col_upper])
    return bool(np.any(np.isfinite(sides) & (np.abs(sides) >= INFINITE)))
