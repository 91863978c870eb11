"""What degrees the training instances show, block by block, and which vary by themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.degrees.transfers import Block, Freedom
from g2milp.generation.exchange.groups import column_groups, row_groups

if TYPE_CHECKING:
    from collections.abc import Set

    from numpy.typing import NDArray

    from g2milp.generation.degrees.transfers import Shares
    from g2milp.instance.milp import Milp

MAX_BETWEEN = 0.1
"""Of the variance of degrees that may lie between instances: of more, sizes are the cause."""


@dataclass
class Evidence:
    """Degrees that were seen: in blocks by how often, of whole rows and columns by whether."""

    blocks: dict[tuple[str, str], tuple[_Seen, _Seen]] = field(default_factory=dict)
    rows: dict[str, set[int]] = field(default_factory=dict)
    cols: dict[str, set[int]] = field(default_factory=dict)

    def add(self, milp: Milp, wanted: Set[tuple[str, str]]) -> None:
        """What one instance shows of the blocks that are `wanted`."""
        rows, cols = row_groups(milp), column_groups(milp)
        sides = ((rows, milp.row_degrees, self.rows), (cols, milp.col_degrees, self.cols))
        for groups, degrees, seen in sides:
            for g, key in enumerate(groups.keys):
                seen.setdefault(key, set()).update(np.unique(degrees[groups.of == g]).tolist())
        of_row, of_col = rows.of[milp.entry_rows], cols.of[milp.indices]
        for row, col in sorted(wanted):
            if row not in rows.keys or col not in cols.keys:
                continue
            g, h = rows.keys.index(row), cols.keys.index(col)
            inside = (of_row == g) & (of_col == h)
            in_rows = np.bincount(milp.entry_rows[inside], minlength=milp.n_rows)[rows.of == g]
            in_cols = np.bincount(milp.indices[inside], minlength=milp.n_cols)[cols.of == h]
            for found, degrees in zip(
                self.blocks.setdefault((row, col), (_Seen(), _Seen())),
                (in_rows, in_cols),
                strict=True,
            ):
                found.add(degrees)

    def freedom(self, antichain: frozenset[str]) -> Freedom:
        """The blocks whose degrees vary within instances, on one side at least."""
        blocks = {
            key: Block(of_rows.shares(), of_cols.shares())
            for key, (of_rows, of_cols) in self.blocks.items()
            if of_rows.varies or of_cols.varies
        }
        rows, cols = {row for row, _ in blocks}, {col for _, col in blocks}
        return Freedom(
            blocks,
            {key: frozenset(self.rows[key]) for key in sorted(rows)},
            {key: frozenset(self.cols[key]) for key in sorted(cols)},
            antichain & rows,
        )


@dataclass
class _Seen:
    levels: Counter[int] = field(default_factory=Counter)
    sums: list[tuple[int, float, float]] = field(default_factory=list)

    def add(self, degrees: NDArray[np.int64]) -> None:
        levels, times = np.unique(degrees, return_counts=True)
        self.levels.update(dict(zip(levels.tolist(), times.tolist(), strict=True)))
        self.sums.append((degrees.size, float(degrees.mean()), float(degrees.var())))

    @property
    def varies(self) -> bool:
        """Whether degrees differ, and not because instances do."""
        count, mean, var = np.array(self.sums).T
        within = float(count @ var) / count.sum()
        between = float(count @ np.square(mean - (count @ mean) / count.sum())) / count.sum()
        return bool(0 < within and between <= MAX_BETWEEN * (within + between))

    def shares(self) -> Shares:
        """How often each was seen; nothing where they do not vary by themselves: they stay."""
        if not self.varies:
            return {}
        total = sum(self.levels.values())
        return {level: times / total for level, times in sorted(self.levels.items())}
