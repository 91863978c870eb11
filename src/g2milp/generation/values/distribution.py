"""A distribution of numbers as the data have it: few values with their shares, or quantiles.

    x = Q(u),  u uniform in [0, 1)

Q is a step function over at most `MAX_LEVELS` values; of more values it is linear between
`N_QUANTILES` quantiles, and moved to the lattice of the data (origin + step · k) where they have
one: whole numbers, odd numbers, multiples of a hundred.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_LEVELS = 64
N_QUANTILES = 129


@dataclass(frozen=True)
class Distribution:
    """`shares` of the values `points` (ascending), or quantiles; `step` 0 is no lattice."""

    points: tuple[float, ...]
    shares: tuple[float, ...] | None
    step: float

    @classmethod
    def learn(cls, values: NDArray[np.float64]) -> Distribution:
        """The distribution of at least one value."""
        levels, counts = np.unique(values, return_counts=True)
        if levels.size <= MAX_LEVELS:
            shares = tuple((counts / values.size).tolist())
            return cls(tuple(levels.tolist()), shares, 0.0)
        quantiles = np.quantile(values, np.linspace(0.0, 1.0, N_QUANTILES))
        return cls(tuple(quantiles.tolist()), None, _lattice(levels))

    def draw(self, uniforms: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers for uniform ones in [0, 1), of the same shape."""
        points = np.array(self.points)
        if self.shares is not None:
            place = np.searchsorted(np.cumsum(self.shares), uniforms, side="right")
            levels: NDArray[np.float64] = points[np.minimum(place, points.size - 1)]
            return levels
        drawn = np.interp(uniforms, np.linspace(0.0, 1.0, points.size), points)
        if self.step:
            drawn = points[0] + self.step * np.rint((drawn - points[0]) / self.step)
        numbers: NDArray[np.float64] = np.clip(drawn, points[0], points[-1])
        return numbers

    def as_json(self) -> dict[str, Any]:
        """JSON values; `from_json` is the inverse."""
        shares = None if self.shares is None else list(self.shares)
        return {"points": list(self.points), "shares": shares, "step": self.step}

    @classmethod
    def from_json(cls, content: object, where: str) -> Distribution:
        """Read back; refuses everything that is not a distribution."""
        try:
            assert isinstance(content, dict)
            points = np.array(content["points"], dtype=np.float64)
            shares, step = content["shares"], float(content["step"])
            assert points.ndim == 1
            assert 0 < points.size <= max(MAX_LEVELS, N_QUANTILES)
            assert np.isfinite(points).all()
            assert (np.diff(points) >= 0).all()
            assert 0 <= step < np.inf
            if shares is not None:
                given = np.array(shares, dtype=np.float64)
                assert given.shape == points.shape
                assert (given >= 0).all()
                assert abs(given.sum() - 1.0) < 1e-6
                shares = tuple(given.tolist())
        except (AssertionError, KeyError, TypeError, ValueError) as error:
            raise DamagedArtifact(where, "this is no distribution of numbers") from error
        return cls(tuple(points.tolist()), shares, step)


def _lattice(levels: NDArray[np.float64]) -> float:
    """The greatest common divisor of the distances of whole numbers, 0 for others."""
    if not (levels == np.rint(levels)).all() or np.abs(levels).max() > 2**53:
        return 0.0
    return float(np.gcd.reduce(np.diff(levels).astype(np.int64)))
