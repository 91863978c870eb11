"""Mean, deviation, quantiles: 0 for nothing, so that an empty instance has statistics too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def mean(x: NDArray[Any]) -> float:
    """Mean, 0 if empty."""
    return float(x.mean()) if x.size else 0.0


def deviation(x: NDArray[Any]) -> float:
    """Population standard deviation, 0 if empty."""
    return float(x.std()) if x.size else 0.0


def quantile(x: NDArray[Any], q: float) -> float:
    """Quantile by linear interpolation, 0 if empty."""
    return float(np.quantile(x, q)) if x.size else 0.0


def smallest(x: NDArray[Any]) -> float:
    """Minimum, 0 if empty."""
    return float(x.min()) if x.size else 0.0


def largest(x: NDArray[Any]) -> float:
    """Maximum, 0 if empty."""
    return float(x.max()) if x.size else 0.0


def share(count: float | np.integer[Any], total: float | np.integer[Any]) -> float:
    """A ratio, 0 where there is nothing to share."""
    return float(count) / float(total) if total else 0.0


def log_size(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """log10(1 + |x|): coefficients and sides span many powers of ten."""
    return np.log10(1.0 + np.abs(x))
