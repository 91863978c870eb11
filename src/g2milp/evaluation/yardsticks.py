"""What a score is worth: the score of a fresh real sample, and that of a pure copy.

* *ceiling*: a random half of the reference is scored against the other half, as if it had been
  generated (or a fresh real set is scored, where one is given). No honest generator can be
  expected to score higher.
* *copy score*: instances drawn from the reference itself, as many as were generated. A copy looks
  better than anything that is new: similarity alone proves nothing, and novelty stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.scoring import point_score, score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.features import Features
    from g2milp.evaluation.suites import Suite

SPLITS = 12


@dataclass(frozen=True)
class Yardstick:
    """A mean score over several draws with its 95 % interval."""

    value: float
    interval: tuple[float, float]
    reference_size: int
    sample_size: int
    how: str


def ceiling(
    suite: Suite,
    reference: Features,
    size: int,
    *,
    fresh: Features | None = None,
    seed: int = 0,
) -> Yardstick | None:
    """Score of real instances; None where the reference has fewer than four."""
    rng = np.random.default_rng([seed, 7])
    x = reference.columns(suite.statistics)
    if fresh is not None:
        y = fresh.columns(suite.statistics)
        taken = min(size, len(y))
        values = [
            point_score(suite, x, y[rng.permutation(len(y))[:taken]], rng) for _ in range(SPLITS)
        ]
        # Draws of most of the same instances hardly differ: the interval is that of a score.
        drawn = replace(fresh, values=fresh.values[rng.permutation(len(y))[:taken]], profiles=())
        found = score(suite, reference, drawn, seed=seed)
        value = float(np.mean(values))
        low, high = (min(max(value + end - found.value, 0.0), 1.0) for end in found.interval)
        return Yardstick(value, (low, high), len(x), taken, "the given fresh real instances")
    if len(x) < 4:
        return None
    half = len(x) // 2
    taken = min(size, half)
    values = []
    for _ in range(SPLITS):
        order = rng.permutation(len(x))
        values.append(point_score(suite, x[order[half:]], x[order[:taken]], rng))
    return _yardstick(values, len(x) - half, taken, "disjoint halves of the reference")


def copy_score(suite: Suite, reference: Features, size: int, *, seed: int = 0) -> Yardstick:
    """Score of `size` instances of the reference against the reference."""
    rng = np.random.default_rng([seed, 8])
    x = reference.columns(suite.statistics)
    values = [point_score(suite, x, x[_copies(len(x), size, rng)], rng) for _ in range(SPLITS)]
    return _yardstick(values, len(x), size, "copies of reference instances")


def _copies(count: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """As evenly as possible: every instance is copied before any is copied again."""
    rounds = -(-size // count)
    return np.concatenate([rng.permutation(count) for _ in range(rounds)])[:size]


def _yardstick(values: list[float], reference: int, sample: int, how: str) -> Yardstick:
    low, high = np.quantile(values, [0.025, 0.975])
    return Yardstick(float(np.mean(values)), (float(low), float(high)), reference, sample, how)
