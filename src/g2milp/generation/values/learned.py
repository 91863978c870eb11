"""`Values`: what was learned about the numbers of rows, and how masked rows get new ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.engine import entries_of
from g2milp.generation.values.coefficients import Coefficients
from g2milp.generation.values.sides import Sides
from g2milp.instance.edit import RowPatch, replace_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.instance.milp import Milp


@dataclass(frozen=True)
class Values:
    """Distributions of sides and of coefficients; what is in neither stays as it is."""

    sides: Sides = field(default_factory=Sides)
    coefficients: Coefficients = field(default_factory=Coefficients)

    @classmethod
    def learn(cls, milps: Sequence[Milp], invariants: Invariants) -> tuple[Values, Invariants]:
        """From the training instances; also the invariants with what was found about costs."""
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is kept, see `evidence`
            coefficients, sharper = Coefficients.learn(milps, invariants)
            held = {row for (row, _), block in coefficients.blocks.items() if block.by_side}
            return cls(Sides.learn(milps).without(held), coefficients), sharper

    def redrawn(
        self,
        milp: Milp,
        rows: NDArray[np.int64],
        keep: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> Milp:
        """The instance with new numbers in `rows`; `keep` are entries of theirs that stay."""
        entries = entries_of(milp, rows)
        lengths = milp.row_degrees[rows]
        values = self.coefficients.redrawn(milp, entries, rng)
        values[keep] = milp.values[entries][keep]
        lower, upper = self.sides.redrawn(milp, rows, rng)
        return replace_rows(
            milp,
            RowPatch(
                rows=rows,
                lower=lower,
                upper=upper,
                indptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
                indices=milp.indices[entries],
                values=values,
            ),
        )

    def as_json(self) -> dict[str, Any]:
        """JSON values; `from_json` is the inverse."""
        return {"sides": self.sides.as_json(), "coefficients": self.coefficients.as_json()}

    @classmethod
    def from_json(cls, content: object, where: str) -> Values:
        """Read back; refuses everything else."""
        if not isinstance(content, dict):
            raise DamagedArtifact(where, "`values` are missing")
        return cls(
            Sides.from_json(content.get("sides"), where),
            Coefficients.from_json(content.get("coefficients"), where),
        )
