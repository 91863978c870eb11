"""Classifier two-sample test: AUC of telling generated from real, cross-validated by template.

    AUC = P(score of a generated instance > score of a real one) + P(equal) / 2

0.5 is perfect and 1 means that every instance is recognised. A template and everything made from it
are in the same fold, so the classifier cannot recognise families; then a pure copy has 0.5, too,
and novelty has to be looked at beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np

from g2milp.evaluation.scoring import group_counts
from g2milp.evaluation.two_sample.forest import Forest
from g2milp.evaluation.two_sample.stumps import BoostedStumps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ClassifierName: TypeAlias = Literal["auto", "forest", "stumps"]
FOLDS = 5
NO_TELLTALE = 0.02
"""A feature that gives away less than this is not worth naming."""
REPLICATES = 200


class Classifier(Protocol):
    """What the test needs of a classifier."""

    name: str

    def fit(self, x: Floats, y: NDArray[np.bool_]) -> None:
        """Learn."""

    def predict(self, x: Floats) -> Floats:
        """Score each row: larger means generated."""
        ...


@dataclass(frozen=True)
class Telltale:
    """A feature that gives generated instances away.

    Attributes
    ----------
    alone
        AUC of this feature by itself, 0.5 to 1.
    importance
        Loss of held-out AUC when its values are shuffled; small where other features say the same.
    """

    feature: str
    alone: float
    importance: float
    reference_median: float
    generated_median: float


@dataclass(frozen=True)
class ClassifierTest:
    """Result of the test."""

    classifier: str
    auc: float
    interval: tuple[float, float]
    folds: int
    features: int
    telltales: tuple[Telltale, ...]


def classifier_test(
    names: Sequence[str],
    reference: Floats,
    generated: Floats,
    reference_groups: Sequence[str],
    generated_groups: Sequence[str],
    *,
    classifier: ClassifierName = "auto",
    seed: int = 0,
    telltales: int = 12,
) -> ClassifierTest | None:
    """Cross-validate a classifier; None with fewer than `FOLDS` groups on a side.

    A group is the name of a template: real instances bear their own.
    """
    x = np.concatenate([reference, generated])
    y = np.arange(len(x)) >= len(reference)
    groups = np.unique([*reference_groups, *generated_groups], return_inverse=True)[1]
    useful = np.flatnonzero(np.ptp(x, axis=0) > 0) if len(x) else np.zeros(0, dtype=np.int64)
    if min(np.unique(groups[~y]).size, np.unique(groups[y]).size) < FOLDS:
        return None
    rng = np.random.default_rng([seed, 9])
    fold = folds_of(groups, rng)
    made = _factory(classifier, seed)
    # Ranks among all instances: cuts see the order only, and a forest's float32 holds them exactly.
    chosen = np.stack(
        [np.unique(x[:, j], return_inverse=True)[1].astype(np.float64) for j in useful]
        or [np.zeros(len(x))],
        axis=1,
    )
    scores = np.zeros(len(x))
    losses = np.zeros(useful.size)
    for number in range(FOLDS):
        held = fold == number
        if not useful.size or y[held].all() or not y[held].any():
            continue
        model = made()
        model.fit(chosen[~held], y[~held])
        scores[held] = ranks(model.predict(chosen[held])) / max(1, int(held.sum()))
        losses += _importance(model, chosen[held], y[held], rng) / FOLDS
    auc, spread = auc_with_interval(scores, y, groups, rng)
    found = [
        Telltale(
            names[int(column)],
            abs(area(x[:, column], y) - 0.5) + 0.5,
            float(losses[i]),
            float(np.median(reference[:, column])),
            float(np.median(generated[:, column])),
        )
        for i, column in enumerate(useful)
    ]
    found = [t for t in found if max(t.alone - 0.5, t.importance) > NO_TELLTALE]
    found.sort(key=lambda t: (-max(t.alone - 0.5, t.importance), t.feature))
    return ClassifierTest(made().name, auc, spread, FOLDS, useful.size, tuple(found[:telltales]))


def area(score: Floats, label: NDArray[np.bool_], weight: Floats | None = None) -> float:
    """AUC of a score, ties counted half; weighted where weights are given."""
    w = np.ones(score.size) if weight is None else weight
    values, at = np.unique(score, return_inverse=True)
    positive = np.bincount(at, w * label, values.size)
    negative = np.bincount(at, w * ~label, values.size)
    below = np.cumsum(negative) - negative
    pairs = positive.sum() * negative.sum()
    return float((positive * (below + negative / 2)).sum() / pairs) if pairs else 0.5


def ranks(score: Floats) -> Floats:
    """Mid-ranks, so that scores of different folds can be pooled."""
    values, at, count = np.unique(score, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    middle: Floats = (last - (count - 1) / 2)[at] if values.size else score
    return middle


def folds_of(groups: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Deal the groups out to the folds in random order, so that folds have about equal sizes."""
    sizes = np.bincount(groups)
    order = rng.permutation(sizes.size)
    order = order[np.argsort(-sizes[order], kind="stable")]
    place = np.empty(sizes.size, dtype=np.int64)
    load = np.zeros(FOLDS)
    for group in order:
        place[group] = load.argmin()
        load[place[group]] += sizes[group]
    return place[groups]


def _factory(name: ClassifierName, seed: int) -> type[BoostedStumps] | _ForestFactory:
    if name == "stumps" or (name == "auto" and not Forest.is_available()):
        return BoostedStumps
    if not Forest.is_available():
        from g2milp.errors import UnavailableError

        raise UnavailableError(
            "the random forest needs scikit-learn", hint="pip install 'g2milp[report]'"
        )
    return _ForestFactory(seed)


@dataclass(frozen=True)
class _ForestFactory:
    seed: int

    def __call__(self) -> Forest:
        return Forest(self.seed)


def _importance(
    model: Classifier, x: Floats, y: NDArray[np.bool_], rng: np.random.Generator
) -> Floats:
    """Loss of AUC when one feature is shuffled among the held-out instances."""
    whole = area(model.predict(x), y)
    loss = np.zeros(x.shape[1])
    columns = np.flatnonzero(np.ptp(x, axis=0) > 0)
    if not columns.size:
        return loss
    stacked = np.tile(x, (columns.size, 1, 1))  # one prediction for all: forests are slow to start
    for k, column in enumerate(columns):
        stacked[k, :, column] = x[rng.permutation(len(x)), column]
    scores = model.predict(stacked.reshape(-1, x.shape[1])).reshape(columns.size, len(x))
    loss[columns] = [whole - area(score, y) for score in scores]
    return loss


def auc_with_interval(
    scores: Floats, y: NDArray[np.bool_], groups: NDArray[np.int64], rng: np.random.Generator
) -> tuple[float, tuple[float, float]]:
    """AUC, and its 95 % interval from drawing groups."""
    value = area(scores, y)
    counts = group_counts(groups, REPLICATES, rng)
    drawn = [area(scores, y, weight) for weight in counts]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return value, (float(low), float(high))
