"""Ties: coefficients that stand in one row and belong to another (functional dependencies).

In facility location the demand of customer i stands in the capacity row of every facility, as the
coefficient of x_ij: it belongs to the row that says that customer i is served, the only one of its
group that x_ij stands in. Such coefficients are no coefficients of their own:

* ``by row of``   within an instance, all that stands in columns of one key row is equal
* ``as in``       equal in size to the coefficient of the same column in the key group

Entries that follow are not exchanged themselves. When a column changes its key row, what follows it
changes too, and where that may not be written (in rows that are not masked) the move is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from g2milp.generation.exchange.groups import column_groups, sized_row_groups

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.instance.milp import Milp

Kind: TypeAlias = Literal["by row of", "as in"]
KINDS: tuple[Kind, ...] = ("by row of", "as in")


@dataclass(frozen=True, order=True)
class Tie:
    """The coefficients of block (row, col) belong to the rows of group `key`; groups by size."""

    row: str
    col: str
    key: str
    kind: Kind

    def describe(self) -> str:
        """One sentence, for people."""
        block = f"rows {self.row!r}, columns {self.col!r}: coefficients"
        if self.kind == "as in":
            return f"{block} are those of the variable in rows {self.key!r}"
        return f"{block} belong to the row {self.key!r} of the variable"


def discover_ties(milps: Iterable[Milp], fine: Invariants) -> tuple[Tie, ...]:
    """Ties of blocks that no rule of `fine` binds, which hold wherever the block occurs."""
    free = {block for block, rule in fine.blocks.items() if rule == "free"}
    alive: dict[tuple[str, str], set[tuple[str, Kind]]] = {}
    for milp in milps if free else ():
        rows, cols = sized_row_groups(milp), column_groups(milp)
        of_row, of_col = rows.of[milp.entry_rows], cols.of[milp.indices]
        keys = [_key_rows(milp, of_row == q) for q in range(len(rows.keys))]
        for g, row in enumerate(rows.keys):
            for h, col in enumerate(cols.keys):
                entries = np.flatnonzero((of_row == g) & (of_col == h))
                if not entries.size or (row, col) not in free:
                    continue
                found = {
                    (key, kind)
                    for q, key in enumerate(rows.keys)
                    if q != g
                    for kind in _kinds(milp, entries, *keys[q])
                }
                alive[row, col] = alive[row, col] & found if (row, col) in alive else found
    return tuple(sorted(Tie(*block, *min(found)) for block, found in alive.items() if found))


def _key_rows(
    milp: Milp, inside: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each column the only row it stands in among `inside` (−1: none or several), and how."""
    places = np.flatnonzero(inside)
    cols = milp.indices[places]
    row, value = np.full(milp.n_cols, -1, np.int64), np.zeros(milp.n_cols)
    row[cols], value[cols] = milp.entry_rows[places], milp.values[places]
    row[np.bincount(cols, minlength=milp.n_cols) != 1] = -1
    return row, value


def _kinds(
    milp: Milp,
    entries: NDArray[np.int64],
    key_row: NDArray[np.int64],
    key_value: NDArray[np.float64],
) -> list[Kind]:
    cols, values = milp.indices[entries], milp.values[entries]
    rows = key_row[cols]
    if (rows < 0).any():
        return []
    found: list[Kind] = []
    order = np.argsort(rows, kind="stable")
    same = np.diff(rows[order]) == 0
    if same.any() and bool((np.diff(values[order])[same] == 0).all()):
        found.append("by row of")
    if (
        bool((np.abs(key_value[cols]) == np.abs(values)).all())
        and np.unique(np.abs(values)).size > 1
    ):
        found.append("as in")
    return found
