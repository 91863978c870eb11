"""Which columns a redrawn row gets, from the logits of the network.

    top-k                  the k largest logits                              (the paper)
    Gumbel top-k           logits + Gumbel noise: k columns drawn without replacement

With a budget, columns that lost entries to the mask are wanted as often as they lost them: a column
whose slots are used up falls back to its logit minus log(1 + slots / ε). Arg-max on independent
logits piles new rows onto the same few columns; sampling under a budget keeps the degrees.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
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
    """The supports of an instance's rows while these are redrawn; none is to come up again."""

    count: Counter[bytes]
    repeats: bool
    """Whether rows of the template share a support: then a repeat is no fault."""

    @classmethod
    def of(cls, milp: Milp) -> Supports:
        """Of all rows of a template."""
        data, start = milp.indices.tobytes(), (4 * milp.indptr).tolist()
        count = Counter(data[a:b] for a, b in pairwise(start))
        return cls(count, repeats=len(count) < milp.n_rows)

    def is_new(self, cols: NDArray[np.int64]) -> bool:
        """Whether a row may have these columns."""
        return self.repeats or not self.count[_key(cols)]

    def add(self, cols: NDArray[np.int64]) -> None:
        """A row has these columns now."""
        self.count[_key(cols)] += 1

    def discard(self, cols: NDArray[np.int32]) -> None:
        """A row that had these columns is going to be redrawn."""
        self.count[_key(cols)] -= 1


def _key(cols: NDArray[np.int64] | NDArray[np.int32]) -> bytes:
    return cols.astype(np.int32).tobytes()
