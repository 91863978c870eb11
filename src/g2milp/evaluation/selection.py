"""Which checkpoint of a training is the best, judged by what it generates.

`BySimilarity` scores a small generated set. `ByHardness` is the paper's choice (appendix B.2): the
error of effort and branching nodes against the training instances. It looks at a measure that the
model is judged by in the end, so results selected in this way must be named so. Effort is counted
in deterministic work, not in seconds as the paper does; censored solves count with their limit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from g2milp.solvers.base import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.evaluate import Judge
    from g2milp.generation.g2milp import G2MILP
    from g2milp.instance.milp import Milp
    from g2milp.models.masked_vae.state import Model

GENERATED = 20
"""Instances that are made to judge one checkpoint."""


@dataclass(eq=False)
class BySimilarity:
    """One minus the similarity of a small generated set to the training instances.

    Parameters
    ----------
    generator
        The one that is being fitted; it is handed the model of the moment.
    """

    generator: G2MILP
    suite: str = "v1"
    seed: int = 0
    name: str = field(default="similarity", init=False)
    _judge: Judge | None = field(default=None, init=False)

    def __call__(self, model: Model, data: Dataset) -> float:
        """Less is better."""
        from g2milp.datasets.dataset import as_dataset
        from g2milp.evaluation.evaluate import EvaluationOptions, Judge

        if self._judge is None:  # the training instances stay the same: measure them once
            options = EvaluationOptions(suite=self.suite, two_sample=False, seed=self.seed)
            self._judge = Judge(data, options)
        new = _generate(self.generator, model, data, self.seed)
        return 1.0 - self._judge.judge("generated", as_dataset(new)).score


@dataclass(eq=False)
class ByHardness:
    """Mean relative error of work and nodes of a small generated set."""

    generator: G2MILP
    solver: str = "highs"
    seed: int = 0
    node_limit: int = 2000
    name: str = field(default="hardness", init=False)
    _reference: tuple[float, float] | None = field(default=None, init=False)

    def __call__(self, model: Model, data: Dataset) -> float:
        """Less is better."""
        if self._reference is None:
            first = data.subset(range(min(len(data), GENERATED)))
            self._reference = self._effort(first)
        found = self._effort(_generate(self.generator, model, data, self.seed))
        errors = [
            abs(new - old) / max(old, 1.0) for new, old in zip(found, self._reference, strict=True)
        ]
        return float(np.mean(errors))

    def _effort(self, milps: Iterable[Milp]) -> tuple[float, float]:
        """Mean work and mean nodes."""
        from g2milp.solvers.registry import get_ready

        solver = get_ready(self.solver)
        limits = Limits(nodes=self.node_limit)
        outcomes = [solver.solve(milp, seed=self.seed, limits=limits) for milp in milps]
        work = [outcome.work or 0.0 for outcome in outcomes]
        nodes = [float(outcome.nodes or 0) for outcome in outcomes]
        return float(np.mean(work)), float(np.mean(nodes))


def _generate(generator: G2MILP, model: Model, data: Dataset, seed: int) -> list[Milp]:
    generator.model_, generator.templates_ = model, data
    return generator.sample(GENERATED, seed=seed, templates=data)
