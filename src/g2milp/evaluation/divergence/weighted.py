"""Three distances of two weighted samples: Jensen–Shannon, Kolmogorov–Smirnov, Wasserstein.

    JS  = (KL(P‖M) + KL(Q‖M)) / (2 log 2)          over the bins of the reference
    KS  = max_t |F(t) − G(t)|
    W   = ∫ |F(t) − G(t)| dt / scale               of values clipped to centre ± 8 scales

The bins are data-driven: their edges are quantiles of the reference (tails of half a per cent, then
tenths), values that the reference repeats have a bin of their own, the outermost bins are open. The
scale is robust (mean distance from the median, values beyond 5 and 95 % drawn in), and clipping
bounds what one wild value can do.

That alone would not do: a quantile that lies in a gap of the reference jumps across it when one
value more stands in the tail, and bins and scale jump with it. So JS is the mean over `GRIDS`, and
1 / (1 + W) that over `TRIMS`: whatever the samples, one wild value among 1,000 changes few of them,
and moves no similarity by more than 0.02.

Bootstrap replicates are rows of weights, so all of them are computed at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SHIFTS = (np.arange(32) - 15.5) / 320
GRIDS = np.array(
    [[0.005 + s / 20, *(np.arange(0.1, 0.95, 0.1) + s), 0.995 + s / 20] for s in _SHIFTS]
)
"""Levels of the quantiles that are edges, a row a grid: tenths, moved by up to ± 0.05."""
TRIMS = np.linspace(0.01, 0.09, 64)
"""Shares of each tail that are drawn in before a scale is taken."""
CLIP = 8.0


@dataclass(frozen=True, eq=False)
class Distances:
    """One entry a replicate.

    Attributes
    ----------
    wasserstein
        Mean of W over the scales.
    nearness
        Mean of 1 / (1 + W) over the scales.
    """

    jensen_shannon: Floats
    kolmogorov_smirnov: Floats
    wasserstein: Floats
    nearness: Floats

    @property
    def similarity(self) -> Floats:
        """Mean of 1 − JS, 1 − KS and 1 / (1 + W): 1 for equal distributions, in [0, 1]."""
        return ((1 - self.jensen_shannon) + (1 - self.kolmogorov_smirnov) + self.nearness) / 3


def distances(
    reference: Floats, generated: Floats, weights: Floats, generated_weights: Floats
) -> Distances:
    """Distances for each replicate.

    Shapes: reference (n), generated (m), weights (r, n), generated_weights (r, m); the rows of the
    weights sum to 1.
    """
    values, gap = _gap(reference, generated, weights, generated_weights)
    last_of_value = np.append(np.diff(values) > 0, True)
    centre = float(np.median(reference))
    # One column a scale: the lengths of the steps between the values, in units of the scale.
    units = np.clip((values[:, None] - centre) / _scales(reference, TRIMS), -CLIP, CLIP)
    apart = gap[:, :-1] @ np.diff(units, axis=0)
    return Distances(
        jensen_shannon=_jensen_shannon(reference, generated, weights, generated_weights),
        kolmogorov_smirnov=gap[:, last_of_value].max(axis=1),
        wasserstein=apart.mean(axis=1),
        nearness=(1 / (1 + apart)).mean(axis=1),
    )


def robust_units(reference: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Both samples as (x − median) / scale of the reference, clipped to ±8.

    A constant reference has the scale 1e-9 of its size: anything else is then far away.
    """
    centre = float(np.median(reference))
    scale = _scales(reference, np.array([0.05]))[0]
    return (
        np.clip((reference - centre) / scale, -CLIP, CLIP),
        np.clip((values - centre) / scale, -CLIP, CLIP),
    )


def _scales(reference: Floats, trims: Floats) -> Floats:
    """1.25 · mean distance from the median, a share of each tail drawn in; one entry a share."""
    centre = float(np.median(reference))
    low, high = np.quantile(reference, trims), np.quantile(reference, 1 - trims)
    drawn_in = np.clip(reference[:, None], low, high)
    spread: Floats = np.abs(drawn_in - centre).mean(axis=0)
    return np.maximum(1.25 * spread, 1e-9 * max(abs(centre), 1.0))


def cuts_of(reference: Floats, levels: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where the bins end, in order, and whether the value itself still belongs to the bin.

    Between two edges lies one bin; an edge that the reference holds twice or more, or that is all
    of it, is one, too. So each level has two cuts, equal ones where the edge has no bin of its own.
    """
    edges = np.quantile(reference, levels)
    ordered = np.sort(reference)
    held = np.searchsorted(ordered, edges, "right") - np.searchsorted(ordered, edges, "left")
    included = np.stack(
        [held < min(2, reference.size), np.ones_like(held, dtype=np.bool_)], axis=-1
    )
    # Levels that fall on one value have its cuts once: the others would go back and forth.
    included[..., 1:, 0] |= edges[..., 1:] == edges[..., :-1]
    shape = (*levels.shape[:-1], -1)
    return np.repeat(edges, 2, axis=-1), included.reshape(shape)


def _jensen_shannon(reference: Floats, generated: Floats, weights: Floats, other: Floats) -> Floats:
    cuts, included = cuts_of(reference, GRIDS)
    p = _masses(reference, weights, cuts, included)
    q = _masses(generated, other, cuts, included)
    apart = _entropy((p + q) / 2) - (_entropy(p) + _entropy(q)) / 2
    divergence: Floats = np.maximum(apart.mean(axis=1) / float(np.log(2)), 0.0)
    return divergence


def _masses(values: Floats, weights: Floats, cuts: Floats, included: NDArray[np.bool_]) -> Floats:
    """Weight in each bin; shape (replicates, grids, bins)."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    count = np.where(
        included, np.searchsorted(ordered, cuts, "right"), np.searchsorted(ordered, cuts, "left")
    )
    sums = np.concatenate(
        [np.zeros((len(weights), 1)), np.cumsum(weights[:, order], axis=1)], axis=1
    )
    ends = np.full((len(cuts), 1), values.size)
    bounds = np.concatenate([0 * ends, count, ends], axis=1)
    return np.diff(sums[:, bounds], axis=2)


def _entropy(p: Floats) -> Floats:
    """−Σ p log p over the last axis."""
    safe = np.where(p > 1e-15, p, 1.0)
    entropy: Floats = -(p * np.log(safe)).sum(axis=-1)
    return entropy


def _gap(x: Floats, y: Floats, weights: Floats, other: Floats) -> tuple[Floats, Floats]:
    """The pooled values in order, and |F − G| just after each, a row a replicate."""
    pooled = np.concatenate([x, y])
    order = np.argsort(pooled, kind="stable")
    signed = np.concatenate([weights, -other], axis=1)[:, order]
    return pooled[order], np.abs(np.cumsum(signed, axis=1))
