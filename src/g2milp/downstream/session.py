"""What every task begins with: its folder, its sets, their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from g2milp.downstream.augmentation import REAL_ONLY
from g2milp.downstream.labels import Label, label_missing, read_labels, unlabelled_in
from g2milp.downstream.runs import claim
from g2milp.errors import UsageError
from g2milp.solvers.base import Limits
from g2milp.solvers.labelling import Plan

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset
    from g2milp.downstream.augmentation import Augmentation

Bar: TypeAlias = Callable[[str, int], AbstractContextManager[Callable[..., None]]]
"""Shows progress: ``bar("Training", 25)`` gives ``advance(items, note=…)``."""

LABELS = "labels"
FIXED = ("task", "train", "test")
"""What makes a folder one piece of work; the rest may be added to."""


@contextmanager
def no_bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    """Nobody watches."""
    yield lambda items=1, note="": None


@dataclass(frozen=True, kw_only=True, eq=False)
class Session:
    """The sets of a task and how its work is done.

    Attributes
    ----------
    folder
        Where labels, ledger of runs and result are kept.
    train, test, augmentations
        Real instances to learn from and to test on; generated ones by what they are called.
    ledgers
        Ledgers of `g2milp solve` with optimal values; what they lack is solved by `solver`.
    """

    folder: Path
    train: Dataset
    test: Dataset
    augmentations: Mapping[Augmentation, Sequence[Dataset]] = field(default_factory=dict)
    ledgers: Sequence[Path] = ()
    solver: str = "highs"
    time_limit: float | None = 300.0
    jobs: int = 1
    resume: bool = False
    overwrite: bool = False
    bar: Bar = no_bar

    @property
    def sets(self) -> list[Dataset]:
        """All of them."""
        return [self.train, self.test, *(d for of in self.augmentations.values() for d in of)]

    def claim(self, task: str, protocol: Any) -> dict[str, Any]:
        """Make the folder this task's; gives the settings that the result tells."""
        names = [augmentation.name for augmentation in self.augmentations]
        if len(set(names)) < len(names):
            raise UsageError(f"two augmentations have one name: {', '.join(sorted(names))}")
        if any(name.startswith(REAL_ONLY) for name in names):
            raise UsageError(f"{REAL_ONLY!r} is what the sets without augmentation are called")
        settings = {
            "task": task,
            "protocol": asdict(protocol),
            "solver": self.solver,
            "time_limit": self.time_limit,
            "train": _described(self.train),
            "test": _described(self.test),
            "augmentations": {
                augmentation.name: [_described(data) for data in of]
                for augmentation, of in self.augmentations.items()
            },
        }
        claim(self.folder, settings, FIXED, resume=self.resume, overwrite=self.overwrite)
        return settings

    def labels(self) -> dict[str, Label]:
        """The optimum of every instance, where it is known or can be found in time."""
        own = self.folder / LABELS
        plan = Plan(solver=self.solver, seeds=(0,), limits=Limits(seconds=self.time_limit))
        known = read_labels([*self.ledgers, own])
        missing = sum(len(unlabelled_in(data, known, self.time_limit)) for data in self.sets)
        with self.bar("Solving", missing) as advance:
            return label_missing(
                self.sets, self.ledgers, own, plan, jobs=self.jobs, advance=advance
            )


def _described(data: Dataset) -> dict[str, Any]:
    return {"instances": len(data), "hash": data.hash}
