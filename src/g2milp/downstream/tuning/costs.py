"""What a configuration costs on instances: deterministic effort from solves in a ledger.

    cost(c, S) = exp(mean_{i ∈ S} ln(w_i(c) + 10)) − 10

with w the simplex iterations, a mean over seeds. A solve that a limit ended counts ten times the
effort that it had taken; one that failed, or whose claim was found wrong, counts as the worst of
its instance times ten.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.downstream.tuning.space import HIGHS, Configuration, options
from g2milp.execution.ledger import files_of, merged
from g2milp.solvers.base import Checked, Limits, Status
from g2milp.solvers.labelling import Plan, label
from g2milp.solvers.records import KEY
from g2milp.solvers.settings import settings_hash, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset

SHIFT = 10.0
PENALTY = 10.0


@dataclass(eq=False)
class Costs:
    """Solves what it does not know, and remembers it in the ledger."""

    ledger: Path
    limits: Limits
    seeds: tuple[int, ...]
    jobs: int = 1
    advance: Callable[..., None] = lambda items=1, note="": None
    _known: dict[tuple[str, str], dict[int, dict[str, Any]]] = field(
        default_factory=dict, init=False
    )

    def __post_init__(self) -> None:
        if files_of(self.ledger):
            for line in merged(self.ledger, KEY):
                self._keep(line)

    def of(self, configuration: Configuration, data: Dataset, measure: str = "work") -> list[float]:
        """The effort of each instance under a configuration, solved if need be."""
        chosen = options(HIGHS, configuration)
        plan = Plan(solver="highs", seeds=self.seeds, limits=self.limits, options=dict(chosen))
        key = settings_hash(settings_of(self.limits, options=chosen))
        hashes = [data.content_hash(i) for i in range(len(data))]
        missing = [
            i for i, h in enumerate(hashes) if len(self._known.get((key, h), ())) < len(self.seeds)
        ]
        if missing:
            label(data.subset(missing), self.ledger, plan, jobs=self.jobs, progress=self._note)
        return [self._effort(key, h, measure) for h in hashes]

    def cost(self, configuration: Configuration, data: Dataset, measure: str = "work") -> float:
        """The shifted geometric mean over the instances."""
        return shifted_mean(self.of(configuration, data, measure))

    def _note(self, line: dict[str, Any] | None) -> None:
        if line is not None:
            self._keep(line)
        self.advance(1, note="" if line is None else str(line["instance"]))

    def _keep(self, line: dict[str, Any]) -> None:
        key = (line["settings_hash"], line["instance_hash"])
        self._known.setdefault(key, {})[line["seed"]] = line

    def _effort(self, key: str, instance: str, measure: str) -> float:
        lines = self._known.get((key, instance), {})
        return float(np.mean([self._of_line(lines.get(s), instance, measure) for s in self.seeds]))

    def _of_line(self, line: dict[str, Any] | None, instance: str, measure: str) -> float:
        if line is None or line[measure] is None or _is_wrong(line):
            worst = [
                other[measure]
                for (_, name), of in self._known.items()
                if name == instance
                for other in of.values()
                if other[measure] is not None
            ]
            return PENALTY * max(worst, default=1.0)
        factor = PENALTY if Status(line["status"]).is_censored else 1.0
        return factor * float(line[measure])


def shifted_mean(efforts: Sequence[float], shift: float = SHIFT) -> float:
    """Ruled neither by the few hardest instances nor by the trivial ones."""
    return float(np.exp(np.mean(np.log(np.asarray(efforts) + shift))) - shift)


def _is_wrong(line: dict[str, Any]) -> bool:
    return line["status"] in (Status.ERROR, Status.CRASHED) or line["checked"] == Checked.WRONG
