"""How much of one instance another contains: shared rows and columns, nearest neighbours.

    d(a, b) = 1 − |parts(a) ∩ parts(b)| / max(|parts(a)|, |parts(b)|)

Parts are the rows (columns, coefficients, sides) and the columns (objective, bounds, kind), with
multiplicity. A changed coefficient makes a row another one. Column numbers count: instances under
another numbering share nothing here, isomorphic copies are found by their structure hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.evaluation.profile import Profile

PROBES = 384
"""Parts of an instance that are looked up to find its nearest neighbour (exactly measured then)."""

CROWD = 64
"""A part that more instances than this hold says nothing about which of them is near."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest other instance of each: its index and distance."""

    index: NDArray[np.int64]
    distance: NDArray[np.float64]


def parts_of(profile: Profile) -> NDArray[np.uint64]:
    """Sorted hashes of all rows and columns."""
    rows = profile.rows.astype(np.uint64)
    columns = profile.columns.astype(np.uint64) + np.uint64(1 << 32)
    return np.sort(np.concatenate([rows, columns]))


def distance(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> float:
    """D of two sorted multisets."""
    larger = max(a.size, b.size)
    return 1.0 - shared(a, b) / larger if larger else 0.0


def shared(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> int:
    """Size of the intersection of two sorted multisets."""
    values, counts = np.unique(a, return_counts=True)
    found = np.searchsorted(b, values, "right") - np.searchsorted(b, values, "left")
    return int(np.minimum(counts, found).sum())


def nearest(
    instances: Sequence[NDArray[np.uint64]],
    others: Sequence[NDArray[np.uint64]],
    *,
    skip_self: bool = False,
) -> Nearest:
    """For each instance the nearest of the others (`skip_self`: both are the same list)."""
    owner = np.repeat(np.arange(len(others)), [part.size for part in others])
    pool = np.concatenate([*others, np.zeros(0, dtype=np.uint64)])
    order = np.argsort(pool, kind="stable")
    pool, owner = pool[order], owner[order]
    index = np.zeros(len(instances), dtype=np.int64)
    apart = np.ones(len(instances))
    for i, parts in enumerate(instances):
        votes = _votes(parts, pool, owner, len(others))
        if skip_self:
            votes[i] = -1.0
        candidates = np.argsort(-votes, kind="stable")[:3]
        if skip_self:
            candidates = candidates[candidates != i]
        found = [distance(parts, others[int(j)]) for j in candidates]
        if found:
            best = int(np.argmin(found))
            index[i], apart[i] = candidates[best], found[best]
    return Nearest(index, apart)


def _votes(
    parts: NDArray[np.uint64], pool: NDArray[np.uint64], owner: NDArray[np.int64], count: int
) -> NDArray[np.float64]:
    probes = distinct(parts)
    # Hashes are random: the ends of equal strides through them are a fair sample.
    probes = probes[np.linspace(0, probes.size - 1, min(PROBES, probes.size)).astype(np.int64)]
    start = np.searchsorted(pool, probes, "left")
    length = np.searchsorted(pool, probes, "right") - start
    telling = length <= max(CROWD, 0)
    start, length = start[telling], length[telling]
    at = np.repeat(start - np.concatenate([[0], np.cumsum(length)[:-1]]), length)
    hits = owner[at + np.arange(at.size)]
    return np.bincount(hits, minlength=count).astype(np.float64)
