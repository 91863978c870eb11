"""Whether numbers may be drawn anew, or hang together with what is seen beside them.

    share = (Var between groups − Var within / n) / Var       a level of the row's or column's own
    ρ     = correlation within instances                      of side and row, of cost and weight

Numbers that depend on something are not drawn by themselves: they stay, or go where they belong.
So do numbers whose squares are no float64: of those nothing can be told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_SHARE = 0.02
"""Of the variance that may lie between rows (or columns) of numbers that are drawn anew."""

MIN_CORRELATION = 0.1
"""Weaker than this, or within three standard errors of nothing, counts as none."""


@dataclass
class Correlation:
    """Correlation of two numbers, each centred within its instance."""

    n: int = 0
    xx: float = 0.0
    yy: float = 0.0
    xy: float = 0.0

    def add(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """What one instance shows."""
        if x.size < 2:
            return
        dx, dy = x - x.mean(), y - y.mean()
        self.n += x.size - 1
        self.xx += float(dx @ dx)
        self.yy += float(dy @ dy)
        self.xy += float(dx @ dy)

    @property
    def value(self) -> float:
        """ρ; 0 where one of the two is constant, 1 where numbers are too large to tell."""
        size = np.sqrt(self.xx) * np.sqrt(self.yy)
        if not np.isfinite([size, self.xy]).all():
            return 1.0
        return self.xy / size if size > 0 else 0.0

    @property
    def is_there(self) -> bool:
        """Whether it is more than chance."""
        return bool(abs(self.value) > max(MIN_CORRELATION, 3.0 / np.sqrt(max(self.n, 1))))


@dataclass
class Levels:
    """How much of a variance lies between groups, over all instances."""

    total: float = 0.0
    between: float = 0.0
    by_chance: float = 0.0
    n: int = field(default=0)

    def add(self, group: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """What one instance shows: `values` (k,) of the groups `group` (k,)."""
        _, group = np.unique(group, return_inverse=True)
        counts = np.bincount(group)
        if counts.size < 2 or values.size <= counts.size:
            return
        means = np.bincount(group, weights=values) / counts
        within = float(((values - means[group]) ** 2).sum()) / (values.size - counts.size)
        spread = float((counts * (means - values.mean()) ** 2).sum())
        self.total += float(((values - values.mean()) ** 2).sum())
        self.between += spread - within * (counts.size - 1)
        self.by_chance += within * (counts.size - 1)
        self.n += values.size

    @property
    def share(self) -> float:
        """Between 0 and 1; 1 where numbers are too large to tell."""
        if not np.isfinite([self.between, self.total]).all():
            return 1.0
        return max(self.between, 0.0) / self.total if self.total > 0 else 0.0

    @property
    def are_even(self) -> bool:
        """Whether the groups' means differ less than chance lets them: something binds the sums."""
        return self.between < -0.5 * self.by_chance
