"""Two rows of a file that are the sides of one, and how they come together again.

In MPS a row with both sides is a right-hand side and a distance, and for some pairs of float64
sides no distance gives the other side back to the last bit. In LP format HiGHS misreads a row with
two sides. Such rows are written twice, as ``≤`` and as ``≥``, with a structured comment that names
the pair: other readers see two correct rows, ours one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.milp import MATRIX_FIELDS

if TYPE_CHECKING:
    from g2milp.instance.io.rules import Decisions
    from g2milp.instance.io.sidetable import SideTable
    from g2milp.instance.milp import Milp


def fold_twins(milp: Milp, table: SideTable, decisions: Decisions) -> Milp:
    """Make one row of each pair that the structured comments name; then give the rows their names.

    The row keeps its place and its upper side, the twin gives its lower side and goes.
    """
    if not table.twins:
        return milp  # its rows have their names already
    index = {name: i for i, name in enumerate(milp.row_names)}
    lower, upper = milp.row_lower.copy(), milp.row_upper.copy()
    is_twin = np.zeros(milp.n_rows, dtype=bool)
    for name, twin_name in table.twins.items():
        row, twin = index.get(name), index.get(twin_name)
        if row is None or twin is None or row == twin or is_twin[row] or is_twin[twin]:
            decisions.refuse("side-table", None, f"the pair {name!r}, {twin_name!r} is not there")
        if not _same_entries(milp, row, twin) or lower[row] != -np.inf or upper[twin] != np.inf:
            decisions.refuse(
                "side-table", None, f"{name!r} and {twin_name!r} are not two sides of one row"
            )
        lower[row] = lower[twin]
        is_twin[twin] = True
    kept = ~is_twin
    entries = kept[milp.entry_rows]
    names = [name for name, keep in zip(milp.row_names, kept, strict=True) if keep]
    indptr = np.zeros(len(names) + 1, np.int64)
    np.cumsum(milp.row_degrees[kept], out=indptr[1:])
    folded = replace(
        milp,
        row_names=tuple(table.rename(names, "row", decisions)),
        row_lower=lower[kept],
        row_upper=upper[kept],
        indptr=indptr,
        indices=milp.indices[entries],
        values=milp.values[entries],
    )
    for field_name in ("row_lower", "row_upper", *MATRIX_FIELDS):
        getattr(folded, field_name).flags.writeable = False
    return folded


def _same_entries(milp: Milp, a: int, b: int) -> bool:
    columns_a, values_a = milp.row(a)
    columns_b, values_b = milp.row(b)
    return np.array_equal(columns_a, columns_b) and np.array_equal(values_a, values_b)
