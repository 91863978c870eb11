"""What is odd about an instance that can be read: contradictions, dead weight, bad numbers.

Findings are no errors: an infeasible instance is an instance. Each says how often it occurs and
gives a few names, so that it can be looked up in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from g2milp.instance.milp import Kind, RowSense

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

EXAMPLES = 3
WIDE_RANGE = 1e9
"""Coefficients of one instance that differ by more than this factor trouble every solver."""
HUGE = 1e10
TINY = 1e-9

Severity: TypeAlias = Literal["infeasible", "warning", "note"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One kind of oddity; `code` is stable, `message` is for people."""

    code: str
    severity: Severity
    message: str
    count: int
    examples: tuple[str, ...] = ()


def diagnose(milp: Milp) -> list[Finding]:
    """All findings, contradictions first."""
    order = {"infeasible": 0, "warning": 1, "note": 2}
    return sorted(
        [*_contradictions(milp), *_dead_weight(milp), *_numbers(milp)],
        key=lambda finding: order[finding.severity],
    )


def _contradictions(milp: Milp) -> Iterator[Finding]:
    rows, cols = milp.row_names, milp.col_names
    yield from _found(
        "crossed-bounds",
        "infeasible",
        "columns whose lower bound is above their upper bound",
        milp.col_lower > milp.col_upper,
        cols,
    )
    yield from _found(
        "crossed-sides",
        "infeasible",
        "rows whose lower side is above their upper side",
        milp.row_lower > milp.row_upper,
        rows,
    )
    empty = milp.row_degrees == 0
    yield from _found(
        "impossible-empty-row",
        "infeasible",
        "rows without entries whose sides exclude zero",
        empty & ((milp.row_lower > 0) | (milp.row_upper < 0)),
        rows,
    )
    # A semi-integer column may always be zero; a plain integer one needs a whole number inside.
    whole = np.floor(milp.col_upper) < np.ceil(milp.col_lower)
    yield from _found(
        "no-integer-value",
        "infeasible",
        "integer columns with no whole number between their bounds",
        (milp.kinds == Kind.INTEGER) & whole & (milp.col_lower <= milp.col_upper),
        cols,
    )


def _dead_weight(milp: Milp) -> Iterator[Finding]:
    rows, cols = milp.row_names, milp.col_names
    free = milp.senses == RowSense.FREE
    yield from _found("empty-rows", "warning", "rows without entries", milp.row_degrees == 0, rows)
    yield from _found("free-rows", "note", "rows that constrain nothing", free, rows)
    yield from _found(
        "empty-columns",
        "warning",
        "columns in no row",
        milp.col_degrees == 0,
        cols,
    )
    yield from _found(
        "duplicate-rows",
        "warning",
        "rows with the same entries as an earlier row",
        _repeats(milp),
        rows,
    )
    if milp.n_cols and not milp.is_integer.any() and not np.any(milp.kinds == Kind.SEMI_CONTINUOUS):
        yield Finding(
            code="no-integers",
            severity="note",
            message="every column is continuous: a linear program",
            count=milp.n_cols,
        )
    if not np.any(milp.objective):
        yield Finding(
            code="no-objective",
            severity="note",
            message="the objective is constant: a feasibility problem",
            count=1,
        )


def _numbers(milp: Milp) -> Iterator[Finding]:
    sizes = np.abs(milp.values)
    if sizes.size and sizes.max() / sizes.min() > WIDE_RANGE:
        yield Finding(
            code="wide-range",
            severity="warning",
            message=f"coefficients range from {sizes.min():.3g} to {sizes.max():.3g}",
            count=1,
        )
    for code, words, bad in (
        ("huge-coefficients", f"rows with coefficients of {HUGE:g} or more", sizes >= HUGE),
        ("tiny-coefficients", f"rows with coefficients below {TINY:g}", sizes < TINY),
    ):
        in_rows = np.bincount(milp.entry_rows[bad], minlength=milp.n_rows) > 0
        yield from _found(code, "warning", words, in_rows, milp.row_names)
    fractional = (milp.kinds == Kind.INTEGER) & (
        _has_fraction(milp.col_lower) | _has_fraction(milp.col_upper)
    )
    yield from _found(
        "fractional-bounds",
        "note",
        "integer columns with bounds that are no whole numbers",
        fractional,
        milp.col_names,
    )


def _found(
    code: str, severity: Severity, words: str, mask: NDArray[np.bool_], names: tuple[str, ...]
) -> Iterator[Finding]:
    where = np.flatnonzero(mask)
    if where.size:
        yield Finding(
            code=code,
            severity=severity,
            message=words,
            count=int(where.size),
            examples=tuple(names[i] for i in where[:EXAMPLES]),
        )


def _has_fraction(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    finite = np.where(np.isfinite(values), values, 0.0)
    fraction: NDArray[np.bool_] = finite != np.floor(finite)
    return fraction


def _repeats(milp: Milp) -> NDArray[np.bool_]:
    """Rows with the same columns and coefficients as an earlier row, sides aside; linear."""
    key = _mix(milp.values.view(np.uint64) ^ _mix(milp.indices.astype(np.uint64)))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(key, dtype=np.uint64)])
    row_keys = sums[milp.indptr[1:]] - sums[milp.indptr[:-1]]
    _, first = np.unique(row_keys, return_index=True)
    repeated = np.ones(milp.n_rows, np.bool_)
    repeated[first] = False
    return repeated & (milp.row_degrees > 0)


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64-bit words (the finaliser of splitmix64), so that their sums do not collide."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
