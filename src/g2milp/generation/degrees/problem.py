"""What the inner loop of the transfers works on: one instance, and its entries that may move."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Lists: TypeAlias = tuple[NDArray[np.int64], NDArray[Any]]
    """Starts and content of lists that are laid one after the other."""


@dataclass(frozen=True, eq=False)
class Problem:
    """One instance as the inner loop sees it; `row_at` and `col_at` are changed in place.

    Shapes
    ------
    indptr (m + 1,), indices (nnz,): the instance as it was; masked (m,): rows that take part
    row_at, col_at (k,): where each entry that may move stands
    row_of (m,), col_of (n,): groups; block (R · C,): the number of a free block or −1
    antichain, heads (R,): whether rows of a group contain none of it, and how many there are
    row_law, col_law: for each block, shares by degree; row_seen, col_seen: for each group, 1 for
    degrees of whole rows and columns that were seen; peers: masked rows by group; members: columns
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    masked: NDArray[np.uint8]
    row_at: NDArray[np.int32]
    col_at: NDArray[np.int32]
    row_of: NDArray[np.int32]
    col_of: NDArray[np.int32]
    block: NDArray[np.int32]
    antichain: NDArray[np.uint8]
    heads: NDArray[np.int64]
    row_law: Lists
    col_law: Lists
    row_seen: Lists
    col_seen: Lists
    peers: Lists
    members: Lists

    def arrays(self) -> list[NDArray[Any]]:
        """In the order of the native version: of lists first the starts, then the content."""
        found: list[NDArray[Any]] = []
        for item in fields(self):
            value = getattr(self, item.name)
            found += value if isinstance(value, tuple) else (value,)
        return found


def listed(parts: Sequence[NDArray[Any]]) -> Lists:
    """The lists one after the other, with their starts; shapes (len + 1,), (total,)."""
    sizes = [len(part) for part in parts]
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return start, np.concatenate([*parts]) if parts else np.zeros(0)
