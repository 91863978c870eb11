"""Is this point feasible? An exact verdict, and one within a tolerance, without trusting floats.

Every row activity is enclosed by a float sum and a rigorous bound on its error; the rows that this
leaves open (a tie to the last bit) are summed exactly. Bounds and integrality are compared exactly.
The verdict is therefore that of rational arithmetic at the price of float arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import InputError, UsageError
from g2milp.instance.exact import UNIT, Enclosure, Point, enclose, exact_sum
from g2milp.instance.milp import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

DEFAULT_TOLERANCE = 1e-6
VAGUE = 1e-12
"""A violation is reported to at least this relative precision."""


@dataclass(frozen=True, kw_only=True)
class PointCheck:
    """What is true of a point.

    Attributes
    ----------
    exact
        Every side, bound and integrality holds exactly, in rational arithmetic.
    feasible
        No row, bound or integrality is violated by more than the tolerance (absolute).
    max_violation
        The largest violation, rounded to float64; 0.0 exactly when `exact`.
    worst
        Where it is, such as ``row 'cap_3'``; empty when `exact`.
    objective
        The exact objective value, offset included.
    """

    exact: bool
    feasible: bool
    max_violation: float
    worst: str
    objective: Fraction


def check_point(
    milp: Milp,
    x: NDArray[np.float64] | Sequence[Fraction] | Sequence[float],
    *,
    tolerance: float = DEFAULT_TOLERANCE,
) -> PointCheck:
    """Check a point, given as floats or as rationals, against an instance."""
    if not 0 <= tolerance < np.inf:
        raise UsageError(f"the tolerance must be finite and not negative, not {tolerance}")
    if len(x) != milp.n_cols:
        raise UsageError(f"the point has {len(x)} values for {milp.n_cols} columns")
    point = Point.of(x)
    bad = ~np.isfinite(point.floats) & ~point.rounded
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        raise InputError(f"the point has the value {point.floats[at]} for {milp.col_names[at]!r}")
    in_rows = _row_violations(milp, point, tolerance)
    in_cols = _column_violations(milp, point, tolerance)
    return PointCheck(
        exact=in_rows.largest == 0 and in_cols.largest == 0,
        feasible=not in_rows.beyond and not in_cols.beyond,
        max_violation=max(in_rows.largest, in_cols.largest),
        worst=_worst(milp, in_rows, in_cols),
        objective=objective_value(milp, point),
    )


def objective_value(milp: Milp, point: Point) -> Fraction:
    """The exact objective of a point, offset included."""
    used = np.flatnonzero((milp.objective != 0) & ((point.floats != 0) | point.rounded))
    return exact_sum(used.astype(np.int32), milp.objective[used], point) + Fraction(milp.offset)


@dataclass(frozen=True)
class _Violations:
    """The largest violation on one side (0.0 only if there is none), and if any is too large."""

    largest: float
    at: int
    beyond: bool


def _row_violations(milp: Milp, point: Point, tolerance: float) -> _Violations:
    activity = enclose(milp.indptr, milp.indices, milp.values, point)
    excess, unsure = _excess(milp, activity)
    undecided = (unsure > 0) & (np.abs(excess) <= unsure)
    with np.errstate(invalid="ignore"):
        rounding = 4 * UNIT * (np.abs(excess) + tolerance)
        undecided |= (excess > 0) & (np.abs(excess - tolerance) <= unsure + rounding)
        # What may be the largest violation is wanted to all digits, too.
        vague = (excess > 0) & (unsure > VAGUE * excess)
        undecided |= vague & (excess + unsure >= np.max(excess - unsure, initial=0.0))
    violation = np.maximum(excess, 0.0)
    beyond = violation > tolerance
    for row in np.flatnonzero(undecided).tolist():
        columns, values = milp.row(row)
        total = exact_sum(columns, values, point)
        amount = _outside(total, milp.row_lower[row], milp.row_upper[row])
        violation[row] = _as_float(amount)
        beyond[row] = amount > Fraction(tolerance)
    return _summary(violation, beyond)


def _excess(milp: Milp, activity: Enclosure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each row is outside its nearest side (negative: inside), and how sure that is.

    The difference of two floats has the right sign, is zero only when they are equal, and errs by
    at most one unit. So with an exact activity the sign of the excess is beyond doubt.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        excess = np.maximum(activity.sums - milp.row_upper, milp.row_lower - activity.sums)
        size = np.where(np.isfinite(excess), np.abs(excess), 0.0)
    return excess, np.where(activity.errors > 0, activity.errors + 4 * UNIT * size, 0.0)


def _column_violations(milp: Milp, point: Point, tolerance: float) -> _Violations:
    x = point.floats
    integer = milp.is_integer
    semi = np.isin(milp.kinds, (int(Kind.SEMI_CONTINUOUS), int(Kind.SEMI_INTEGER)))
    with np.errstate(over="ignore", invalid="ignore"):
        outside = np.maximum(np.maximum(milp.col_lower - x, x - milp.col_upper), 0.0)
        outside = np.where(semi, np.minimum(outside, np.abs(x)), outside)
        violation = np.where(integer, np.maximum(outside, np.abs(x - np.rint(x))), outside)
        beyond = violation > tolerance
        close = np.abs(violation - tolerance) <= 4 * UNIT * (np.abs(x) + tolerance)
    close &= violation > 0
    for column in np.flatnonzero(point.rounded | close).tolist():
        value = point.value(column)
        amount = _outside(value, milp.col_lower[column], milp.col_upper[column])
        if semi[column]:
            amount = min(amount, abs(value))
        if integer[column]:
            amount = max(amount, abs(value - round(value)))
        violation[column] = _as_float(amount)
        beyond[column] = amount > Fraction(tolerance)
    return _summary(violation, beyond)


def _outside(value: Fraction, lower: float, upper: float) -> Fraction:
    """How far a rational lies outside [lower, upper], whose ends may be infinite."""
    amount = Fraction(0)
    if np.isfinite(lower):
        amount = max(amount, Fraction(float(lower)) - value)
    if np.isfinite(upper):
        amount = max(amount, value - Fraction(float(upper)))
    return amount


def _as_float(amount: Fraction) -> float:
    """Nearest float, never 0 for a positive amount and never an error."""
    if amount == 0:
        return 0.0
    try:
        return max(float(amount), float(np.nextafter(0.0, 1.0)))
    except OverflowError:
        return float("inf")


def _summary(violation: NDArray[np.float64], beyond: NDArray[np.bool_]) -> _Violations:
    if not violation.size:
        return _Violations(0.0, -1, False)
    at = int(np.argmax(violation))
    return _Violations(float(violation[at]), at, bool(beyond.any()))


def _worst(milp: Milp, in_rows: _Violations, in_cols: _Violations) -> str:
    if in_rows.largest == 0 and in_cols.largest == 0:
        return ""
    if in_rows.largest >= in_cols.largest:
        return f"row {milp.row_names[in_rows.at]!r}"
    return f"column {milp.col_names[in_cols.at]!r}"
