"""Do solvers agree? On the optimal values, which is a check of both, and on what is hard."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from g2milp.solvers.base import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.evaluation.hardness.records import Solve

TOLERANCE = 1e-6


@dataclass(frozen=True)
class Agreement:
    """Two solvers on the instances that both solved.

    Attributes
    ----------
    same_objective
        Share of the instances whose optimal values agree to a relative 1e-6.
    rank_correlation
        Spearman correlation of their work; None with fewer than three instances or no spread.
    disagreements
        Names of instances with different optimal values (at most 20).
    """

    solvers: tuple[str, str]
    instances: int
    same_objective: float
    rank_correlation: float | None
    disagreements: tuple[str, ...]


def agreements(solves: Sequence[Solve], hashes: Sequence[str]) -> tuple[Agreement, ...]:
    """Compare every pair of solvers on these instances."""
    wanted = set(hashes)
    solved: dict[str, dict[str, Solve]] = defaultdict(dict)
    for solve in solves:
        if solve.instance_hash in wanted and solve.outcome.status is Status.OPTIMAL:
            solved[solve.outcome.solver].setdefault(solve.instance_hash, solve)
    found = []
    for a, b in combinations(sorted(solved), 2):
        both = sorted(set(solved[a]) & set(solved[b]))
        if not both:
            continue
        pairs = [(solved[a][h], solved[b][h]) for h in both]
        different = [x.instance for x, y in pairs if not _same(x, y)]
        found.append(
            Agreement(
                (a, b),
                len(both),
                1.0 - len(different) / len(both),
                _correlation(pairs),
                tuple(different[:20]),
            )
        )
    return tuple(found)


def _same(x: Solve, y: Solve) -> bool:
    a, b = x.outcome.objective, y.outcome.objective
    if a is None or b is None:
        return False
    return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))


def _correlation(pairs: Sequence[tuple[Solve, Solve]]) -> float | None:
    from g2milp.evaluation.two_sample.classifier import ranks

    works = [
        (x.outcome.work, y.outcome.work)
        for x, y in pairs
        if x.outcome.work is not None and y.outcome.work is not None
    ]
    if len(works) < 3:
        return None
    table: NDArray[np.float64] = np.array(works, dtype=np.float64)
    first, second = ranks(table[:, 0]), ranks(table[:, 1])
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])
