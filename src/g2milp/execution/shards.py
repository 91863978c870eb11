"""Shards: fixed equal parts of the work, for machines that know nothing of each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Shard:
    """Part `index` (from 0) of `count`: the items at positions index, index + count and so on.

    Neighbours differ least, so parts that take every n-th item need about the same time.
    """

    index: int = 0
    count: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise UsageError(f"there is no part {self.index + 1} of {self.count}")

    def of(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """The items that belong to this part."""
        return islice(items, self.index, None, self.count)


WHOLE = Shard()
