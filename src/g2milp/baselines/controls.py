"""Two controls for the metrics: an exact copy, and a copy with a little noise in its numbers.

A score that a copy wins says nothing about generation; a score that noise of one per cent does not
lower is blind. Neither is meant to be used for anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.generation.contract import Draft, Generator, Redrawn, SampleOptions
from g2milp.instance.edit import RowPatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset


class Copy(Generator):
    """Returns the template, bit for bit, whatever the mask ratio."""

    kind: ClassVar[str] = "copy"

    def _fit(self, data: Dataset, **how: Any) -> None:
        _refuse_options(self.kind, how)

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        return [Redrawn() for _ in drafts]

    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        return {}, {}

    @classmethod
    def _from_state(cls, arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> Self:
        return cls()


class Perturb(Generator):
    """Multiplies coefficients and finite sides of masked rows by 1 + noise · N(0, 1).

    No coefficient becomes zero; the structure of the matrix stays as it is.

    Parameters
    ----------
    noise
        Standard deviation of the factors.
    integers
        Round integers to integers again. Where all numbers are small ones, as in independent sets,
        nothing changes then.
    """

    kind: ClassVar[str] = "perturb"

    def __init__(
        self,
        *,
        mask_ratio: float = 0.1,
        seed: int = 0,
        noise: float = 0.01,
        integers: bool = True,
    ) -> None:
        super().__init__(mask_ratio=mask_ratio, seed=seed)
        if not 0.0 <= noise <= 1.0:
            raise UsageError(f"noise must lie in [0, 1], not {noise}")
        self.noise = float(noise)
        self.integers = integers

    def _fit(self, data: Dataset, **how: Any) -> None:
        _refuse_options(self.kind, how)

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        return [Redrawn(rows=self._perturbed(draft)) for draft in drafts]

    def _perturbed(self, draft: Draft) -> RowPatch:
        milp, rows = draft.template, draft.masked_rows
        lengths = milp.row_degrees[rows]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        entries = np.repeat(milp.indptr[rows], lengths) + within
        # One factor a side pair: an equality stays one, and a range keeps its order.
        factor = 1.0 + self.noise * np.clip(draft.rng.standard_normal(rows.size), -3, 3)
        lower, upper = milp.row_lower[rows], milp.row_upper[rows]
        new_lower = _scaled(lower, factor, self.integers)
        new_upper = _scaled(upper, factor, self.integers)
        swapped = new_lower > new_upper
        equal, was_equal = new_lower == new_upper, lower == upper
        keep = swapped | (equal & ~was_equal)
        noise = 1.0 + self.noise * np.clip(draft.rng.standard_normal(entries.size), -3, 3)
        return RowPatch(
            rows=rows,
            lower=np.where(keep, lower, new_lower),
            upper=np.where(keep, upper, new_upper),
            indptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            indices=milp.indices[entries],
            values=_scaled(milp.values[entries], noise, self.integers),
        )

    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        return {}, {"noise": self.noise, "integers": self.integers}

    @classmethod
    def _from_state(cls, arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> Self:
        noise, integers = values.get("noise"), values.get("integers", True)
        if not isinstance(noise, (int, float)) or not isinstance(integers, bool):
            raise DamagedArtifact("perturb", "the noise is missing")
        return cls(noise=noise, integers=integers)


def _scaled(
    numbers: NDArray[np.float64], factor: NDArray[np.float64], integers: bool
) -> NDArray[np.float64]:
    """Numbers times factors; `integers` stay integers, nothing becomes zero that was not."""
    finite = np.isfinite(numbers)
    moved = np.where(finite, np.where(finite, numbers, 0.0) * factor, numbers)
    whole = finite & (numbers == np.round(numbers)) & integers
    moved = np.where(whole, np.round(moved), moved)
    return np.where(moved == 0, numbers, moved)


def _refuse_options(kind: str, how: dict[str, Any]) -> None:
    if how:
        raise UsageError(f"{kind} learns without options, not with {', '.join(sorted(how))}")
