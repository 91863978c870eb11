"""The score of a suite: similarity of each statistic, their weighted mean, 95 % intervals.

Intervals come from the bootstrap. Instances that were made from the same template stand or fall
together, so groups are drawn, not instances. A bootstrap replicate is a little further away than
the sample it is drawn from; its spread is therefore centred on the score itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.divergence.published import draw, published_similarity
from g2milp.evaluation.divergence.weighted import distances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.evaluation.features import Features
    from g2milp.evaluation.suites import Suite

    Floats = NDArray[np.float64]

REPLICATES = 200


@dataclass(frozen=True)
class StatisticScore:
    """How similar one statistic is. Distances are None where the suite has none."""

    name: str
    similarity: float
    interval: tuple[float, float]
    weight: float
    jensen_shannon: float | None
    kolmogorov_smirnov: float | None
    wasserstein: float | None
    reference_mean: float
    generated_mean: float
    varies: bool


@dataclass(frozen=True)
class Score:
    """The score of a suite with its parts."""

    value: float
    interval: tuple[float, float]
    statistics: tuple[StatisticScore, ...]


def score(
    suite: Suite,
    reference: Features,
    generated: Features,
    *,
    seed: int = 0,
    groups: Sequence[str] | None = None,
    replicates: int = REPLICATES,
) -> Score:
    """Compare two sets; `groups` names the template of each generated instance."""
    rng = np.random.default_rng([seed, 6])
    x, y = reference.columns(suite.statistics), generated.columns(suite.statistics)
    own = np.arange(len(reference))
    other = np.arange(len(generated)) if groups is None else _numbered(groups)
    drawn = group_counts(own, replicates, rng), group_counts(other, replicates, rng)
    parts = suite.weights()
    weights = np.array([parts[name] for name in suite.statistics])
    details: Sequence[tuple[float, float | None, float | None]]
    if suite.comparison == "robust":
        similarity, details = _robust(x, y, *drawn)
    else:
        similarity, details = _published(x, y, *drawn, rng)
    point = similarity[0]
    total = similarity @ weights
    scores = tuple(
        StatisticScore(
            name,
            float(point[i]),
            interval(float(point[i]), similarity[1:, i]),
            float(weights[i]),
            details[i][0],
            details[i][1],
            details[i][2],
            reference_mean=float(x[:, i].mean()),
            generated_mean=float(y[:, i].mean()),
            varies=bool(np.ptp(x[:, i]) > 0),
        )
        for i, name in enumerate(suite.statistics)
    )
    return Score(float(total[0]), interval(float(total[0]), total[1:]), scores)


def point_score(suite: Suite, x: Floats, y: Floats, rng: np.random.Generator) -> float:
    """The score alone, without intervals; columns are the suite's statistics."""
    none = np.zeros((0, len(x))), np.zeros((0, len(y)))
    parts = suite.weights()
    weights = np.array([parts[name] for name in suite.statistics])
    if suite.comparison == "robust":
        return float(_robust(x, y, *none)[0][0] @ weights)
    return float(_published(x, y, *none, rng)[0][0] @ weights)


def interval(value: float, replicates: Floats) -> tuple[float, float]:
    """95 % interval: the spread of the replicates about their median, about the value."""
    if replicates.size == 0:
        return value, value
    low, middle, high = np.quantile(replicates, [0.025, 0.5, 0.975])
    return max(0.0, float(value + low - middle)), min(1.0, float(value + high - middle))


def group_counts(groups: NDArray[np.int64], replicates: int, rng: np.random.Generator) -> Floats:
    """How often each instance is drawn in each replicate; rows sum to about the sample's size."""
    _, member = np.unique(groups, return_inverse=True)
    count = int(member.max(initial=-1)) + 1
    if count == 0:
        return np.zeros((replicates, 0))
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=replicates)
    return drawn[:, member].astype(np.float64)


def _robust(
    x: Floats, y: Floats, drawn: Floats, other: Floats
) -> tuple[Floats, list[tuple[float, float, float]]]:
    weights, other_weights = with_plain(drawn), with_plain(other)
    columns, details = [], []
    for i in range(x.shape[1]):
        if np.all(x[:, i] == x[0, i]) and np.all(y[:, i] == x[0, i]):
            columns.append(np.ones(len(weights)))
            details.append((0.0, 0.0, 0.0))
            continue
        found = distances(x[:, i], y[:, i], weights, other_weights)
        columns.append(found.similarity)
        details.append(
            (
                float(found.jensen_shannon[0]),
                float(found.kolmogorov_smirnov[0]),
                float(found.wasserstein[0]),
            )
        )
    return np.stack(columns, axis=1), details


def _published(
    x: Floats, y: Floats, drawn: Floats, other: Floats, rng: np.random.Generator
) -> tuple[Floats, list[tuple[float, None, None]]]:
    weights, other_weights = with_plain(drawn), with_plain(other)
    result = np.empty((weights.shape[0], x.shape[1]))
    for r in range(weights.shape[0]):
        # The draws with replacement are part of the published definition.
        here = rng.choice(len(x), size=1000, p=weights[r]) if r else draw(len(x), rng)
        there = rng.choice(len(y), size=1000, p=other_weights[r]) if r else draw(len(y), rng)
        for i in range(x.shape[1]):
            result[r, i] = published_similarity(x[here, i], y[there, i])
    return result, [(1.0 - float(s), None, None) for s in result[0]]


def with_plain(counts: Floats) -> Floats:
    """Replicates as weights that sum to 1, after a first row for the sample itself."""
    size = counts.shape[1]
    plain = np.full((1, size), 1 / size)
    return np.concatenate([plain, counts / counts.sum(axis=1, keepdims=True)])


def _numbered(groups: Sequence[str]) -> NDArray[np.int64]:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in groups])
