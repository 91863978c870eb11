"""Efforts that were cut off: Kaplan–Meier, restricted means, log-rank test.

    S(t) = Π_{t_i ≤ t} (1 − d_i / n_i),   restricted mean up to τ = ∫_0^τ S(t) dt

A solve that hit a limit is known to need more, not how much. It stays at risk until its limit and
is never dropped nor taken for finished.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]


def survival(values: Floats, censored: Flags) -> tuple[Floats, Floats]:
    """Times at which solves finish, and the share that is still running after each."""
    times, finished = np.unique(values[~censored], return_counts=True)
    at_risk = values.size - np.searchsorted(np.sort(values), times, "left")
    ending = (finished / np.maximum(at_risk, 1)).astype(np.float64)
    return times, np.cumprod(1.0 - ending).astype(np.float64)


def restricted_mean(values: Floats, censored: Flags, horizon: float) -> float:
    """Mean of min(effort, horizon)."""
    times, running = survival(values, censored)
    inside = times < horizon
    ends = np.concatenate([times[inside], [horizon]])
    starts = np.concatenate([[0.0], times[inside]])
    levels = np.concatenate([[1.0], running[inside]])
    return float(((ends - starts) * levels).sum())


def median(values: Floats, censored: Flags) -> float | None:
    """Smallest time at which at most half are running; None if that is not seen."""
    times, running = survival(values, censored)
    reached = np.flatnonzero(running <= 0.5 + 1e-12)
    return float(times[reached[0]]) if reached.size else None


def horizon(values: Floats, censored: Flags, other: Floats, other_censored: Flags) -> float:
    """The longest time over which both sets are observed."""
    return min(_observed(values, censored), _observed(other, other_censored))


def _observed(values: Floats, censored: Flags) -> float:
    if not censored.any():
        return math.inf
    return float(values[censored].max())


def log_rank(values: Floats, censored: Flags, other: Floats, other_censored: Flags) -> float:
    """p-value of "both sets have the same distribution of effort"; 1 where nothing finished."""
    finished = np.concatenate([values[~censored], other[~other_censored]])
    times = np.unique(finished)
    if times.size == 0:
        return 1.0
    risk = values.size - np.searchsorted(np.sort(values), times, "left")
    other_risk = other.size - np.searchsorted(np.sort(other), times, "left")
    events = _counts(values[~censored], times)
    all_events = events + _counts(other[~other_censored], times)
    total = risk + other_risk
    expected = all_events * risk / total
    variance = expected * (other_risk / total) * (total - all_events) / np.maximum(total - 1, 1)
    if variance.sum() <= 0:
        return 1.0
    z = abs(float(events.sum() - expected.sum())) / math.sqrt(float(variance.sum()))
    return math.erfc(z / math.sqrt(2))


def _counts(finished: Floats, times: Floats) -> NDArray[np.int64]:
    return np.bincount(np.searchsorted(times, finished), minlength=times.size)
