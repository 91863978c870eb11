"""`G2SAT`: learn which constraints may be merged, then merge single entries into whole instances.

Choices that the paper leaves open, made here: splitting keeps each entry's coefficient; rows that
share a variable are never merged; merging stops at the template's number of rows; the sides of a
merged row are those of a random training row of the nearest degree (`sides="like"`), or the sums of
the sides of the rows that its entries come from (`sides="sum"`); variables, their objective,
kinds and bounds are the template's. Training draws `training_pairs` pairs instead of G2SAT's
million (5,000 × 201 epochs), which changes little for a classifier of 3,300 weights and fits a
laptop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from g2milp.baselines.g2sat.sides import Sides
from g2milp.baselines.g2sat.splitting import split_history
from g2milp.errors import DamagedArtifact, UnavailableError, UsageError
from g2milp.generation.contract import Draft, Generator, Redrawn, SampleOptions
from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.baselines.g2sat.network import MergeScorer
    from g2milp.datasets.dataset import Dataset

CANDIDATES = 20_000
"""Partners that are scored at most for one merge, as in G2SAT."""

BATCH = 64
SIDES = ("like", "sum")


class G2SAT(Generator):
    """G2SAT for MILPs (You et al., 2019; the paper's appendix E.1 for independent sets).

    The template gives the variables and their degrees; its rows are taken apart completely,
    whatever the mask ratio. Sums of sides make packing rows redundant and the instances trivial, as
    the paper's nearly are; with sides of like rows they get much harder than the training set.
    """

    kind: ClassVar[str] = "g2sat"
    edits_templates: ClassVar[bool] = False

    def __init__(
        self,
        *,
        mask_ratio: float = 0.1,
        seed: int = 0,
        training_pairs: int = 6400,
        sides: str = "like",
    ) -> None:
        super().__init__(mask_ratio=mask_ratio, seed=seed)
        if training_pairs < 1:
            raise UsageError(f"training_pairs must be positive, not {training_pairs}")
        if sides not in SIDES:
            raise UsageError(f"sides is {' or '.join(SIDES)}, not {sides!r}")
        self.training_pairs = training_pairs
        self.sides = sides
        self.scorer_: MergeScorer | None = None
        self.sides_: Sides | None = None
        self.losses_: list[float] = []

    def _fit(self, data: Dataset, **how: Any) -> None:
        if how:
            raise UsageError(f"g2sat learns without options, not with {', '.join(sorted(how))}")
        _require_torch()
        from g2milp.baselines.g2sat.learning import learn
        from g2milp.generation.g2milp import one_thread

        milps = list(data)
        with one_thread():
            self.scorer_, self.losses_ = learn(milps, self.training_pairs, BATCH, self.seed)
        self.sides_ = Sides.of(milps)

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        from g2milp.generation.g2milp import one_thread

        with one_thread():
            return [Redrawn(whole=self._merged(draft)) for draft in drafts]

    def _merged(self, draft: Draft) -> Milp:
        from g2milp.baselines.g2sat.merging import merge

        assert self.scorer_ is not None
        assert self.sides_ is not None
        milp = draft.template
        history = split_history(milp, draft.rng)
        clause, n_clauses = merge(milp, history.variable, self.scorer_, draft.rng, CANDIDATES)
        order = np.argsort(clause, kind="stable")
        degrees = np.bincount(clause, minlength=n_clauses)
        if self.sides == "like":
            lower, upper = self.sides_.draw(degrees, draft.rng)
        else:
            lower, upper = (
                np.bincount(clause, weights=side[milp.entry_rows], minlength=n_clauses).astype(
                    np.float64
                )
                for side in (milp.row_lower, milp.row_upper)
            )
        return Milp.build(
            name=f"g2sat-{draft.number:05d}",
            sense=milp.sense,
            offset=milp.offset,
            objective_name=milp.objective_name,
            objective=milp.objective,
            col_lower=milp.col_lower,
            col_upper=milp.col_upper,
            kinds=milp.kinds,
            col_names=milp.col_names,
            row_lower=lower,
            row_upper=upper,
            indptr=np.concatenate([[0], np.cumsum(degrees)]),
            indices=history.variable[order],
            values=milp.values[order],
        )

    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        assert self.scorer_ is not None
        assert self.sides_ is not None
        weights = {
            f"scorer.{name}": tensor.detach().numpy().copy()
            for name, tensor in self.scorer_.state_dict().items()
        }
        return weights | self.sides_.to_arrays(), {
            "training_pairs": self.training_pairs,
            "sides": self.sides,
        }

    @classmethod
    def _from_state(cls, arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> Self:
        _require_torch()
        import torch

        from g2milp.baselines.g2sat.network import MergeScorer

        pairs, sides = values.get("training_pairs"), values.get("sides")
        if not isinstance(pairs, int) or sides not in SIDES:
            raise DamagedArtifact("g2sat", "not the state of a G2SAT generator")
        generator = cls(training_pairs=pairs, sides=sides)
        scorer = MergeScorer()
        expected = scorer.state_dict()
        given = {k.removeprefix("scorer."): v for k, v in arrays.items() if k.startswith("scorer.")}
        if set(given) != set(expected) or any(
            tuple(given[k].shape) != tuple(expected[k].shape) for k in expected
        ):
            raise DamagedArtifact("g2sat", "weights of an unknown shape")
        scorer.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in given.items()})
        generator.scorer_, generator.sides_ = scorer.eval(), Sides.from_arrays(arrays)
        return generator


def _require_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise UnavailableError(
            "G2SAT needs torch, which is not installed", hint="pip install 'g2milp[train]'"
        ) from error
