"""New coefficients: drawn where they are independent noise, else kept with what they belong to.

A block (a row group with a column group, see `exchange.groups`) whose coefficients are bound by no
rule is drawn anew if rows and columns in it have no level of their own, or none but their row's
side: then it is a_ij / |b_i| that is drawn. Column groups go by the size of the median coefficient;
where that is noise as well, as for numbers around a power of ten, they share one distribution:
drawn from the two halves by themselves, columns would drift apart. Where coefficients follow
the columns' costs, they belong to the column; a single row of a block in which they do (the one
knapsack that the profits were made from) keeps its entries as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.groups import column_groups, row_groups
from g2milp.generation.values.block import Block, Seen, sizes_of_sides
from g2milp.generation.values.evidence import Correlation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.generation.exchange.invariants import Invariants, Rule
    from g2milp.instance.milp import Milp

MIN_ENTRIES = 8
"""Entries of a row in a block that a correlation with the costs is read from."""


@dataclass(frozen=True)
class Coefficients:
    """Distributions by block (row group, column group); entries of other blocks keep theirs."""

    blocks: dict[tuple[str, str], Block] = field(default_factory=dict)

    @classmethod
    def learn(
        cls, milps: Iterable[Milp], invariants: Invariants
    ) -> tuple[Coefficients, Invariants]:
        """The distributions, and the invariants with blocks that follow the costs by column."""
        seen: dict[tuple[str, str], Seen] = {}
        pooled: dict[tuple[str, str], Seen] = {}
        for milp in milps:
            of_size: dict[tuple[str, str], list[NDArray[np.int64]]] = {}
            for (row, col), entries in blocks_of(milp):
                if invariants.blocks.get((row, col)) == "free":
                    seen.setdefault((row, col), Seen()).add(milp, entries)
                    of_size.setdefault((row, _sizeless(col)), []).append(entries)
            for key, parts in of_size.items():
                pooled.setdefault(key, Seen()).add(milp, np.concatenate(parts))
        costly: dict[tuple[str, str], Rule] = {
            key: "by column" for key, found in seen.items() if found.follows_costs
        }
        bound = {
            (row, _sizeless(col))
            for (row, col), rule in invariants.blocks.items()
            if rule != "free" or (row, col) in costly
        }
        drawn: dict[tuple[str, str], Block] = {}
        for row, col in seen.keys() - costly.keys():
            both = (row, _sizeless(col))
            law = None if both in bound else pooled[both].law()
            law = law or seen[row, col].law()
            if law is not None:
                drawn[row, col] = law
        drawn = dict(sorted(drawn.items()))
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
                values[mine] = law.draw(uniforms[mine], sizes_of_sides(milp, entries[mine]))
        return values

    def as_json(self) -> list[list[Any]]:
        """JSON values; `from_json` is the inverse."""
        return [[row, col, *law.as_json()] for (row, col), law in self.blocks.items()]

    @classmethod
    def from_json(cls, content: object, where: str) -> Coefficients:
        """Read back; refuses everything else."""
        if not isinstance(content, list) or any(
            not isinstance(item, list) or len(item) not in (3, 4) for item in content
        ):
            raise DamagedArtifact(where, "the distributions of coefficients are missing")
        return cls({(str(r), str(c)): Block.from_json(law, where) for r, c, *law in content})


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


def _sizeless(col: str) -> str:
    """The key of a column group without the power of ten."""
    return col.rpartition("e")[0]
