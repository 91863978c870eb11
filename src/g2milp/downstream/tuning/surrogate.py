"""Sequential search like SMAC (Hutter et al. 2011): a random forest says where to look next.

    EI(c) = E[max(0, y* − Y(c))],  Y(c) ~ N(mean, variance over the trees),  y* the least cost yet

Costs are compared as logarithms: a setting that is ten times worse is no more interesting than one
that is twice as bad.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from g2milp.downstream.tuning.space import Configuration, Value, draw, encoded, neighbours

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

TREES = 50
CANDIDATES = 300


def propose(
    space: Mapping[str, tuple[Value, ...]],
    seen: Sequence[Configuration],
    costs: Sequence[float],
    rng: np.random.Generator,
) -> Configuration | None:
    """The untried configuration with the largest expected improvement; None if all are tried.

    Candidates are random ones and the neighbours of the three best.
    """
    tried = set(seen)
    best = sorted(range(len(seen)), key=lambda i: costs[i])[:3]
    pool = [*draw(space, CANDIDATES, rng), *(n for i in best for n in neighbours(space, seen[i]))]
    fresh = [c for c in dict.fromkeys(pool) if c not in tried]
    if not fresh:
        return None
    mean, deviation = _forest(
        encoded(space, list(seen)),
        np.log(np.asarray(costs) + 1.0),
        encoded(space, fresh),
        int(rng.integers(2**31)),
    )
    gains = expected_improvement(mean, deviation, math.log(min(costs) + 1.0))
    return fresh[int(np.argmax(gains))]


def expected_improvement(
    mean: NDArray[np.float64], deviation: NDArray[np.float64], best: float
) -> NDArray[np.float64]:
    """EI below `best` of normal variables; shapes (n,), (n,) → (n,)."""
    from scipy.stats import norm

    spread = np.maximum(deviation, 1e-12)
    z = (best - mean) / spread
    gains: NDArray[np.float64] = (best - mean) * norm.cdf(z) + spread * norm.pdf(z)
    return gains


def _forest(
    x: NDArray[np.float64], y: NDArray[np.float64], at: NDArray[np.float64], seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and deviation over the trees."""
    from sklearn.ensemble import RandomForestRegressor

    forest = RandomForestRegressor(n_estimators=TREES, random_state=seed, n_jobs=1).fit(x, y)
    guesses = np.array([tree.predict(at) for tree in forest.estimators_])
    return guesses.mean(axis=0), guesses.std(axis=0)
