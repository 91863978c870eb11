"""Graded distances of two clouds of points, in units of the real–real distance.

    energy    E = 2·E|x − y| − E|x − x'| − E|y − y'|
    MMD²      M = E k(x, x') + E k(y, y') − 2·E k(x, y),   k Gaussian, width = median real distance

AUC saturates at 1; these keep telling better from worse. Each is taken between equally large random
parts, real against generated, and divided by the same between two disjoint parts of the real set: 1
means as close as real to real. The p-value is that of the permutation test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.divergence.weighted import robust_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LIMIT = 500
SPLITS = 30
PERMUTATIONS = 199


@dataclass(frozen=True)
class GradedDistance:
    """One distance: as it is, and in units of real–real."""

    name: str
    on: str
    value: float
    real_real: float
    ratio: float
    interval: tuple[float, float]
    p_value: float


def graded_distances(
    reference: Floats, generated: Floats, *, on: str, seed: int = 0
) -> tuple[GradedDistance, ...]:
    """Energy distance and MMD; nothing with fewer than four instances on a side."""
    if min(len(reference), len(generated)) < 4:
        return ()
    rng = np.random.default_rng([seed, 10])
    x = _at_most(reference, LIMIT, rng)
    y = _at_most(generated, LIMIT, rng)
    scaled = [robust_units(x[:, j], y[:, j]) for j in range(x.shape[1])]
    points = np.concatenate(
        [np.stack([a for a, _ in scaled], axis=1), np.stack([b for _, b in scaled], axis=1)]
    ) / np.sqrt(max(1, x.shape[1]))
    apart = _distances(points)
    real = apart[: len(x), : len(x)]
    width = float(np.median(real[np.triu_indices(len(x), 1)])) or 1.0
    kernel = -np.exp(-((apart / width) ** 2) / 2)
    return (
        _graded("energy distance", on, apart, len(x), rng),
        _graded("MMD²", on, kernel, len(x), rng),
    )


def _graded(
    name: str, on: str, matrix: Floats, count: int, rng: np.random.Generator
) -> GradedDistance:
    real, made = np.arange(count), np.arange(count, len(matrix))
    part = min(count // 2, made.size)
    between, within = np.empty(SPLITS), np.empty(SPLITS)
    for i in range(SPLITS):
        order = rng.permutation(real)
        other = rng.permutation(made)[:part]
        between[i] = contrast(matrix, order[:part], other)
        within[i] = contrast(matrix, order[:part], order[part : 2 * part])
    unit = max(float(within.mean()), 1e-12)
    ratios = between / unit
    low, high = np.quantile(ratios, [0.025, 0.975])
    value = contrast(matrix, real, made)
    return GradedDistance(
        name,
        on,
        value,
        float(within.mean()),
        float(ratios.mean()),
        (float(low), float(high)),
        _p_value(matrix, count, value, rng),
    )


def contrast(matrix: Floats, x: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    """2·mean over pairs between − mean within x − mean within y (pairs of one point included)."""
    between = matrix[np.ix_(x, y)].mean()
    return float(2 * between - matrix[np.ix_(x, x)].mean() - matrix[np.ix_(y, y)].mean())


def _p_value(matrix: Floats, count: int, value: float, rng: np.random.Generator) -> float:
    total = len(matrix)
    above = 0
    for _ in range(PERMUTATIONS):
        side = np.full(total, -1.0 / (total - count))
        side[rng.permutation(total)[:count]] = 1.0 / count
        above += bool(-side @ matrix @ side >= value - 1e-12)
    return (1 + above) / (1 + PERMUTATIONS)


def _distances(points: Floats) -> Floats:
    from scipy.spatial.distance import cdist

    found: Floats = cdist(points, points)
    return found


def _at_most(points: Floats, limit: int, rng: np.random.Generator) -> Floats:
    if len(points) <= limit:
        return points
    return points[np.sort(rng.permutation(len(points))[:limit])]
