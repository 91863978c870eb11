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


def gain(base: Sequence[float], augmented: Sequence[float]) -> dict[str, Any]:
    """Improvement (appendix D.3), paired by repeat: (e₁ − e₂) / e₁.

    `of_means` is the same for the means of both, which one bad repeat rules less; `better` counts
    repeats with a smaller error; `difference` is the paired e₁ − e₂ with its interval.
    """
    first, second = np.asarray(base, dtype=np.float64), np.asarray(augmented, dtype=np.float64)
    ratios = np.divide(first - second, first, out=np.zeros_like(first), where=first != 0)
    mean = float(first.mean())
    return {
        **spread(ratios.tolist()),
        "of_means": (mean - float(second.mean())) / mean if mean else 0.0,
        "better": int((second < first).sum()),
        "difference": spread((first - second).tolist()),
    }
