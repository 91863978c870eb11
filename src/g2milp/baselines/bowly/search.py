"""Bowly's search: walk through planted programs towards a wanted statistic or hardness.

Every neighbour of a planted program is one too, so feasibility and boundedness hold all the way.
The moves and their numbers are Bowly's: exchange two members of the basis, scale planted values by
a log-normal factor, add, drop or scale entries of the matrix. A step keeps the best of a few
neighbours if it is no worse than where it stands (hill climbing).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.baselines.bowly.encoding import ALPHA_GRID, Encoded, coefficient_grid, on_grid
from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

MOVES_A_STEP = {"basis": 5, "values": 5, "entries": 10}


@dataclass(frozen=True, eq=False)
class Found:
    """Where a search ended, with the value of each accepted step, the start's first."""

    encoded: Encoded
    milp: Milp
    values: tuple[float, ...]


def search(
    start: Encoded,
    value: Callable[[Milp], float],
    *,
    target: float,
    steps: int,
    rng: np.random.Generator,
    neighbours: int = 4,
) -> Found:
    """Bring ``value(milp)`` as near to `target` as `steps` steps allow.

    Parameters
    ----------
    value
        Any number of an instance: a statistic, or nodes of a solver (+inf target: as large as can
        be).
    neighbours
        Neighbours that are tried in each step.
    """
    if steps < 0 or neighbours < 1:
        raise UsageError("a search needs steps ≥ 0 and neighbours ≥ 1")

    def distance(found: float) -> float:
        return -found if np.isinf(target) and target > 0 else abs(found - target)

    here, milp = start, start.decode()
    values = [value(milp)]
    for _ in range(steps):
        if values[-1] == target:
            break
        tried = [neighbour(here, rng) for _ in range(neighbours)]
        decoded = [candidate.decode() for candidate in tried]
        found = [value(candidate) for candidate in decoded]
        best = min(range(neighbours), key=lambda k: distance(found[k]))
        if distance(found[best]) <= distance(values[-1]):
            here, milp = tried[best], decoded[best]
            values.append(found[best])
    return Found(here, milp, tuple(values))


def neighbour(encoded: Encoded, rng: np.random.Generator) -> Encoded:
    """One random move, of a kind drawn in proportion to Bowly's numbers."""
    weights = np.array(list(MOVES_A_STEP.values()), dtype=float)
    kind = rng.choice(len(weights), p=weights / weights.sum())
    return (exchange_basis, scale_values, change_entries)[kind](encoded, rng)


def exchange_basis(encoded: Encoded, rng: np.random.Generator) -> Encoded:
    """A basic and a non-basic member change roles.

    Bounded columns at their bound stay where they are.
    """
    movable = np.ones(encoded.basic.size, dtype=bool)
    movable[: encoded.n_cols] = encoded.bound_dual == 0
    movable[: encoded.n_cols] &= encoded.alpha[: encoded.n_cols] <= encoded.upper
    inside = np.flatnonzero(encoded.basic & movable)
    outside = np.flatnonzero(~encoded.basic & movable)
    if not inside.size or not outside.size:
        return encoded
    basic = encoded.basic.copy()
    basic[rng.choice(inside)] = False
    basic[rng.choice(outside)] = True
    return _regridded(replace(encoded, basic=basic))


def scale_values(encoded: Encoded, rng: np.random.Generator) -> Encoded:
    """Planted values of a tenth of the members are scaled by LogNormal(0, 1)."""
    count = max(1, encoded.alpha.size // 10)
    chosen = rng.choice(encoded.alpha.size, size=count, replace=False)
    grid = 1.0 if np.isfinite(encoded.upper).any() else ALPHA_GRID
    alpha = encoded.alpha.copy()
    scaled = on_grid(alpha[chosen] * rng.lognormal(size=count), grid)
    alpha[chosen] = np.clip(scaled, grid, 2.0**16)
    columns = alpha[: encoded.n_cols]
    bounded = np.isfinite(encoded.upper) & encoded.basic[: encoded.n_cols]
    columns[bounded] = np.minimum(columns[bounded], encoded.upper[bounded])
    still = encoded.bound_dual > 0
    columns[still] = encoded.upper[still]
    return _regridded(replace(encoded, alpha=alpha))


def change_entries(encoded: Encoded, rng: np.random.Generator) -> Encoded:
    """Some entries are dropped, as many are put elsewhere, some are scaled by a normal variate."""
    size = encoded.values.size
    count = max(1, size // 200)
    values = encoded.values.copy()
    whole = bool(np.all(values == np.round(values)))
    keys = encoded.rows * encoded.n_cols + encoded.cols
    scaled = rng.choice(size, size=count, replace=False)
    values[scaled] = values[scaled] * (1.0 + rng.normal(size=count))
    values = np.round(values) if whole else values
    values[values == 0] = 1.0 if whole else 2.0**-20
    drop = rng.choice(size, size=count, replace=False)
    free = np.setdiff1d(rng.integers(encoded.n_rows * encoded.n_cols, size=4 * count), keys)
    new = rng.permutation(free)[:count]
    kept = np.ones(size, dtype=bool)
    kept[drop[: new.size]] = False
    keys = np.concatenate([keys[kept], new])
    values = np.concatenate([values[kept], rng.choice(values, size=new.size)])
    order = np.argsort(keys)
    return _regridded(
        replace(
            encoded,
            rows=keys[order] // encoded.n_cols,
            cols=keys[order] % encoded.n_cols,
            values=values[order],
        )
    )


def _regridded(encoded: Encoded) -> Encoded:
    """Coefficients on the grid on which the planted point stays exact.

    Integers are on every grid.
    """
    values: NDArray[np.float64] = encoded.values
    grid = coefficient_grid(
        encoded.rows, encoded.cols, values, encoded.alpha, encoded.n_rows, encoded.n_cols
    )
    rounded = on_grid(values, grid)
    rounded[rounded == 0] = grid
    return replace(encoded, values=rounded)
