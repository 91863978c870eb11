"""Sides for merged rows: those of training rows, by the nearest degree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from g2milp.errors import DamagedArtifact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

FIELDS = ("degree", "lower", "upper", "count")


@dataclass(frozen=True, eq=False)
class Sides:
    """Distinct (degree, lower, upper) of training rows, by degree, with how often each was seen."""

    degree: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    count: NDArray[np.float64]

    @classmethod
    def of(cls, milps: Iterable[Milp]) -> Self:
        """The sides of a training set."""
        rows = [np.stack([m.row_degrees, m.row_lower, m.row_upper], axis=1) for m in milps]
        distinct, counts = np.unique(np.concatenate(rows), axis=0, return_counts=True)
        return cls(distinct[:, 0], distinct[:, 1], distinct[:, 2], counts.astype(np.float64))

    def draw(
        self, degrees: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper sides for rows of these degrees, each of a random row of like degree."""
        levels = np.unique(self.degree)
        lower, upper = np.empty(degrees.size), np.empty(degrees.size)
        for degree in np.unique(degrees).tolist():
            members = np.flatnonzero(degrees == degree)
            like = np.flatnonzero(self.degree == levels[np.abs(levels - degree).argmin()])
            share = self.count[like] / self.count[like].sum()
            chosen = rng.choice(like, size=members.size, p=share)
            lower[members], upper[members] = self.lower[chosen], self.upper[chosen]
        return lower, upper

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Finite arrays for a model folder: infinite sides stand as zeros beside a mask."""
        arrays: dict[str, NDArray[Any]] = {}
        for name in FIELDS:
            values = getattr(self, name)
            finite = np.isfinite(values)
            arrays[f"sides.{name}"] = np.where(finite, values, 0.0)
            arrays[f"sides.{name}.finite"] = finite.astype(np.uint8)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        """The inverse of `to_arrays`; anything else is refused."""
        parts: dict[str, NDArray[np.float64]] = {}
        for name, missing in zip(FIELDS, (np.nan, -np.inf, np.inf, np.nan), strict=True):
            values, finite = arrays.get(f"sides.{name}"), arrays.get(f"sides.{name}.finite")
            if values is None or finite is None or values.shape != finite.shape or values.ndim != 1:
                raise DamagedArtifact("g2sat", f"the array 'sides.{name}' is missing or odd")
            parts[name] = np.where(finite.astype(bool), values, missing).astype(np.float64)
        sound = len({part.size for part in parts.values()}) == 1 and parts["count"].size > 0
        if not sound or not (parts["count"] > 0).all() or not np.isfinite(parts["degree"]).all():
            raise DamagedArtifact("g2sat", "the sides of training rows make no sense")
        return cls(**parts)
