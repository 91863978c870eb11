"""Rewire: masked rows exchange their entries, degrees stay; no training, one instance suffices.

The yardstick of every learned generator, and a product of its own. By default the exchange is
*typed* (like with like only) and *simple* (rules that hold in all training instances are kept).
What it cannot do: new degree sequences, new sides, new coefficient values, other sizes; and where
rows share data in ways that the rules do not express, it breaks their meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.generation.contract import Draft, Generator, Redrawn, SampleOptions
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.groups import one_group
from g2milp.generation.exchange.invariants import Invariants, discover
from g2milp.generation.exchange.structure import Structure, discover_structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset


class Rewire(Generator):
    """Degree-preserving exchange between masked rows.

    Parameters
    ----------
    typed
        Exchange only within coarse groups of like rows and like columns.
    simple
        Keep the invariants that hold in all training instances.
    order
        Typed and simple: also keep the order in which conflict graphs come apart, where trial
        exchanges show that the family has one. Without it rewired independent sets take a fifth
        less work than their templates. What rows share otherwise is left to G2MILP.
    effort
        Moves that are tried for each masked entry.
    """

    kind: ClassVar[str] = "rewire"

    def __init__(
        self,
        *,
        mask_ratio: float = 0.1,
        seed: int = 0,
        typed: bool = True,
        simple: bool = True,
        order: bool = True,
        effort: float = 15.0,
    ) -> None:
        super().__init__(mask_ratio=mask_ratio, seed=seed)
        if not 0.0 < effort <= 10_000.0:
            raise UsageError(f"effort must lie in (0, 10000], not {effort}")
        self.typed = typed
        self.simple = simple
        self.order = order
        self.effort = float(effort)
        self.invariants_: Invariants | None = None
        self.structure_ = Structure()

    def describe(self) -> list[str]:
        """The rules found in the data, one sentence each."""
        self.require_fitted()
        rules = self.invariants_.describe() if self.invariants_ else []
        return [*rules, *self.structure_.describe()]

    def _fit(self, data: Dataset, **how: Any) -> None:
        if how:
            raise UsageError(f"rewire learns without options, not with {', '.join(sorted(how))}")
        self.structure_ = Structure()
        if not self.simple:
            self.invariants_ = None
        elif self.typed:
            self.invariants_ = discover(data)
            if self.order:
                peeled = discover_structure(data, self.invariants_).peeled
                self.structure_ = Structure(peeled=peeled)
        else:  # the rules of the one group that the untyped exchange knows
            self.invariants_ = discover(
                data, lambda milp: one_group(milp.n_rows), lambda milp: one_group(milp.n_cols)
            )

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        redrawn = []
        for draft in drafts:
            patch, moves = exchange(
                draft.template,
                draft.masked_rows,
                draft.rng,
                invariants=self.invariants_,
                typed=self.typed,
                effort=self.effort,
                structure=self.structure_,
            )
            notes = {
                "exchanges": moves.exchanged,
                "permutations": moves.permuted,
                "refused": moves.refused,
            }
            redrawn.append(Redrawn(rows=patch, notes=notes))
        return redrawn

    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        return {}, {
            "typed": self.typed,
            "simple": self.simple,
            "order": self.order,
            "peeled": sorted(self.structure_.peeled),
            "effort": self.effort,
            "invariants": self.invariants_.to_dict() if self.invariants_ else None,
        }

    @classmethod
    def _from_state(cls, arrays: dict[str, NDArray[np.generic]], values: dict[str, Any]) -> Self:
        try:
            typed, simple = bool(values["typed"]), bool(values["simple"])
            generator = cls(
                typed=typed,
                simple=simple,
                order=bool(values["order"]),
                effort=float(values["effort"]),
            )
            found, peeled = values["invariants"], values["peeled"]
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedArtifact("rewire", f"not the state of a rewire ({error})") from error
        if found is not None:
            generator.invariants_ = Invariants.from_dict(found)
        generator.structure_ = Structure.from_dict({"peeled": peeled}, source="rewire")
        return generator
