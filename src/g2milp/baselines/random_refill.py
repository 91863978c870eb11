"""Random: G2MILP's procedure with every network replaced by a random draw (paper, section 4.1).

    b̂ ~ U(b̲, b̄),   d̂ = round(U(d̲, d̄)),   d̂ columns uniform without replacement,   ê ~ U(e̲, ē)

A second flavour, `RandomMarginal`, is a stronger and more honest baseline: degree, side and
coefficients are drawn with their frequencies in the training set, independently of each other.

Two departures from the paper. The ranges are taken for each sense of rows by itself, since a row
stays one row here (the paper's three sets have one sense each, so nothing changes there). And where
all training values are integers the draws are rounded, unless ``integers=False``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from g2milp.baselines.senses import (
    SENSES,
    Marginals,
    Pool,
    from_arrays,
    marginals_of,
    to_arrays,
)
from g2milp.errors import DamagedArtifact, UsageError
from g2milp.generation.contract import Draft, Generator, Redrawn, SampleOptions
from g2milp.instance.edit import RowPatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset


class Random(Generator):
    """Uniform draws in the learned ranges.

    Parameters
    ----------
    integers
        Round draws where all training values are integers.
    """

    kind: ClassVar[str] = "random"

    def __init__(self, *, mask_ratio: float = 0.1, seed: int = 0, integers: bool = True) -> None:
        super().__init__(mask_ratio=mask_ratio, seed=seed)
        self.integers = integers
        self.marginals_: Marginals = {}

    def _fit(self, data: Dataset, **how: Any) -> None:
        if how:
            named = ", ".join(sorted(how))
            raise UsageError(f"{self.kind} learns without options, not with {named}")
        self.marginals_ = marginals_of(data)

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        return [Redrawn(rows=self._rows(draft)) for draft in drafts]

    def _rows(self, draft: Draft) -> RowPatch:
        milp, rng = draft.template, draft.rng
        rows = draft.masked_rows
        sense = milp.senses[rows]
        sides = np.stack([milp.row_lower[rows], milp.row_upper[rows]])
        degrees = np.zeros(rows.size, np.int64)
        for code in np.unique(sense).tolist():
            members = np.flatnonzero(sense == code)
            if (code, "side") not in self.marginals_:
                raise UsageError(
                    f"{draft.template_name} has constraints of the kind {SENSES[code]!r}, "
                    "which the training set did not show"
                )
            drawn = self._draw(code, "degree", members.size, rng)
            degrees[members] = np.clip(np.round(drawn), 0, milp.n_cols).astype(np.int64)
            sides[:, members] = self._sides(code, members.size, rng)
        columns = [rng.choice(milp.n_cols, size=d, replace=False) for d in degrees.tolist()]
        indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
        values = np.zeros(indptr[-1])
        entry_sense = np.repeat(sense, degrees)
        for code in np.unique(entry_sense).tolist():
            entries = np.flatnonzero(entry_sense == code)
            values[entries] = self._weights(code, entries.size, rng)
        return RowPatch(
            rows=rows,
            lower=sides[0],
            upper=sides[1],
            indptr=indptr,
            indices=np.concatenate([np.zeros(0, np.int64), *columns]).astype(np.int32),
            values=values,
        )

    def _sides(self, code: int, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Lower and upper sides of new rows of one sense. Shape: (2, size)."""
        side = self._draw(code, "side", size, rng)
        none = np.full(size, np.inf)
        if code == 3:
            width = self._draw(code, "width", size, rng)
            lower = side - width
            # A range stays one, even where the width is lost in rounding.
            return np.stack([np.where(lower < side, lower, np.nextafter(side, -np.inf)), side])
        return np.stack([(-none, side), (side, none), (side, side)][code])

    def _weights(self, code: int, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Coefficients; a zero becomes the training value nearest to it."""
        pool = self.marginals_.get((code, "weight"))
        if pool is None:  # rows of this sense were all empty
            return np.ones(size)
        values = self._draw(code, "weight", size, rng)
        return np.where(values == 0, pool.values[np.abs(pool.values).argmin()], values)

    def _draw(
        self, code: int, part: str, size: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        pool = self.marginals_[code, part]
        values = self._from_pool(pool, size, rng)
        return np.round(values) if self.integers and pool.is_integer else values

    def _from_pool(self, pool: Pool, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return pool.uniform(size, rng)

    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        return to_arrays(self.marginals_), {"integers": self.integers}

    @classmethod
    def _from_state(cls, arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> Self:
        integers = values.get("integers")
        if not isinstance(integers, bool):
            raise DamagedArtifact(cls.kind, "the option 'integers' is missing")
        generator = cls(integers=integers)
        generator.marginals_ = from_arrays(arrays, cls.kind)
        return generator


class RandomMarginal(Random):
    """Draws with the frequencies of the training set instead of uniform ones."""

    kind: ClassVar[str] = "random-marginal"

    def _from_pool(self, pool: Pool, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return pool.resampled(size, rng)
