"""Proof that a planted point is the optimum, in rational arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2milp.baselines.bowly.encoding import Encoded
    from g2milp.instance.milp import Milp


def assert_planted(encoded: Encoded, milp: Milp) -> None:
    """Primal feasible, dual feasible, complementary: a proof of optimality in rationals."""
    x = [Fraction(float(v)) for v in encoded.x]
    y = [Fraction(float(v)) for v in encoded.y]
    activity = [Fraction(0)] * milp.n_rows
    price = [Fraction(0)] * milp.n_cols
    for i in range(milp.n_rows):
        for j, a in zip(*milp.row(i), strict=True):
            activity[i] += Fraction(float(a)) * x[j]
            price[j] += Fraction(float(a)) * y[i]
    for i in range(milp.n_rows):
        gap = Fraction(float(milp.row_upper[i])) - activity[i]
        assert gap >= 0
        assert y[i] >= 0
        assert gap * y[i] == 0
    # duals of upper bounds as the numbers in the file say them
    t = [
        max(Fraction(float(c)) - p, Fraction(0)) for c, p in zip(milp.objective, price, strict=True)
    ]
    for j in range(milp.n_cols):
        assert t[j] == 0 or encoded.bound_dual[j] > 0
        reduced = price[j] + t[j] - Fraction(float(milp.objective[j]))
        assert reduced >= 0
        assert t[j] >= 0
        assert reduced * x[j] == 0
        assert 0 <= x[j] <= milp.col_upper[j]
        assert t[j] == 0 or x[j] == milp.col_upper[j]
    dual_value = sum(
        (Fraction(float(b)) * yi for b, yi in zip(milp.row_upper, y, strict=True)), Fraction(0)
    ) + sum(Fraction(float(u)) * tj for u, tj in zip(milp.col_upper, t, strict=True) if tj)
    primal_value = sum(
        (Fraction(float(c)) * xj for c, xj in zip(milp.objective, x, strict=True)), Fraction(0)
    )
    assert primal_value == dual_value
