"""Gradient-boosted stumps: the classifier that needs no extra.

    F ← F + rate · h,   h the stump with the largest gain for the logistic loss

Features are cut into at most `BINS` bins by quantiles of the training part; every round looks at
all cuts of all features at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BINS = 24
ROUNDS = 150
RATE = 0.2
RIDGE = 1.0


class BoostedStumps:
    """Additive model of one-feature cuts; deterministic."""

    name = "boosted stumps"

    def __init__(self) -> None:
        self._stumps: list[tuple[int, float, float, float]] = []
        self._start = 0.0

    def fit(self, x: Floats, y: NDArray[np.bool_]) -> None:
        """Learn from rows `x` with labels `y` (both must occur)."""
        share = float(y.mean())
        self._start = float(np.log(share / (1 - share)))
        self._stumps = []
        cuts = [np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1])) for column in x.T]
        code = np.stack(
            [np.searchsorted(c, column, "left") for c, column in zip(cuts, x.T, strict=True)],
            axis=1,
        )
        # A value equal to a cut falls to its left: code k means "above the first k cuts".
        features = x.shape[1]
        flat = (code + np.arange(features) * BINS).ravel()
        fitted = np.full(len(y), self._start)
        for _ in range(ROUNDS):
            chance = 1 / (1 + np.exp(-fitted))
            slope = np.repeat(y - chance, features)
            curve = np.repeat(chance * (1 - chance), features)
            g = np.bincount(flat, slope, features * BINS).reshape(features, BINS).cumsum(axis=1)
            h = np.bincount(flat, curve, features * BINS).reshape(features, BINS).cumsum(axis=1)
            rest_g, rest_h = g[:, -1:] - g, h[:, -1:] - h
            gain = g**2 / (h + RIDGE) + rest_g**2 / (rest_h + RIDGE)
            for feature, cut in enumerate(cuts):
                gain[feature, cut.size :] = -1.0
            feature, at = divmod(int(gain.argmax()), BINS)
            if gain[feature, at] < 0:
                break
            left = RATE * float(g[feature, at] / (h[feature, at] + RIDGE))
            right = RATE * float(rest_g[feature, at] / (rest_h[feature, at] + RIDGE))
            self._stumps.append((feature, float(cuts[feature][at]), left, right))
            fitted += np.where(code[:, feature] <= at, left, right)

    def predict(self, x: Floats) -> Floats:
        """Log-odds of the label for each row."""
        result = np.full(x.shape[0], self._start)
        for feature, cut, left, right in self._stumps:
            result += np.where(x[:, feature] <= cut, left, right)
        return result
