"""From a float point to an exact rational one, integers fixed.

Given A, sides, bounds and a float point x that satisfies them nearly, find a rational point that
satisfies them exactly:

1. spell x with short fractions where that changes nothing to speak of, clamp it to the bounds;
2. take the equalities and the rows that this violates as a linear system in the continuous columns
   and solve it exactly: sparse elimination, pivots with coefficient ±1 and room to their bounds
   first, so that numbers stay short; columns that are no pivot keep their value;
3. check every row; newly violated ones join the system, a few times;
4. if that fails, ask an LP for a point with as much room to all sides as there is, and start again.

The dual of an instance is the same problem for the transposed matrix (`dual.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.certificates.arithmetic import admits, row_activities
from g2milp.generation.certificates.elimination import Overgrown, solve_sparse
from g2milp.generation.certificates.linear_program import solve_relaxation
from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SPELLING = 1e-9
"""A float is replaced by a short fraction that is this near to it (relative to max(1, |x|))."""
ROOM = 1e-5
"""The LP asks for this much distance to every side, relative to max(1, |side|)."""
ROUNDS = 6


@dataclass(frozen=True, eq=False)
class System:
    """lower ≤ A x ≤ upper, bounds of x, and which entries of x must not change."""

    milp: Milp
    fixed: NDArray[np.bool_]


def exact_point(milp: Milp, x: NDArray[np.float64]) -> list[Fraction] | None:
    """An exactly feasible point of `milp` near `x`; None when none is found.

    Integer columns are rounded and fixed; a semi-continuous column that is 0 stays 0.
    """
    system, start = _prepared(milp, x)
    point = _corrected(system, _spelled(system, start)) or _corrected(system, _raw(system, start))
    if point is None and not system.fixed.all():
        roomy = _with_room(system, start)
        if roomy is not None:
            point = _corrected(system, _spelled(system, roomy))
    return point


def _prepared(milp: Milp, x: NDArray[np.float64]) -> tuple[System, NDArray[np.float64]]:
    """Integers rounded and fixed; the bounds of semi-continuous columns resolved."""
    semi = milp.kinds >= 2
    at_zero = semi & (np.abs(x) <= 1e-6)
    rounded = np.where(milp.is_integer, np.rint(x), x)
    rounded = np.where(at_zero, 0.0, rounded) + 0.0
    lower = np.where(at_zero, 0.0, milp.col_lower)
    upper = np.where(at_zero, 0.0, milp.col_upper)
    fixed = milp.is_integer | at_zero | (lower == upper)
    rounded = np.where(lower == upper, lower, rounded)
    plain = Milp.build(
        objective=np.zeros(milp.n_cols),
        indptr=milp.indptr,
        indices=milp.indices,
        values=milp.values,
        row_lower=milp.row_lower,
        row_upper=milp.row_upper,
        col_lower=lower,
        col_upper=upper,
    )
    return System(plain, fixed), rounded


def _raw(system: System, x: NDArray[np.float64]) -> list[Fraction]:
    """`x` as it is, within the bounds."""
    clamped = np.clip(x, system.milp.col_lower, system.milp.col_upper)
    return [Fraction(v) for v in np.where(system.fixed, x, clamped).tolist()]


def _spelled(system: System, x: NDArray[np.float64]) -> list[Fraction]:
    """`x` in short fractions within the bounds; fixed entries as they are."""
    clamped = np.clip(x, system.milp.col_lower, system.milp.col_upper)
    return [
        Fraction(raw) if fixed else _short(inside, lower, upper)
        for raw, inside, fixed, lower, upper in zip(
            x.tolist(),
            clamped.tolist(),
            system.fixed.tolist(),
            system.milp.col_lower.tolist(),
            system.milp.col_upper.tolist(),
            strict=True,
        )
    ]


def _short(value: float, lower: float, upper: float) -> Fraction:
    near = SPELLING * max(1.0, abs(value))
    for bound in (lower, upper):
        if abs(value - bound) <= near:
            return Fraction(bound)
    for scale in (1, 2, 3, 4, 5, 6, 8, 10, 100, 1000, 10_000, 1 << 20):
        short = Fraction(round(value * scale), scale)
        if abs(float(short) - value) <= near and admits(lower, short, upper):
            return short
    return Fraction(value)


def _corrected(system: System, point: list[Fraction]) -> list[Fraction] | None:
    """The point moved onto the equalities and the sides that it violates, exactly."""
    milp = system.milp
    if any(
        not admits(lo, v, up)
        for lo, v, up in zip(milp.col_lower.tolist(), point, milp.col_upper.tolist(), strict=True)
    ):
        return None
    target: dict[int, Fraction] = {}
    for _ in range(ROUNDS):
        violated = _violated(milp, point)
        if not violated:
            return point
        if target and all(i in target for i in violated):
            return None
        if not target:
            equalities = np.flatnonzero(milp.is_equality).tolist()
            target = {i: Fraction(float(milp.row_lower[i])) for i in equalities}
        target.update(violated)
        moved = _moved_onto(system, point, target)
        if moved is None:
            return None
        point = moved
    return None


def _violated(milp: Milp, point: Sequence[Fraction]) -> dict[int, Fraction]:
    """Violated rows and the side that each has to be moved to."""
    found: dict[int, Fraction] = {}
    sides = zip(milp.row_lower.tolist(), milp.row_upper.tolist(), strict=True)
    for i, (value, (lower, upper)) in enumerate(
        zip(row_activities(milp, point), sides, strict=True)
    ):
        if value < lower:
            found[i] = Fraction(lower)
        elif value > upper:
            found[i] = Fraction(upper)
    return found


def _moved_onto(
    system: System, point: list[Fraction], target: dict[int, Fraction]
) -> list[Fraction] | None:
    """Solve A_target x = sides exactly; a pivot that leaves its bounds is fixed there instead."""
    milp = system.milp
    fixed, start = system.fixed.copy(), list(point)
    for _ in range(ROUNDS):
        moved = _solved(System(milp, fixed), start, target)
        if moved is None:
            return None
        outside = [
            j
            for j, v in enumerate(moved)
            if v is not start[j]
            and not admits(float(milp.col_lower[j]), v, float(milp.col_upper[j]))
        ]
        if not outside:
            return moved
        for j in outside:
            bound = milp.col_lower[j] if moved[j] < float(milp.col_lower[j]) else milp.col_upper[j]
            start[j] = Fraction(float(bound))
            fixed[j] = True
    return None


def _solved(
    system: System, point: list[Fraction], target: dict[int, Fraction]
) -> list[Fraction] | None:
    milp = system.milp
    rows: list[dict[int, Fraction]] = []
    rest: list[Fraction] = []
    for i, side in target.items():
        indices, values = milp.row(i)
        row: dict[int, Fraction] = {}
        left = side
        for j, a in zip(indices.tolist(), values.tolist(), strict=True):
            if system.fixed[j]:
                if point[j]:
                    left -= Fraction(a) * point[j]
            else:
                row[j] = Fraction(a)
        rows.append(row)
        rest.append(left)

    def room(j: int) -> float:
        value = float(point[j])
        return min(value - float(milp.col_lower[j]), float(milp.col_upper[j]) - value)

    try:
        solved = solve_sparse(rows, rest, dict(enumerate(point)), room)
    except Overgrown:
        return None
    if solved is None:
        return None
    moved = list(point)
    for j, value in solved.items():
        moved[j] = value
    return moved


def _with_room(system: System, x: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """A point with slack on every inequality and bound, as far as there is any.

    maximise Σ s   with   A x + s ≤ u,  A x − s ≥ l,  0 ≤ s ≤ ROOM·max(1, |side|)

    Fixed entries are those of `x`: the solver gives back −2.0000000000000004 for −2 ≤ x ≤ −2.
    """
    milp = system.milp
    pieces = _elastic(system, x)
    answer = solve_relaxation(pieces)
    return None if answer is None else np.where(system.fixed, x, answer.x[: milp.n_cols])


def _elastic(system: System, x: NDArray[np.float64]) -> Milp:
    from scipy.sparse import csr_array, hstack, vstack

    milp = system.milp
    n = milp.n_cols
    matrix = milp.matrix()
    loose = ~milp.is_equality
    blocks, lowers, uppers, widths = [matrix[~loose]], [milp.row_lower[~loose]], [], []
    uppers.append(milp.row_upper[~loose])
    identity = csr_array((np.ones(n), np.arange(n), np.arange(n + 1)), shape=(n, n))
    free = ~system.fixed
    slack_blocks: list[tuple[int, float, int]] = []
    for part, lower, upper in (
        (matrix[loose], milp.row_lower[loose], milp.row_upper[loose]),
        (identity[free], milp.col_lower[free], milp.col_upper[free]),
    ):
        for side, sign in ((upper, 1.0), (lower, -1.0)):
            has = np.isfinite(side)
            blocks.append(part[has])
            lowers.append(side[has] if sign < 0 else np.full(int(has.sum()), -np.inf))
            uppers.append(side[has] if sign > 0 else np.full(int(has.sum()), np.inf))
            slack_blocks.append((sum(b.shape[0] for b in blocks[:-1]), sign, int(has.sum())))
            widths.append(ROOM * np.maximum(1.0, np.abs(side[has])))
    width = np.concatenate(widths)
    row_at = np.concatenate([start + np.arange(k) for start, _, k in slack_blocks])
    signs = np.concatenate([np.full(k, sign) for _, sign, k in slack_blocks])
    rows = vstack(blocks, format="csr")
    slacks = csr_array((signs, (row_at, np.arange(width.size))), shape=(rows.shape[0], width.size))
    whole = csr_array(hstack([rows, slacks], format="csr"))
    whole.sort_indices()
    return Milp.build(
        objective=np.concatenate([np.zeros(n), -np.ones(width.size)]),
        indptr=whole.indptr,
        indices=whole.indices,
        values=whole.data,
        row_lower=np.concatenate(lowers),
        row_upper=np.concatenate(uppers),
        col_lower=np.concatenate([np.where(free, milp.col_lower, x), np.zeros(width.size)]),
        col_upper=np.concatenate([np.where(free, milp.col_upper, x), width]),
    )
