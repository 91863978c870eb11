"""Boundedness, proved by one rational number a row.

For min c'x, rows l ≤ A x ≤ u, bounds p ≤ x ≤ q, any y with

    y_i > 0  ⇒  l_i finite,     y_i < 0  ⇒  u_i finite,     r = c − A'y,
    r_j > 0  ⇒  p_j finite,     r_j < 0  ⇒  q_j finite

proves  c'x ≥ Σ_i y_i·(l_i or u_i) + Σ_j r_j·(p_j or q_j)  for all feasible x: the (x, y, r, s)
algebra of Bowly and DIG-MILP for every kind of row and bound. y = 0 does whenever all costs point
to finite bounds. A maximisation is minimised with −c. Integrality is not used: by Meyer's theorem a
feasible rational MILP is bounded exactly if its relaxation is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.certificates.linear_program import solve_relaxation
from g2milp.generation.certificates.refinement import exact_point
from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def dual_point(milp: Milp) -> list[Fraction] | None:
    """A y that proves boundedness; None when none was found (or there is none)."""
    if needs_no_dual(milp):
        return [Fraction(0)] * milp.n_rows
    answer = solve_relaxation(milp)
    if answer is None:
        return None
    sign = -1.0 if milp.sense == "max" else 1.0
    return exact_point(_dual_system(milp), sign * answer.row_dual)


def needs_no_dual(milp: Milp) -> bool:
    """Whether all costs point to finite bounds."""
    cost = _minimised(milp)
    lower, upper = _hull(milp)
    unbounded = ((cost > 0) & ~np.isfinite(lower)) | ((cost < 0) & ~np.isfinite(upper))
    return not unbounded.any()


def bound_of(milp: Milp, dual: Sequence[Fraction]) -> Fraction | None:
    """The bound on the objective that `dual` proves, in the instance's own sense; else None."""
    total = Fraction(0)
    reduced = [Fraction(c) for c in _minimised(milp).tolist()]
    for i in range(milp.n_rows):
        y = dual[i]
        if not y:
            continue
        side = float(milp.row_lower[i] if y > 0 else milp.row_upper[i])
        if not np.isfinite(side):
            return None
        total += y * Fraction(side)
        indices, values = milp.row(i)
        for j, a in zip(indices.tolist(), values.tolist(), strict=True):
            reduced[j] -= Fraction(a) * y
    lower, upper = _hull(milp)
    for r, low, high in zip(reduced, lower.tolist(), upper.tolist(), strict=True):
        if not r:
            continue
        bound = low if r > 0 else high
        if not np.isfinite(bound):
            return None
        total += r * Fraction(bound)
    sign = -1 if milp.sense == "max" else 1
    return sign * total + Fraction(milp.offset)


def _minimised(milp: Milp) -> NDArray[np.float64]:
    return (-milp.objective if milp.sense == "max" else milp.objective) + 0.0


def _hull(milp: Milp) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bounds of the columns, with 0 for semi-continuous ones."""
    semi = milp.kinds >= 2
    return (
        np.where(semi, np.minimum(milp.col_lower, 0.0), milp.col_lower),
        np.where(semi, np.maximum(milp.col_upper, 0.0), milp.col_upper),
    )


def _dual_system(milp: Milp) -> Milp:
    """The conditions on y: bounds, and a row for each column that lacks a bound."""
    cost = _minimised(milp)
    lower, upper = _hull(milp)
    low, high = np.isfinite(lower), np.isfinite(upper)
    kept = np.flatnonzero(~(low & high))
    transposed = milp.matrix_by_column()[:, kept].T.tocsr()
    transposed.sort_indices()
    return Milp.build(
        objective=np.zeros(milp.n_rows),
        indptr=transposed.indptr,
        indices=transposed.indices,
        values=transposed.data,
        row_lower=np.where(low[kept], -np.inf, cost[kept]),
        row_upper=np.where(high[kept], np.inf, cost[kept]),
        col_lower=np.where(np.isfinite(milp.row_upper), -np.inf, 0.0),
        col_upper=np.where(np.isfinite(milp.row_lower), np.inf, 0.0),
    )
