"""New coefficients: drawn where they are independent noise, else kept with what they belong to.

A block (a row group with a column group, see `exchange.groups`) whose coefficients are bound by no
rule is drawn anew if rows and columns in it have no level of their own. Where coefficients follow
the columns' costs, they belong to the column; a single row of a block in which they do (the one
knapsack that the profits were made from) keeps its entries as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.groups import column_groups, row_groups
from g2milp.generation.values.distribution import Distribution
from g2milp.generation.values.evidence import MAX_SHARE, Correlation, Levels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.generation.exchange.invariants import Invariants, Rule
    from g2milp.instance.milp import Milp

MAX_KEPT = 200_000
"""Coefficients of a block that its distribution is made from."""

MIN_ENTRIES = 8
"""Entries of a row in a block that a correlation with the costs is read from."""


@dataclass(frozen=True)
class Coefficients:
    """Distributions by block (row group, column group); entries of other blocks keep theirs."""

    blocks: dict[tuple[str, str], Distribution] = field(default_factory=dict)

    @classmethod
    def learn(
        cls, milps: Iterable[Milp], invariants: Invariants
    ) -> tuple[Coefficients, Invariants]:
        """The distributions, and the invariants with blocks that follow the costs by column."""
        seen: dict[tuple[str, str], _Seen] = {}
        for milp in milps:
            for key, entries in blocks_of(milp):
                if invariants.blocks.get(key) == "free":
                    seen.setdefault(key, _Seen()).add(milp, entries)
        costly: dict[tuple[str, str], Rule] = {
            key: "by column" for key, found in seen.items() if found.follows_costs
        }
        drawn = {
            key: Distribution.learn(np.concatenate(found.values))
            for key, found in seen.items()
            if key not in costly and found.is_noise
        }
        return cls(drawn), replace(invariants, blocks={**invariants.blocks, **costly})

    def redrawn(
        self,
        milp: Milp,
        entries: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        """The values of `entries` (places in the instance), new ones where they may be."""
        values = milp.values[entries].copy()
        uniforms = rng.random(entries.size)
        rows, cols = row_groups(milp), column_groups(milp)
        block = rows.of[milp.entry_rows[entries]].astype(np.int64) * len(cols.keys)
        block += cols.of[milp.indices[entries]]
        for code in np.unique(block).tolist():
            law = self.blocks.get(
                (rows.keys[code // len(cols.keys)], cols.keys[code % len(cols.keys)])
            )
            if law is not None:
                mine = block == code
                values[mine] = law.draw(uniforms[mine])
        return values

    def as_json(self) -> list[list[Any]]:
        """JSON values; `from_json` is the inverse."""
        return [[row, col, law.as_json()] for (row, col), law in self.blocks.items()]

    @classmethod
    def from_json(cls, content: object, where: str) -> Coefficients:
        """Read back; refuses everything else."""
        if not isinstance(content, list) or any(
            not isinstance(item, list) or len(item) != 3 for item in content
        ):
            raise DamagedArtifact(where, "the distributions of coefficients are missing")
        return cls(
            {(str(row), str(col)): Distribution.from_json(law, where) for row, col, law in content}
        )


def blocks_of(milp: Milp) -> list[tuple[tuple[str, str], NDArray[np.int64]]]:
    """The keys of the blocks of an instance, and their entries."""
    rows, cols = row_groups(milp), column_groups(milp)
    block = rows.of[milp.entry_rows].astype(np.int64) * len(cols.keys) + cols.of[milp.indices]
    order = np.argsort(block, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(block[order])) + 1)
    found = []
    for entries in parts:
        if entries.size:
            row, col = divmod(int(block[entries[0]]), len(cols.keys))
            found.append(((rows.keys[row], cols.keys[col]), entries))
    return found


def tied(milp: Milp, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of `rows` have coefficients that follow the costs, (k,).

    |ρ| of |a_rj| and |c_j| over the row's entries in a block, beyond four standard errors and 0.5.
    """
    cols = column_groups(milp)
    found = np.zeros(rows.size, bool)
    for k in np.flatnonzero(milp.row_degrees[rows] >= MIN_ENTRIES).tolist():
        span = slice(int(milp.indptr[rows[k]]), int(milp.indptr[rows[k] + 1]))
        group = cols.of[milp.indices[span]]
        sizes = np.abs(milp.values[span])
        if sizes.min() == sizes.max():
            continue
        costs = np.abs(milp.objective[milp.indices[span]])
        for g in np.flatnonzero(np.bincount(group) >= MIN_ENTRIES).tolist():
            cost = Correlation()
            cost.add(sizes[group == g], costs[group == g])
            found[k] |= abs(cost.value) > max(0.5, 4.0 / np.sqrt(cost.n))
    return found


@dataclass
class _Seen:
    values: list[NDArray[np.float64]] = field(default_factory=list)
    kept: int = 0
    rows: Levels = field(default_factory=Levels)
    cols: Levels = field(default_factory=Levels)
    cost: Correlation = field(default_factory=Correlation)
    instances: list[float] = field(default_factory=list)

    def add(self, milp: Milp, entries: NDArray[np.int64]) -> None:
        values = milp.values[entries]
        if self.kept < MAX_KEPT:
            self.values.append(values)
            self.kept += values.size
        self.rows.add(milp.entry_rows[entries].astype(np.int64), values)
        self.cols.add(milp.indices[entries].astype(np.int64), values)
        self.cost.add(np.abs(values), np.abs(milp.objective[milp.indices[entries]]))
        self.instances.append(float(values.mean()))

    @property
    def follows_costs(self) -> bool:
        return abs(self.cost.value) > 0.5 and self.cost.is_there

    @property
    def is_noise(self) -> bool:
        """Enough rows with several entries to tell, and no level of their own."""
        values = np.concatenate(self.values)
        apart = float(np.std(self.instances)) > 0.25 * float(values.std())
        known = self.rows.n > 0 and self.rows.share <= MAX_SHARE and self.cols.share <= MAX_SHARE
        return known and not apart and not self.cost.is_there
