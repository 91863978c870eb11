"""Sparse Gauss-Jordan elimination over the rationals.

Pivots are chosen to keep numbers short and columns inside their bounds: in the shortest row, a
column with room to both bounds, coefficient ±1, and few other rows. The digits are budgeted: where
they would explode, `Overgrown` is raised and the caller says "tolerance" instead of "exact".
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

MAX_BITS = 4_096
MAX_OPERATIONS = 2_000_000
ENOUGH_ROOM = 1e-7


class Overgrown(ArithmeticError):
    """The exact solution would take more digits or operations than the budget allows."""


def solve_sparse(
    rows: Sequence[dict[int, Fraction]],
    rhs: Sequence[Fraction],
    start: dict[int, Fraction],
    room: Callable[[int], float],
) -> dict[int, Fraction] | None:
    """A solution of ``rows · x = rhs`` that differs from `start` in pivot columns only.

    Returns the values of the pivots; None when the system has no solution.
    """
    work = [dict(row) for row in rows]
    right = list(rhs)
    where: dict[int, set[int]] = {}
    for i, row in enumerate(work):
        for j in row:
            where.setdefault(j, set()).add(i)
    queue = [(len(row), i) for i, row in enumerate(work)]
    heapq.heapify(queue)
    pivot_of: dict[int, int] = {}
    operations = 0
    while queue:
        length, i = heapq.heappop(queue)
        row = work[i]
        if i in pivot_of:
            continue
        if length != len(row):
            heapq.heappush(queue, (len(row), i))
            continue
        if not row:
            if right[i]:
                return None
            continue
        column = min(row, key=lambda j: _badness(j, row[j], len(where[j]), room(j)))
        pivot_of[i] = column
        inverse = 1 / row[column]
        for k in [k for k in where[column] if k != i]:
            operations += _subtract(work, right, where, i, k, column, inverse)
            if operations > MAX_OPERATIONS:
                raise Overgrown
            if k not in pivot_of:
                heapq.heappush(queue, (len(work[k]), k))
    return _values(work, right, pivot_of, start)


def _badness(j: int, a: Fraction, others: int, room: float) -> tuple[bool, bool, int, int, int]:
    bits = a.numerator.bit_length() + a.denominator.bit_length()
    return (room < ENOUGH_ROOM, abs(a) != 1, others, bits, j)


def _subtract(
    work: list[dict[int, Fraction]],
    right: list[Fraction],
    where: dict[int, set[int]],
    i: int,
    k: int,
    column: int,
    inverse: Fraction,
) -> int:
    """Row k minus the multiple of row i that removes `column` from it."""
    target = work[k]
    factor = target[column] * inverse
    if max(factor.numerator.bit_length(), factor.denominator.bit_length()) > MAX_BITS:
        raise Overgrown
    for j, a in work[i].items():
        value = target.get(j, 0) - factor * a
        if value:
            target[j] = value
            where[j].add(k)
        elif j in target:
            del target[j]
            where[j].discard(k)
    right[k] -= factor * right[i]
    return len(work[i])


def _values(
    work: list[dict[int, Fraction]],
    right: list[Fraction],
    pivot_of: dict[int, int],
    start: dict[int, Fraction],
) -> dict[int, Fraction]:
    solved = {}
    for i, column in pivot_of.items():
        total = right[i]
        for j, a in work[i].items():
            if j != column and start[j]:
                total -= a * start[j]
        solved[column] = total / work[i][column]
        if solved[column].denominator.bit_length() > MAX_BITS:
            raise Overgrown
    return solved
