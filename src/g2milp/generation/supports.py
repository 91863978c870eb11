"""Which columns a redrawn row gets, from the logits of the network.

    top-k                  the k largest logits                              (the paper)
    Gumbel top-k           logits + Gumbel noise: k columns drawn without replacement

With a budget, columns that lost entries to the mask are wanted as often as they lost them: a column
whose slots are used up falls back to its logit minus log(1 + slots / ε). Arg-max on independent
logits piles new rows onto the same few columns; sampling under a budget keeps the degrees.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

EPSILON = 0.02
RETRIES = 4
"""How often a support that another row has already is drawn again."""


@dataclass(eq=False)
class Budget:
    """Entries that the mask took from each column and that have not been given back, (n,)."""

    slots: NDArray[np.float64]
    _lost: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self._lost = self.slots.copy()

    @classmethod
    def of(cls, milp: Milp, rows: NDArray[np.int64]) -> Budget:
        """What masking `rows` takes."""
        masked = np.zeros(milp.n_rows, bool)
        masked[rows] = True
        taken = milp.indices[masked[milp.entry_rows]]
        return cls(np.bincount(taken, minlength=milp.n_cols).astype(np.float64))

    def log_odds(self) -> NDArray[np.float64]:
        """What the budget adds to the logits: 0 at first, falling as slots are used up."""
        return np.log((np.maximum(self.slots, 0.0) + EPSILON) / (self._lost + EPSILON))

    def use(self, cols: NDArray[np.int64]) -> None:
        """Give one slot of each column back."""
        self.slots[cols] -= 1.0


def best(scores: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The `count` columns of the largest scores, ascending; ties go to the smaller index."""
    order = np.argsort(-scores, kind="stable")[:count]
    chosen: NDArray[np.int64] = np.sort(order[np.isfinite(scores[order])])
    return chosen


def drawn(scores: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """`count` columns without replacement, in proportion to exp(score): Gumbel top-k."""
    return best(scores + rng.gumbel(size=scores.size), count)


@dataclass(eq=False)
class Supports:
    """The supports that rows of an instance have; to keep new rows from repeating one."""

    taken: set[bytes]
    repeats: bool
    """Whether rows of this instance shared a support before: then a repeat is no fault."""

    @classmethod
    def of(cls, milp: Milp, without: NDArray[np.int64]) -> Supports:
        """Of all rows but those in `without`."""
        start, indices = milp.indptr.tolist(), milp.indices
        masked = set(without.tolist())
        found = [indices[start[i] : start[i + 1]].tobytes() for i in range(milp.n_rows)]
        return cls(
            {support for i, support in enumerate(found) if i not in masked},
            repeats=len(set(found)) < len(found),
        )

    def is_new(self, cols: NDArray[np.int64]) -> bool:
        """Whether a row may have these columns."""
        return self.repeats or cols.astype(np.int32).tobytes() not in self.taken

    def add(self, cols: NDArray[np.int64]) -> None:
        """A row has these columns now."""
        self.taken.add(cols.astype(np.int32).tobytes())
