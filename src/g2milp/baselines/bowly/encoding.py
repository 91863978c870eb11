"""Bowly's encoding (A, α, β) of a linear program whose optimum is planted, in exact arithmetic.

    max c'x,  A x ≤ b,  0 ≤ x ≤ u,   α ≥ 0,  β ∈ {0, 1}^(n+m)
    x = β_n ∘ α_n,  r = (1 − β_n) ∘ α_n,  y = (1 − β_m) ∘ α_m,  s = β_m ∘ α_m
    b = A x + s,    c = A'y − r + t

x is feasible with the slacks s, y is dual feasible with the reduced costs r, and x'r = y's = 0:
the relaxation is feasible and bounded, and x is its optimum. `t` ≥ 0 is an addition to Bowly: duals
of upper bounds, positive only where x_j = u_j, so that bounded columns are covered too.

All numbers lie on binary grids so coarse that A x and A'y are exact in float64; the promise holds
for the numbers in the file, not for some that were rounded afterwards. (Beside sums beyond 2⁴³ a
slack or reduced cost may be rounded when it is added: never to another sign, so the proof holds.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALPHA_GRID = 2.0**-8
"""Planted values, slacks and reduced costs are multiples of this."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Encoded:
    """One planted program; entries are sorted by row, alpha and basic hold columns, then rows.

    Attributes
    ----------
    basic
        β: True where a column (its value) or a row (its slack) is in the basis.
    upper
        Column upper bounds, infinite in Bowly's own form.
    bound_dual
        t, zero except where a basic column stands at its upper bound.
    """

    n_rows: int
    n_cols: int
    rows: NDArray[np.int64]
    cols: NDArray[np.int64]
    values: NDArray[np.float64]
    alpha: NDArray[np.float64]
    basic: NDArray[np.bool_]
    integer: NDArray[np.bool_]
    upper: NDArray[np.float64]
    bound_dual: NDArray[np.float64]

    @property
    def x(self) -> NDArray[np.float64]:
        """The planted optimum of the relaxation."""
        return np.where(self.basic[: self.n_cols], self.alpha[: self.n_cols], 0.0)

    @property
    def y(self) -> NDArray[np.float64]:
        """The planted dual optimum."""
        return np.where(self.basic[self.n_cols :], 0.0, self.alpha[self.n_cols :])

    @property
    def slack(self) -> NDArray[np.float64]:
        """The slacks s = b − A x."""
        return np.where(self.basic[self.n_cols :], self.alpha[self.n_cols :], 0.0)

    @property
    def reduced_cost(self) -> NDArray[np.float64]:
        """The reduced costs r = A'y − c + t."""
        return np.where(self.basic[: self.n_cols], 0.0, self.alpha[: self.n_cols])

    def decode(self, name: str = "bowly") -> Milp:
        """The instance: right-hand sides and costs from the planted point."""
        at_rows = np.bincount(
            self.rows, weights=self.values * self.x[self.cols], minlength=self.n_rows
        )
        at_cols = np.bincount(
            self.cols, weights=self.values * self.y[self.rows], minlength=self.n_cols
        )
        return Milp.build(
            name=name,
            sense="max",
            objective=at_cols - self.reduced_cost + self.bound_dual,
            indptr=np.concatenate([[0], np.cumsum(np.bincount(self.rows, minlength=self.n_rows))]),
            indices=self.cols,
            values=self.values,
            row_lower=np.full(self.n_rows, -np.inf),
            row_upper=at_rows + self.slack,
            col_lower=np.zeros(self.n_cols),
            col_upper=self.upper,
            kinds=self.integer.astype(np.uint8),
        )


def on_grid(values: NDArray[np.float64], grid: float) -> NDArray[np.float64]:
    """The nearest multiples of a power of two."""
    return np.round(values / grid) * grid


def coefficient_grid(
    rows: NDArray[np.int64],
    cols: NDArray[np.int64],
    values: NDArray[np.float64],
    alpha: NDArray[np.float64],
    n_rows: int,
    n_cols: int,
) -> float:
    """The finest binary grid for coefficients on which b = Ax + s and c = A'y − r are exact.

    A sum of multiples of g·2⁻⁸ is exact while the magnitudes of its terms add up to less than
    2⁵³ of them.
    """
    size = np.abs(values)
    by_row = np.bincount(rows, weights=size * alpha[cols], minlength=n_rows) + alpha[n_cols:]
    by_col = np.bincount(cols, weights=size * alpha[n_cols + rows], minlength=n_cols)
    largest = max(float(by_row.max(initial=1.0)), float((by_col + alpha[:n_cols]).max(initial=1.0)))
    return float(2.0 ** (np.ceil(np.log2(largest)) + 2 - 53)) / ALPHA_GRID
