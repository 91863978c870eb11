"""The training sets of a comparison: which split, which draw, one by one.

A training set is the real part of a repeat's split, alone or with instances drawn from one
augmentation. All training sets of a repeat share split, test set, order and initial weights.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.datasets.dataset import Dataset
from g2milp.downstream.augmentation import REAL_ONLY, Augmentation, draw, split_families
from g2milp.downstream.labels import Label, Labelled, labelled
from g2milp.downstream.leakage import Identity, identify, require_apart
from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from g2milp.downstream.comparison import Comparison


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainingSet:
    """One arm of one repeat: what is learned from, and what chooses the epoch.

    `names` stand for the members with their structure, so that two equal lists are equal sets.
    """

    arm: str
    repeat: int
    seed: int
    train: Dataset
    values: NDArray[np.float64]
    held: Dataset
    held_values: NDArray[np.float64]
    names: tuple[str, ...]
    facts: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Sets:
    """All instances that have a label, and what each is known by."""

    real: Labelled
    test: Labelled
    pools: dict[Augmentation, list[Labelled]]
    known: dict[str, list[Identity]]
    facts: dict[str, Any]

    def pool_identities(self, augmentation: Augmentation) -> list[list[Identity]]:
        """Those of each generated set of an augmentation."""
        count = len(self.pools[augmentation])
        return [self.known[_key(augmentation, i)] for i in range(count)]


def gather(
    train: Dataset,
    test: Dataset,
    augmentations: Mapping[Augmentation, Sequence[Dataset]],
    labels: Mapping[str, Label],
) -> Sets:
    """Keep what has a label; stop if test instances are kin of anything else."""
    real, tested = labelled(train, labels), labelled(test, labels)
    pools = {a: [labelled(data, labels) for data in sets] for a, sets in augmentations.items()}
    if len(real.data) < 2 or not len(tested.data):
        raise UsageError(
            f"{len(real.data)} of {len(train)} training and {len(tested.data)} of {len(test)} "
            "test instances have a known optimum: too few",
            hint="Raise --time-limit, or give ledgers of `g2milp solve`.",
        )
    generated = {_key(a, i): pool.data for a, of in pools.items() for i, pool in enumerate(of)}
    if len(generated) < sum(map(len, pools.values())):  # one would hide from the guard
        raise UsageError("two sets to add have one name", hint="Use NAME=DATA.")
    known = identify({"train": real.data, "test": tested.data}, generated)
    guard = require_apart(
        {
            "train": [*known["train"], *(one for key in generated for one in known[key])],
            "test": known["test"],
        }
    )
    counted = {"train": _counted(real, len(train)), "test": _counted(tested, len(test))}
    for augmentation, of in pools.items():
        for i, (pool, data) in enumerate(zip(of, augmentations[augmentation], strict=True)):
            counted[_key(augmentation, i)] = _counted(pool, len(data))
    return Sets(real, tested, pools, known, {"labels": counted, "guard": guard})


def training_sets(sets: Sets, comparison: Comparison) -> Iterator[TrainingSet]:
    """Every arm of every repeat at every size, repeat by repeat."""
    sizes = comparison.sizes or (len(sets.real.data),)
    for size in sizes:
        if size > len(sets.real.data):
            raise UsageError(f"there are {len(sets.real.data)} labelled instances, not {size}")
    for repeat in range(comparison.repeats):
        for size in sizes:
            split = _Split(sets, size, repeat, comparison)
            yield split.training_set(comparison.arm(REAL_ONLY, None, size), None, 0)
            for augmentation in sets.pools:
                for number in comparison.added:
                    name = comparison.arm(augmentation.name, number, size)
                    count = comparison.count(number, size)
                    yield split.training_set(name, augmentation, count)


class _Split:
    """One repeat at one size: its split, from which every training set is made."""

    def __init__(self, sets: Sets, size: int, repeat: int, comparison: Comparison) -> None:
        self._sets = sets
        self._size = size
        self._repeat = repeat
        self._seed = comparison.seed + repeat
        self._known = sets.known["train"][:size]
        self._train, self._held = split_families(
            self._known, comparison.validation_share, self._seed
        )

    def training_set(self, arm: str, augmentation: Augmentation | None, count: int) -> TrainingSet:
        """The real part and `count` instances drawn from the pools of an augmentation."""
        real = self._sets.real
        parts = [real.data.subset(self._train)]
        values = [real.values[self._train]]
        members = [self._known[i] for i in self._train]
        facts = {
            "real": len(self._train),
            "validation": len(self._held),
            "size": self._size,
            "added": 0,
            "asked": count,
            "passed_over": 0,
        }
        if augmentation is not None:
            identities = self._sets.pool_identities(augmentation)
            drawn = draw(identities, count, self._forbidden(), self._seed)
            pools = self._sets.pools[augmentation]
            for pool, known, places in zip(pools, identities, drawn.chosen, strict=True):
                parts.append(pool.data.subset(places))
                values.append(pool.values[list(places)])
                members += [known[i] for i in places]
            facts |= {"added": count - drawn.short, "passed_over": drawn.excluded}
        require_apart({"train": members, "validation": [self._known[i] for i in self._held]})
        return TrainingSet(
            arm=arm,
            repeat=self._repeat,
            seed=self._seed,
            train=Dataset([member for part in parts for member in part.members]),
            values=np.concatenate(values),
            held=real.data.subset(self._held),
            held_values=real.values[self._held],
            names=tuple(f"{one.name} {one.structure}" for one in members),
            facts=facts,
        )

    def _forbidden(self) -> frozenset[str]:
        """What real instances outside of the training part are known by."""
        allowed = {key for i in self._train for key in self._known[i].kin}
        every = {key for one in self._sets.known["train"] for key in one.kin}
        return frozenset(every - allowed)


def _key(augmentation: Augmentation, place: int) -> str:
    """What a generated set is called; numbered where folders of one mixture have one name."""
    names = [folder.name for folder in augmentation.folders]
    number = f"{place + 1} " if len(set(names)) < len(names) else ""
    return f"{augmentation.name}: {number}{names[place]}"


def _counted(pool: Labelled, total: int) -> dict[str, Any]:
    """How many of a set have no label, by reason."""
    reasons = Counter(reason for _, reason in pool.unlabelled)
    return {"instances": total, "labelled": len(pool.data), "unlabelled": dict(reasons)}
