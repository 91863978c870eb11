"""Three distances of two weighted samples: Jensen–Shannon, Kolmogorov–Smirnov, Wasserstein.

    JS  = (KL(P‖M) + KL(Q‖M)) / (2 log 2)          over the bins of the reference
    KS  = max_t |F(t) − G(t)|
    W   = ∫ |F(t) − G(t)| dt / scale               of values clipped to centre ± 8 scales

The bins are data-driven: their edges are quantiles of the reference (tails of half a per cent, then
tenths), values that the reference repeats have a bin of their own, the outermost bins are open. The
scale is robust (mean distance from the median, values beyond 5 and 95 % drawn in), and clipping
bounds what one wild value can do: among 1,000 instances it moves no similarity by more than 0.02.

Bootstrap replicates are rows of weights, so all of them are computed at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

QUANTILES = np.array([0.005, *np.arange(0.1, 0.95, 0.1), 0.995])
CLIP = 8.0


@dataclass(frozen=True, eq=False)
class Distances:
    """One entry a replicate."""

    jensen_shannon: Floats
    kolmogorov_smirnov: Floats
    wasserstein: Floats

    @property
    def similarity(self) -> Floats:
        """Mean of 1 − JS, 1 − KS and 1 / (1 + W): 1 for equal distributions, in [0, 1]."""
        return (
            (1 - self.jensen_shannon) + (1 - self.kolmogorov_smirnov) + 1 / (1 + self.wasserstein)
        ) / 3


def distances(
    reference: Floats, generated: Floats, weights: Floats, generated_weights: Floats
) -> Distances:
    """Distances for each replicate.

    Shapes: reference (n), generated (m), weights (r, n), generated_weights (r, m); the rows of the
    weights sum to 1.
    """
    clipped, clipped_generated = robust_units(reference, generated)
    return Distances(
        jensen_shannon=_jensen_shannon(reference, generated, weights, generated_weights),
        kolmogorov_smirnov=_gap(reference, generated, weights, generated_weights)[0],
        wasserstein=_gap(clipped, clipped_generated, weights, generated_weights)[1],
    )


def robust_units(reference: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Both samples as (x − median) / scale of the reference, clipped to ±8.

    A constant reference has the scale 1e-9 of its size: anything else is then far away.
    """
    low, centre, high = np.quantile(reference, [0.05, 0.5, 0.95])
    spread = float(np.abs(np.clip(reference, low, high) - centre).mean())
    scale = max(1.25 * spread, 1e-9 * max(abs(centre), 1.0))
    return (
        np.clip((reference - centre) / scale, -CLIP, CLIP),
        np.clip((values - centre) / scale, -CLIP, CLIP),
    )


def bins_of(reference: Floats, values: Floats) -> tuple[NDArray[np.int64], int]:
    """The bin of each value and the number of bins.

    Between two edges lies one bin; an edge that the reference holds twice or more is one, too.
    """
    edges = np.unique(np.quantile(reference, QUANTILES))
    ordered = np.sort(reference)
    held = np.searchsorted(ordered, edges, "right") - np.searchsorted(ordered, edges, "left")
    left = np.searchsorted(edges, values, "left")
    on_edge = np.searchsorted(edges, values, "right") > left
    alone = on_edge & (held[np.minimum(left, edges.size - 1)] >= 2)
    return np.where(alone, 2 * left + 1, 2 * left), 2 * edges.size + 1


def _jensen_shannon(reference: Floats, generated: Floats, weights: Floats, other: Floats) -> Floats:
    at, count = bins_of(reference, reference)
    other_at, _ = bins_of(reference, generated)
    p = weights @ np.eye(count)[at]
    q = other @ np.eye(count)[other_at]
    middle = (p + q) / 2
    return (_entropy(middle) - (_entropy(p) + _entropy(q)) / 2) / float(np.log(2))


def _entropy(p: Floats) -> Floats:
    """−Σ p log p of each row."""
    safe = np.where(p > 1e-15, p, 1.0)
    entropy: Floats = -(p * np.log(safe)).sum(axis=1)
    return entropy


def _gap(x: Floats, y: Floats, weights: Floats, other: Floats) -> tuple[Floats, Floats]:
    """(max, integral) of |F − G| for each replicate."""
    pooled = np.concatenate([x, y])
    order = np.argsort(pooled, kind="stable")
    ordered = pooled[order]
    signed = np.concatenate([weights, -other], axis=1)[:, order]
    gap = np.abs(np.cumsum(signed, axis=1))
    step = np.diff(ordered)
    last_of_value = np.append(step > 0, True)
    return gap[:, last_of_value].max(axis=1), gap[:, :-1] @ step
