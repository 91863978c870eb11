"""Splits by seed: which instances go into training, validation and test.

The same number of instances, fractions and seed give the same split on every machine. Sizes are
rounded by largest remainders, and no part of positive fraction is left empty when there are enough
instances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def split_sizes(n: int, fractions: Sequence[float]) -> list[int]:
    """How many of `n` instances each part gets; fractions are positive and sum to at most 1."""
    if not fractions or any(not 0 < f <= 1 for f in fractions) or sum(fractions) > 1 + 1e-9:
        raise UsageError(
            f"fractions must be positive and sum to at most 1, not {tuple(fractions)}",
            hint="For example (0.8, 0.2).",
        )
    if n < len(fractions):
        raise UsageError(f"{n} instance(s) cannot be split into {len(fractions)} parts")
    total = min(n, round(n * sum(fractions)))
    total = max(total, len(fractions))
    exact = np.asarray(fractions) / sum(fractions) * total
    sizes = np.floor(exact).astype(int)
    by_remainder = np.argsort(-(exact - sizes), kind="stable")
    sizes[by_remainder[: total - int(sizes.sum())]] += 1
    while (sizes == 0).any():
        sizes[int(np.argmax(sizes))] -= 1
        sizes[int(np.flatnonzero(sizes == 0)[0])] += 1
    return [int(size) for size in sizes]


def split_indices(n: int, fractions: Sequence[float], seed: int) -> list[NDArray[np.int64]]:
    """Disjoint random index sets, each in increasing order, drawn from ``SeedSequence(seed)``."""
    sizes = split_sizes(n, fractions)
    order = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed))).permutation(n)
    ends = np.cumsum(sizes)
    return [np.sort(order[end - size : end]) for size, end in zip(sizes, ends, strict=True)]
