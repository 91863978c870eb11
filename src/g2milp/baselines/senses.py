"""What the random baselines know of a training set: its numbers, by sense of row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

SENSES = ("≤", "≥", "=", "range")
"""Words for the first four codes of `RowSense`; free rows are never redrawn."""
KEYS = ("less", "greater", "equal", "range")
PARTS = ("degree", "side", "width", "weight")
MAX_POOL = 200_000
"""Distinct values that are remembered of one part; beyond it every k-th is."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Distinct values of one number, ascending, with how often each was seen."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def is_integer(self) -> bool:
        """Whether every value is an integer."""
        return bool(np.all(self.values == np.round(self.values)))

    def uniform(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Uniform draws between the extremes."""
        low, high = float(self.values[0]), float(self.values[-1])
        # low + (high - low)·u, written so that the range itself cannot overflow
        u = rng.random(size)
        return low * (1.0 - u) + high * u

    def resampled(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draws with the frequencies of the training set."""
        edges = np.cumsum(self.counts)
        at = np.searchsorted(edges, rng.random(size) * edges[-1], side="right")
        drawn: NDArray[np.float64] = self.values[np.minimum(at, self.values.size - 1)]
        return drawn


Marginals = dict[tuple[int, str], Pool]


def marginals_of(milps: Iterable[Milp]) -> Marginals:
    """Pools of degrees, sides, widths of ranges, and coefficients, for each sense that occurs."""
    seen: dict[tuple[int, str], list[NDArray[np.float64]]] = {}
    for milp in milps:
        sense = milp.senses
        side = np.where(np.isfinite(milp.row_upper), milp.row_upper, milp.row_lower)
        for code in range(len(SENSES)):
            rows = np.flatnonzero(sense == code)
            if not rows.size:
                continue
            width = _widths(milp, rows) if code == 3 else np.zeros(0)
            taken = (sense == code)[milp.entry_rows]
            for part, numbers in zip(
                PARTS,
                (milp.row_degrees[rows], side[rows], width, milp.values[taken]),
                strict=True,
            ):
                seen.setdefault((code, part), []).append(numbers.astype(np.float64))
    return {key: _pool(np.concatenate(parts)) for key, parts in seen.items() if _any(parts)}


def to_arrays(marginals: Marginals) -> dict[str, NDArray[Any]]:
    """Arrays by name, for a model folder."""
    arrays: dict[str, NDArray[Any]] = {}
    for (code, part), pool in sorted(marginals.items()):
        arrays[f"{KEYS[code]}.{part}.values"] = pool.values
        arrays[f"{KEYS[code]}.{part}.counts"] = pool.counts
    return arrays


def from_arrays(arrays: dict[str, NDArray[Any]], source: str) -> Marginals:
    """The inverse of `to_arrays`; anything that cannot have come from it is refused."""
    marginals: Marginals = {}
    for name, values in arrays.items():
        sense, _, rest = name.partition(".")
        part, _, field = rest.partition(".")
        counts = arrays.get(f"{sense}.{part}.counts")
        if sense not in KEYS or part not in PARTS or field not in ("values", "counts"):
            raise DamagedArtifact(source, f"an array {name!r} does not belong here")
        if field == "counts":
            continue
        sound = (
            counts is not None
            and values.ndim == 1
            and values.size > 0
            and values.shape == counts.shape
            and bool(np.isfinite(values).all())
            and bool(np.all(np.diff(values) > 0))
            and bool(np.all(counts > 0))
        )
        if not sound or counts is None:
            raise DamagedArtifact(source, f"the array {name!r} is not a list of values")
        marginals[KEYS.index(sense), part] = Pool(
            values.astype(np.float64), counts.astype(np.int64)
        )
    for code in {code for code, _ in marginals}:
        missing = {"degree", "side", *(["width"] if code == 3 else [])} - {
            part for known, part in marginals if known == code
        }
        if missing:
            raise DamagedArtifact(source, f"{KEYS[code]}.{min(missing)} is missing")
    return marginals


def _widths(milp: Milp, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Upper minus lower side of ranges, the largest number where that overflows."""
    with np.errstate(over="ignore"):
        width = milp.row_upper[rows] - milp.row_lower[rows]
    return np.minimum(width, np.finfo(np.float64).max)


def _any(parts: list[NDArray[np.float64]]) -> bool:
    return any(part.size for part in parts)


def _pool(values: NDArray[np.float64]) -> Pool:
    distinct, counts = np.unique(values, return_counts=True)
    if distinct.size > MAX_POOL:
        kept = np.unique(np.linspace(0, distinct.size - 1, MAX_POOL).astype(np.int64))
        distinct, counts = distinct[kept], counts[kept]
    return Pool(distinct, counts.astype(np.int64))
