"""Statistics of the LP relaxation of solved instances: what presolve and cuts have to work with.

    integrality gap   |z_LP − z*| / max(1, |z*|)          z* the optimal value of the ledger
    degeneracy        1 − (|{j : l_j < x_j < u_j}| + |{i : L_i < a_i·x < U_i}|) / rows
    fractional        share of the integer columns that are not integer at x

x is the vertex that HiGHS ends at. A vertex has as many basic variables (columns and rows) as there
are rows; those that lie on a bound are the degenerate ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.divergence.weighted import distances
from g2milp.evaluation.scoring import (
    REPLICATES,
    StatisticScore,
    group_counts,
    interval,
    with_plain,
)
from g2milp.solvers.base import Checked, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.hardness.records import Solve
    from g2milp.instance.milp import Milp

    Floats = NDArray[np.float64]

NAMES = ("integrality_gap", "lp_degeneracy", "lp_fractional")
DEFINITIONS = (
    "|z_LP - z*| / max(1, |z*|).",
    "Share of the basic variables of the relaxation's vertex that lie on a bound.",
    "Share of the integer columns that are fractional in the relaxation.",
)
MOST = 200
"""Relaxations of one set; of larger sets those of a random part are solved."""
NEAR = 1e-6


def relaxations(
    data: Dataset,
    contents: Sequence[str],
    solves: Sequence[Solve],
    *,
    seed: int = 0,
    advance: Callable[[int], None] | None = None,
) -> Floats:
    """One row of `NAMES` for each solved instance (at most `MOST`); shape (k, 3)."""
    best = {
        solve.instance_hash: solve.outcome.objective
        for solve in solves
        if solve.outcome.status is Status.OPTIMAL and solve.outcome.checked is not Checked.WRONG
    }
    known = [i for i, content in enumerate(contents) if best.get(content) is not None]
    rng = np.random.default_rng([seed, 16])
    rows = []
    for place in np.sort(rng.permutation(len(known))[:MOST]):
        optimum = best[contents[known[place]]]
        found = relaxation(data[known[place]], optimum) if optimum is not None else None
        if found is not None:
            rows.append(found)
        if advance is not None:
            advance(1)
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(NAMES))


def relaxation(milp: Milp, optimum: float) -> tuple[float, float, float] | None:
    """The three statistics; None where the relaxation has no optimum."""
    from g2milp.generation.certificates.linear_program import solve_relaxation
    from g2milp.instance.milp import Kind

    answer = solve_relaxation(milp)
    if answer is None:
        return None
    x = answer.x
    value = float(milp.objective @ x) + milp.offset
    products = milp.values * x[milp.indices]
    activity: Floats = np.bincount(milp.entry_rows, weights=products, minlength=milp.n_rows).astype(
        np.float64
    )
    semi = np.isin(milp.kinds, (Kind.SEMI_CONTINUOUS, Kind.SEMI_INTEGER))
    low = np.where(semi, np.minimum(milp.col_lower, 0.0), milp.col_lower)  # zero is allowed, too
    inside = _between(x, low, milp.col_upper).sum()
    inside += _between(activity, milp.row_lower, milp.row_upper).sum()
    integers = x[milp.is_integer]
    fractional = np.abs(integers - np.round(integers)) > NEAR
    gap = abs(value - optimum) / max(1.0, abs(optimum))
    return (
        gap if gap > NEAR else 0.0,
        float(np.clip(1.0 - inside / max(1, milp.n_rows), 0.0, 1.0)),
        float(fractional.mean()) if fractional.size else 0.0,
    )


def compare_relaxations(
    reference: Floats, generated: Floats, *, seed: int = 0
) -> tuple[StatisticScore, ...]:
    """Similarity of each statistic as in v1; outside of the score, so its weight is 0."""
    if not len(reference) or not len(generated):
        return ()
    rng = np.random.default_rng([seed, 17])
    drawn = [
        with_plain(group_counts(np.arange(len(values)), REPLICATES, rng))
        for values in (reference, generated)
    ]
    found = []
    for i, name in enumerate(NAMES):
        x, y = reference[:, i], generated[:, i]
        apart = distances(x, y, *drawn)
        similarity = apart.similarity
        found.append(
            StatisticScore(
                name,
                float(similarity[0]),
                interval(float(similarity[0]), similarity[1:]),
                0.0,
                float(apart.jensen_shannon[0]),
                float(apart.kolmogorov_smirnov[0]),
                float(apart.wasserstein[0]),
                reference_mean=float(x.mean()),
                generated_mean=float(y.mean()),
                varies=bool(np.ptp(x) > 0),
            )
        )
    return tuple(found)


def _between(values: Floats, low: Floats, high: Floats) -> NDArray[np.bool_]:
    """Strictly inside the bounds, by more than rounding."""
    room = NEAR * np.maximum(1.0, np.abs(values))
    inside: NDArray[np.bool_] = (values > low + room) & (values < high - room)
    return inside
