"""What is compared with what: repeats, held-out share, amounts added, sizes of the real set."""

from __future__ import annotations

import math
from dataclasses import dataclass

from g2milp.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The same for every training set and every task.

    Attributes
    ----------
    repeats
        How often everything is repeated with another split, draw, order and initial weights.
    validation_share
        The share of the real instances that is held out of training and chooses the epoch.
    added
        Generated instances that are added, each number a training set of its own; a float is a
        share of the real instances.
    sizes
        Numbers of real instances to learn from (the first of the set); none means all.
    """

    repeats: int = 5
    validation_share: float = 0.2
    added: tuple[int | float, ...] = (20,)
    sizes: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if self.repeats < 1:
            raise UsageError(f"repeats must be at least 1, not {self.repeats}")
        if not 0 <= self.validation_share < 1:
            raise UsageError(f"validation_share must lie in [0, 1), not {self.validation_share}")
        if not self.added or any(not 0 < number < math.inf for number in self.added):
            raise UsageError("what is added must be a positive number or share")
        if any(size < 1 for size in self.sizes):
            raise UsageError("a training set has at least one instance")

    def count(self, number: float, real: int) -> int:
        """How many generated instances `number` stands for beside `real` ones."""
        return max(1, round(number * real)) if isinstance(number, float) else int(number)

    def arm(self, name: str, number: float | None, size: int) -> str:
        """What a training set is called; amounts and sizes only where there are several."""
        more = ""
        if number is not None and len(self.added) > 1:
            more = f" +{number:.0%}" if isinstance(number, float) else f" +{number}"
        return f"{name}{more}{f' of {size}' if self.sizes else ''}"
