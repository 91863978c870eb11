"""Means with their spread over repeats, and gains against the repeats without augmentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95


def spread(values: Sequence[float]) -> dict[str, Any]:
    """Mean, standard deviation, and the 95 % t-interval of the mean (None for one value)."""
    array = np.asarray(values, dtype=np.float64)
    mean = float(array.mean())
    if array.size < 2:
        return {"n": int(array.size), "mean": mean, "std": None, "interval": None}
    from scipy.stats import t

    std = float(array.std(ddof=1))
    half = float(t.ppf(0.5 + CONFIDENCE / 2, array.size - 1)) * std / array.size**0.5
    return {"n": int(array.size), "mean": mean, "std": std, "interval": [mean - half, mean + half]}


def ratio_interval(first: Sequence[float], second: Sequence[float]) -> list[float] | None:
    """Fieller's 95 % interval of mean(second) / mean(first), paired by repeat.

    All θ that Student's t-test does not refuse: mean(second − θ first) = 0, that is

        (m₂ − θ m₁)² ≤ t² (s₂₂ − 2 θ s₁₂ + θ² s₁₁) / n

    None where this is no interval: fewer than two repeats, or a first mean that is not apart from
    zero.
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    n = x.size
    if n < 2:
        return None
    from scipy.stats import t

    (s11, s12), (_, s22) = np.cov(x, y, ddof=1)
    h = float(t.ppf(0.5 + CONFIDENCE / 2, n - 1)) ** 2 / n
    a = float(x.mean()) ** 2 - h * s11
    b = float(x.mean() * y.mean()) - h * s12
    c = float(y.mean()) ** 2 - h * s22
    if a <= 0:
        return None
    root = max(b * b - a * c, 0.0) ** 0.5
    return [float(b - root) / a, float(b + root) / a]


def gain(base: Sequence[float], augmented: Sequence[float]) -> dict[str, Any]:
    """Improvement (appendix D.3), paired by repeat: (e₁ − e₂) / e₁.

    `of_means` is the same for the means of both, which one bad repeat rules less, with
    `of_means_interval` (`ratio_interval`); `better` counts repeats with a smaller error;
    `difference` is the paired e₁ − e₂ with its interval.
    """
    first, second = np.asarray(base, dtype=np.float64), np.asarray(augmented, dtype=np.float64)
    ratios = np.divide(first - second, first, out=np.zeros_like(first), where=first != 0)
    mean = float(first.mean())
    ends = ratio_interval(base, augmented)
    return {
        **spread(ratios.tolist()),
        "of_means": (mean - float(second.mean())) / mean if mean else 0.0,
        "of_means_interval": None if ends is None else [1.0 - ends[1], 1.0 - ends[0]],
        "better": int((second < first).sum()),
        "difference": spread((first - second).tolist()),
    }
