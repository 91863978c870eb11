"""The same instance in numbers that a solver takes: nothing is rounded, no solution comes or goes.

Two things that solvers drop or read differently have an exact equal that all of them take. A row
may be multiplied by a power of two, which changes no digit of it: so a solver does not drop an
entry because it is small. And a semi-continuous column that is 0 or lies in [l, u] is an ordinary
one, unless 0 lies outside of a range that is not empty.

Rows are not made smaller for a solver that refuses large entries. HiGHS takes 1e16 x + y ≥ 1 over
16, and then says that x = 1, y = 0 is not feasible: its refusal is the better answer.
"""

from __future__ import annotations

from dataclasses import replace
from math import frexp, ldexp
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.milp import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp
    from g2milp.solvers.faithful import NumberRange


def posed(milp: Milp, takes: NumberRange) -> Milp:
    """The instance as the solver gets it: the same columns, each row up to a power of two."""
    return _with_plain_columns(_with_rows_in_range(milp, takes))


def is_semi(milp: Milp) -> NDArray[np.bool_]:
    """Which columns are semi-continuous or semi-integer; one for each column."""
    return np.isin(milp.kinds, (int(Kind.SEMI_CONTINUOUS), int(Kind.SEMI_INTEGER)))


def _with_plain_columns(milp: Milp) -> Milp:
    """Semi-continuous columns only where there is a gap between 0 and the range."""
    semi = is_semi(milp)
    is_empty = semi & (milp.col_lower > milp.col_upper)
    plain = is_empty | (semi & (milp.col_lower <= 0) & (milp.col_upper >= 0))
    if not plain.any():
        return milp
    whole = np.where(milp.kinds == Kind.SEMI_INTEGER, Kind.INTEGER, Kind.CONTINUOUS)
    return replace(
        milp,
        kinds=np.where(plain, whole, milp.kinds).astype(milp.kinds.dtype),
        col_lower=np.where(is_empty, 0.0, milp.col_lower),
        col_upper=np.where(is_empty, 0.0, milp.col_upper),
    )


def _with_rows_in_range(milp: Milp, takes: NumberRange) -> Milp:
    """Rows with an entry that would be dropped, times the power of two that keeps all of them."""
    dropped = np.abs(milp.values) <= takes.smallest_entry
    if not dropped.any():
        return milp
    exponents = np.zeros(milp.n_rows, dtype=np.int32)
    for row in np.unique(milp.entry_rows[dropped]).tolist():
        exponents[row] = _exponent(milp, row, takes)
    return replace(
        milp,
        values=np.ldexp(milp.values, exponents[milp.entry_rows]),
        row_lower=np.ldexp(milp.row_lower, exponents),
        row_upper=np.ldexp(milp.row_upper, exponents),
    )


def _exponent(milp: Milp, row: int, takes: NumberRange) -> int:
    """The least power of two that helps; 0 if none does within the range of the solver."""
    sizes = np.abs(milp.row(row)[1])
    low = float(sizes.min())
    exponent = frexp(takes.smallest_entry)[1] - frexp(low)[1]
    exponent += ldexp(low, exponent) <= takes.smallest_entry
    sides = np.array([milp.row_lower[row], milp.row_upper[row]])
    sides = np.abs(sides[np.isfinite(sides)])
    with np.errstate(over="ignore"):
        fits = (np.ldexp(sizes, exponent) < min(takes.largest_entry, takes.infinity)).all() and (
            np.ldexp(sides, exponent) < takes.infinity
        ).all()
    return exponent if fits else 0
