"""The search: the solver looks only where the prediction points.

The k₀ columns with the smallest marginals are expected to be 0, the k₁ with the largest to be 1:

    Σ_{j ∈ X₀} x_j + Σ_{j ∈ X₁} (1 − x_j) ≤ Δ        (trust region, Han et al. 2023)

One row beside the instance's own. Whether the optimum is still in it is what is measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.downstream.predict_and_search.pool import with_row
from g2milp.errors import UsageError
from g2milp.solvers.base import DEFAULT_GAP, Checked, Limits, SolveOutcome, Status
from g2milp.solvers.registry import get

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import Incumbent

SEARCHED = (Status.OPTIMAL, Status.INFEASIBLE, Status.INFEASIBLE_OR_UNBOUNDED)
"""Ends after which nothing of the region is left to look at."""


@dataclass(frozen=True, kw_only=True)
class Region:
    """Size of the trust region.

    `zeros` and `ones` are shares of the binary columns (k₀ and k₁), `radius` is Δ as a share of
    k₀ + k₁, rounded.
    """

    zeros: float = 0.3
    ones: float = 0.2
    radius: float = 0.1

    def __post_init__(self) -> None:
        if min(self.zeros, self.ones, self.radius) < 0 or self.zeros + self.ones > 1:
            raise UsageError("zeros, ones and radius must not be negative, zeros + ones at most 1")

    def counts(self, columns: int) -> tuple[int, int, int]:
        """K₀, k₁ and Δ for so many binary columns."""
        zeros = round(self.zeros * columns)
        ones = min(round(self.ones * columns), columns - zeros)
        return zeros, ones, round(self.radius * (zeros + ones))


def trust_region(milp: Milp, marginals: NDArray[np.float64], region: Region) -> Milp:
    """The instance with the row of its trust region. Shapes: marginals (B,)."""
    columns = np.flatnonzero(milp.is_binary)
    zeros, ones, radius = region.counts(columns.size)
    order = np.argsort(marginals, kind="stable")
    low, high = columns[order[:zeros]], columns[order[columns.size - ones :]]
    indices = np.concatenate([low, high])
    values = np.concatenate([np.ones(low.size), -np.ones(high.size)])
    ascending = np.argsort(indices)
    return with_row(
        milp,
        indices[ascending].astype(np.int32),
        values[ascending],
        -np.inf,
        float(radius - high.size),
    )


def search(milp: Milp, optimum: float, solver: str, seed: int, time_limit: float) -> dict[str, Any]:
    """Solve, and say when the optimum of the whole instance was found.

    `gap` is that of the best point to the optimum; `failed`: the whole region was searched and the
    optimum was not in it (not merely a limit, nor an error of the solver). A point that violates
    the instance counts as none. `seconds` and `work` are until the optimum was found, None if it
    was not; the primal integral is ∫₀^limit gap(t) dt with gap 1 before the first point.
    """
    outcome = get(solver).solve(milp, limits=Limits(seconds=time_limit), seed=seed)
    wrong = outcome.checked is Checked.WRONG
    gap = _gap(None if wrong else outcome.objective, optimum)
    first = next((i for i in outcome.incumbents if reached(_gap(i.objective, optimum))), None)
    found = reached(gap)
    return {
        "status": outcome.status.value,
        "objective": outcome.objective,
        "gap": gap,
        "found": found,
        "failed": not found and not wrong and outcome.status in SEARCHED,
        "seconds": _when(found, first, outcome, "seconds"),
        "work": _when(found, first, outcome, "work"),
        "total_seconds": outcome.seconds,
        "total_work": outcome.work,
        "nodes": outcome.nodes,
        "primal_integral": primal_integral(outcome.incumbents, optimum, time_limit),
    }


def reached(gap: float) -> bool:
    """Whether a point is as good as the optimum, within the gap of solvers."""
    return gap <= DEFAULT_GAP


def primal_integral(incumbents: tuple[Incumbent, ...], optimum: float, horizon: float) -> float:
    """∫₀^horizon of the gap of the best point so far."""
    total, since, gap = 0.0, 0.0, 1.0
    for found in incumbents:
        at = min(max(found.seconds, since), horizon)
        total += gap * (at - since)
        since, gap = at, min(gap, _gap(found.objective, optimum))
    return total + gap * (horizon - since)


def _gap(objective: float | None, optimum: float) -> float:
    """|z − z*| / max(1, |z*|), at most 1; 1 without a point."""
    if objective is None:
        return 1.0
    return min(1.0, abs(objective - optimum) / max(1.0, abs(optimum)))


def _when(
    found: bool, first: Incumbent | None, outcome: SolveOutcome, measure: str
) -> float | None:
    """When the optimum was found; a solver that does not tell is counted with its whole effort."""
    if not found:
        return None
    at: float | None = getattr(first, measure) if first is not None else None
    total: float | None = getattr(outcome, measure)
    return total if at is None else at
