"""New right-hand sides: drawn where sides are numbers of their own, kept where they are not.

Sides of a group of like inequalities are drawn anew if they differ within instances and hang
together neither with the row's coefficients nor with its number of entries, nor, where a row has
one entry, with its column's cost. Sides of equalities stay: they are what balances are made of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.groups import column_groups, row_groups
from g2milp.generation.values.distribution import Distribution
from g2milp.generation.values.evidence import Correlation

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

MIN_ROWS = 20
"""Fewer sides in all training instances are no distribution."""


@dataclass(frozen=True)
class Sides:
    """Distributions of sides by group of rows; rows of other groups keep theirs."""

    groups: dict[str, Distribution] = field(default_factory=dict)

    @classmethod
    def learn(cls, milps: Iterable[Milp]) -> Sides:
        """One pass over the training instances."""
        seen: dict[str, _Seen] = {}
        for milp in milps:
            of, keys = side_groups(milp)
            for g, key in enumerate(keys):
                seen.setdefault(key, _Seen()).add(milp, np.flatnonzero(of == g))
        return cls(
            {
                key: Distribution.learn(np.concatenate(found.sides))
                for key, found in seen.items()
                if found.is_free
            }
        )

    def without(self, rows: Set[str]) -> Sides:
        """Without those row groups."""
        kept = {k: law for k, law in self.groups.items() if k.partition(" | ")[0] not in rows}
        return Sides(kept)

    def redrawn(
        self, milp: Milp, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper sides of `rows`, new ones where they may be."""
        lower, upper = milp.row_lower[rows].copy(), milp.row_upper[rows].copy()
        of, keys = side_groups(milp)
        uniforms = rng.random(rows.size)
        for g, key in enumerate(keys):
            law = self.groups.get(key)
            if law is None:
                continue
            mine = (of[rows] == g) & _one_sided(lower, upper)
            drawn = law.draw(uniforms[mine])
            lower[mine] = np.where(np.isfinite(lower[mine]), drawn, lower[mine])
            upper[mine] = np.where(np.isfinite(upper[mine]), drawn, upper[mine])
        return lower, upper

    def as_json(self) -> dict[str, Any]:
        """JSON values; `from_json` is the inverse."""
        return {key: law.as_json() for key, law in self.groups.items()}

    @classmethod
    def from_json(cls, content: object, where: str) -> Sides:
        """Read back; refuses everything else."""
        if not isinstance(content, dict):
            raise DamagedArtifact(where, "the distributions of sides are missing")
        return cls({str(k): Distribution.from_json(v, where) for k, v in content.items()})


def side_groups(milp: Milp) -> tuple[NDArray[np.int64], list[str]]:
    """Group of each row and the groups' keys; rows of one entry are told apart by its column."""
    rows, cols = row_groups(milp), column_groups(milp)
    single = milp.row_degrees == 1
    first = np.full(milp.n_rows, -1, np.int64)
    first[single] = cols.of[milp.indices[milp.indptr[:-1][single]]]
    pair = rows.of.astype(np.int64) * (len(cols.keys) + 1) + first + 1
    unique, of = np.unique(pair, return_inverse=True)
    words = []
    for code in unique.tolist():
        row, col = divmod(code, len(cols.keys) + 1)
        words.append(rows.keys[row] + (f" | {cols.keys[col - 1]}" if col else ""))
    return of.reshape(-1).astype(np.int64), words


@dataclass
class _Seen:
    sides: list[NDArray[np.float64]] = field(default_factory=list)
    rows: int = 0
    varies: bool = False
    coefficients: Correlation = field(default_factory=Correlation)
    degree: Correlation = field(default_factory=Correlation)
    cost: Correlation = field(default_factory=Correlation)
    sums: list[float] = field(default_factory=list)

    def add(self, milp: Milp, rows: NDArray[np.int64]) -> None:
        rows = rows[_one_sided(milp.row_lower[rows], milp.row_upper[rows])]
        rows = rows[milp.row_degrees[rows] > 0]
        if not rows.size:
            return
        upper = milp.row_upper[rows]
        side: NDArray[np.float64] = np.where(np.isfinite(upper), upper, milp.row_lower[rows])
        size: NDArray[np.float64] = _row_sums(milp)[rows]
        self.sides.append(side)
        self.rows += rows.size
        self.varies |= bool((side != side[0]).any())
        self.coefficients.add(side, size)
        self.degree.add(side, milp.row_degrees[rows].astype(np.float64))
        self.cost.add(side, np.abs(milp.objective[milp.indices[milp.indptr[rows]]]))
        self.sums.append(float(side.sum()))

    @property
    def is_free(self) -> bool:
        tied = (self.coefficients, self.degree, self.cost)
        balanced = len(self.sums) > 1 and np.ptp(self.sums) <= 1e-9 * max(np.abs(self.sums))
        return (
            self.rows >= MIN_ROWS
            and self.varies
            and not balanced
            and not any(correlation.is_there for correlation in tied)
        )


def _row_sums(milp: Milp) -> NDArray[np.float64]:
    sums = np.bincount(milp.entry_rows, weights=np.abs(milp.values), minlength=milp.n_rows)
    return sums.astype(np.float64)


def _one_sided(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> NDArray[np.bool_]:
    one: NDArray[np.bool_] = np.isfinite(lower) != np.isfinite(upper)
    return one
