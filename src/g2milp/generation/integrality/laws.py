"""`Laws`: ranges, signs and wholeness of a family's numbers, learned per class of row and column.

Integer data stay integer where the training data were, not by a global switch: the coefficients of
one class of row on one class of column may be whole and positive while the next has fractions. What
is learned of a group of numbers is its `Law`: smallest and largest, whether all were whole, whether
all were the same. A template whose numbers lie far outside the laws is refused by a trained model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.integrality.classes import (
    column_classes,
    column_word,
    row_classes,
    row_word,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

MARGIN = 0.25
"""How far beyond a learned range a template may reach, as a share of the range's width.

The extremes of a sample are not those of its family: the next instance is a little larger or
smaller somewhere. A group that was constant has no width, and signs never widen.
"""


@dataclass(frozen=True)
class Law:
    """What held for every number of a group."""

    low: float
    high: float
    whole: bool

    @property
    def is_constant(self) -> bool:
        """Whether there was one value only."""
        return self.low == self.high

    def admits(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which values keep the law."""
        inside: NDArray[np.bool_] = (values >= self.low) & (values <= self.high)
        return inside & (values == np.rint(values)) if self.whole else inside

    def bent(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The nearest values that keep the law."""
        rounded = np.rint(values) if self.whole else values
        bent: NDArray[np.float64] = np.clip(rounded, self.low, self.high) + 0.0
        return bent

    def is_near(self, other: Law) -> bool:
        """Whether a group of the same family may have the law `other`."""
        low, high = self._widened()
        return low <= other.low and other.high <= high

    def nearly_admits(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which values another instance of the family may have in such a place."""
        low, high = self._widened()
        near: NDArray[np.bool_] = (values >= low) & (values <= high)
        return near & (values == np.rint(values)) if self.whole else near

    def _widened(self) -> tuple[float, float]:
        slack = MARGIN * (self.high - self.low)
        low, high = self.low - slack, self.high + slack
        low = max(low, 0.0) if self.low >= 0 else low
        return low, min(high, 0.0) if self.high <= 0 else high

    def joined(self, other: Law) -> Law:
        """The law of both groups together."""
        return Law(min(self.low, other.low), max(self.high, other.high), self.whole and other.whole)


@dataclass(frozen=True)
class Laws:
    """All laws of a family, by words that mean the same in every instance.

    `lower`, `upper` are of row sides by row class; `coefficients` by row class and column class;
    `objective`, `col_lower`, `col_upper` by column class.
    """

    lower: dict[str, Law] = field(default_factory=dict)
    upper: dict[str, Law] = field(default_factory=dict)
    coefficients: dict[str, Law] = field(default_factory=dict)
    objective: dict[str, Law] = field(default_factory=dict)
    col_lower: dict[str, Law] = field(default_factory=dict)
    col_upper: dict[str, Law] = field(default_factory=dict)

    @classmethod
    def learn(cls, milps: Iterable[Milp]) -> Laws:
        """The laws that all instances obey."""
        laws = cls()
        for milp in milps:
            for name, found in _laws_of(milp).items():
                table: dict[str, Law] = getattr(laws, name)
                for word, law in found.items():
                    table[word] = table[word].joined(law) if word in table else law
        return laws

    def strange(self, milp: Milp) -> list[str]:
        """What of an instance the laws do not cover, in words; empty when it is of the family."""
        found = []
        for name, mine in _laws_of(milp).items():
            table: dict[str, Law] = getattr(self, name)
            for word, law in mine.items():
                if word not in table:
                    found.append(f"{_WORDS[name]} of {word!r}: there were none in training")
                elif not table[word].is_near(law):
                    found.append(
                        f"{_WORDS[name]} of {word!r}: {law.low:g} … {law.high:g}, "
                        f"in training {table[word].low:g} … {table[word].high:g}"
                    )
        return found

    def as_json(self) -> dict[str, Any]:
        """The laws as JSON values."""
        return {
            name: {
                word: [law.low, law.high, law.whole] for word, law in getattr(self, name).items()
            }
            for name in _WORDS
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any], where: str) -> Laws:
        """The inverse of `as_json`; refuses everything else."""
        laws = cls()
        for name in _WORDS:
            table = content.get(name)
            if not isinstance(table, dict):
                raise DamagedArtifact(where, f"the laws of {name!r} are missing")
            for word, entry in table.items():
                getattr(laws, name)[str(word)] = _law(entry, where)
        return laws


_WORDS = {
    "lower": "left sides",
    "upper": "right sides",
    "coefficients": "coefficients",
    "objective": "objective coefficients",
    "col_lower": "lower bounds",
    "col_upper": "upper bounds",
}


def coefficient_word(row_class: int, column_class: int) -> str:
    """Key of the coefficients of a row class on a column class."""
    return f"{row_word(row_class)} | {column_word(column_class)}"


def _laws_of(milp: Milp) -> dict[str, dict[str, Law]]:
    rows, cols = row_classes(milp), column_classes(milp)
    pair = rows[milp.entry_rows] * 32 + cols[milp.indices]
    return {
        "lower": _by_class(rows, milp.row_lower, row_word),
        "upper": _by_class(rows, milp.row_upper, row_word),
        "coefficients": _by_class(
            pair, milp.values, lambda p: coefficient_word(int(p) // 32, int(p) % 32)
        ),
        "objective": _by_class(cols, milp.objective, column_word),
        "col_lower": _by_class(cols, milp.col_lower, column_word),
        "col_upper": _by_class(cols, milp.col_upper, column_word),
    }


def _by_class(classes: NDArray[np.int64], values: NDArray[np.float64], word: Any) -> dict[str, Law]:
    """The law of the finite values of each class that occurs."""
    found = {}
    finite = np.isfinite(values)
    for c in np.unique(classes[finite]).tolist():
        group = values[finite & (classes == c)]
        whole = bool(np.all(group == np.rint(group)))
        found[word(c)] = Law(float(group.min()), float(group.max()), whole)
    return found


def _law(entry: object, where: str) -> Law:
    if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[2], bool):
        raise DamagedArtifact(where, f"{entry!r} is no law")
    low, high = entry[0], entry[1]
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in (low, high)):
        raise DamagedArtifact(where, f"{entry!r} is no law")
    if not low <= high:
        raise DamagedArtifact(where, f"{entry!r} is no range")
    return Law(float(low), float(high), entry[2])
