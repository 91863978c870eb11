"""The coefficients of one block: what training shows of them, and how they are drawn.

a_ij = Q(u)            where they hang together with nothing
a_ij = Q(u) · |b_i|    where nothing but their row's side gives them their size
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.values.distribution import Distribution
from g2milp.generation.values.evidence import MAX_SHARE, Correlation, Levels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

MAX_KEPT = 200_000
"""Coefficients of a block that its distribution is made from."""


@dataclass(frozen=True)
class Block:
    """A distribution of coefficients, or of their ratios to sides with the lattice they are on."""

    law: Distribution
    by_side: bool = False
    step: float = 0.0

    def draw(
        self, uniforms: NDArray[np.float64], sides: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Coefficients of rows whose sides have the sizes `sides`; shapes (k,), (k,) → (k,)."""
        drawn = self.law.draw(uniforms)
        if not self.by_side:
            return drawn
        values: NDArray[np.float64] = drawn * sides
        if self.step:
            # None becomes zero: it would no longer be an entry.
            steps = np.maximum(np.rint(np.abs(values) / self.step), 1.0)
            values = np.copysign(steps * self.step, drawn)
        return values

    def as_json(self) -> list[Any]:
        """JSON values; `from_json` is the inverse."""
        return [self.law.as_json(), *([self.step] if self.by_side else [])]

    @classmethod
    def from_json(cls, content: list[Any], where: str) -> Block:
        """Read back; refuses everything else."""
        law = Distribution.from_json(content[0], where)
        if len(content) == 1:
            return cls(law)
        step = content[1]
        if not isinstance(step, float) or not 0 <= step < np.inf or 0.0 in law.points:
            raise DamagedArtifact(where, "this is no distribution of coefficients by side")
        return cls(law, by_side=True, step=step)


def sizes_of_sides(milp: Milp, entries: NDArray[np.int64]) -> NDArray[np.float64]:
    """|b| of the row of each entry, 0 where there is not one side."""
    rows = milp.entry_rows[entries]
    lower, upper = milp.row_lower[rows], milp.row_upper[rows]
    side: NDArray[np.float64] = np.abs(np.where(np.isfinite(upper), upper, lower))
    one = (np.isfinite(lower) != np.isfinite(upper)) | (lower == upper)
    sizes: NDArray[np.float64] = np.where(one, side, 0.0)
    return sizes


@dataclass
class _Noise:
    """Numbers of a block and what they hang together with."""

    values: list[NDArray[np.float64]] = field(default_factory=list)
    kept: int = 0
    rows: Levels = field(default_factory=Levels)
    cols: Levels = field(default_factory=Levels)
    cost: Correlation = field(default_factory=Correlation)
    side: Correlation = field(default_factory=Correlation)
    instances: list[float] = field(default_factory=list)

    def add(
        self,
        milp: Milp,
        entries: NDArray[np.int64],
        values: NDArray[np.float64],
        sides: NDArray[np.float64],
    ) -> None:
        if self.kept < MAX_KEPT:
            self.values.append(values)
            self.kept += values.size
        self.rows.add(milp.entry_rows[entries].astype(np.int64), values)
        self.cols.add(milp.indices[entries].astype(np.int64), values)
        self.cost.add(np.abs(values), np.abs(milp.objective[milp.indices[entries]]))
        of_row, first, of = np.unique(
            milp.entry_rows[entries], return_index=True, return_inverse=True
        )
        of = of.reshape(-1)
        means = np.bincount(of, weights=np.abs(values)) / np.bincount(of)
        if of_row.size > 1:
            self.side.add(means, sides[first])
        self.instances.append(float(values.mean()))

    @property
    def is_noise(self) -> bool:
        """Enough rows with several entries to tell, and no level of their own."""
        values = np.concatenate(self.values)
        apart = float(np.std(self.instances)) > 0.25 * float(values.std())
        known = self.rows.n > 0 and self.rows.share <= MAX_SHARE and self.cols.share <= MAX_SHARE
        return known and not apart and not self.cost.is_there


@dataclass
class Seen:
    """Coefficients of a block, as they are and by the sides of their rows."""

    plain: _Noise = field(default_factory=_Noise)
    ratios: _Noise = field(default_factory=_Noise)
    has_sides: bool = True

    def add(self, milp: Milp, entries: NDArray[np.int64]) -> None:
        """What one instance shows."""
        values, sides = milp.values[entries], sizes_of_sides(milp, entries)
        self.plain.add(milp, entries, values, sides)
        self.has_sides &= bool((sides > 0).all())
        if self.has_sides:
            self.ratios.add(milp, entries, values / sides, sides)

    @property
    def follows_costs(self) -> bool:
        """Whether coefficients belong to the columns, as their costs do."""
        return abs(self.plain.cost.value) > 0.5 and self.plain.cost.is_there

    def law(self) -> Block | None:
        """How to draw new ones; None where they belong to something."""
        if self._by_side:
            law = Distribution.learn(np.concatenate(self.ratios.values))
            if 0.0 not in law.points:  # else of both signs, and none would lie between them
                return Block(law, by_side=True, step=_step(np.concatenate(self.plain.values)))
        if self.plain.is_noise:
            return Block(Distribution.learn(np.concatenate(self.plain.values)))
        return None

    @property
    def _by_side(self) -> bool:
        """Whether the sides give coefficients their size: they do, and then are done with.

        Where sides are made of their row's sum, ratios hang together with them still, or have
        nearly the same mean in each row.
        """
        ratios = self.ratios
        return (
            self.has_sides
            and self.plain.side.is_there
            and ratios.is_noise
            and not ratios.side.is_there
            and not ratios.rows.are_even
        )


def _step(values: NDArray[np.float64]) -> float:
    """The greatest whole number that divides all values, 0 where they are not whole."""
    if not (values == np.rint(values)).all() or np.abs(values).max() > 2**53:
        return 0.0
    return float(np.gcd.reduce(np.abs(values).astype(np.int64)))
