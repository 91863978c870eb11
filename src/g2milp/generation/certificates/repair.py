"""Redrawn rows and columns made to admit the planted point.

The side of a row that cuts the point off is moved by the least amount to a float64 that does not;
an equality takes the activity itself. Where that leaves the learned range of such sides, or where
the activity is no float64, the row is reported back to be redrawn. Columns: an integer kind on a
fractional value is taken back, a bound that cuts the point off is moved to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.certificates.arithmetic import (
    admits,
    dot,
    float_at_least,
    float_at_most,
    is_float,
)
from g2milp.generation.integrality.classes import row_word
from g2milp.generation.integrality.obeying import patch_classes
from g2milp.instance.milp import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from g2milp.generation.integrality.laws import Law, Laws
    from g2milp.instance.edit import ColumnPatch, RowPatch
    from g2milp.instance.milp import Milp


@dataclass(frozen=True, eq=False)
class RepairedRows:
    """The patch with its sides moved; `failed` are positions in it that must be redrawn."""

    patch: RowPatch
    failed: list[int]
    moves: list[float]
    """How far each moved side went, relative to max(1, |side|)."""


def repair_rows(
    template: Milp, patch: RowPatch, point: Sequence[Fraction], laws: Laws
) -> RepairedRows:
    """Move sides of `patch` so that each row admits `point`."""
    lower, upper = patch.lower.tolist(), patch.upper.tolist()
    equality = template.is_equality[patch.rows].tolist()
    words = [row_word(int(c)) for c in patch_classes(template, patch)]
    failed: list[int] = []
    moves: list[float] = []
    for k, word in enumerate(words):
        entries = slice(int(patch.indptr[k]), int(patch.indptr[k + 1]))
        value = dot(patch.indices[entries], patch.values[entries], point)
        if admits(lower[k], value, upper[k]):
            continue
        old = lower[k], upper[k]
        if equality[k]:
            sides = _equal_side(value, laws.upper.get(word))
        elif value > upper[k]:
            side = _side_above(value, laws.upper.get(word))
            sides = None if side is None else (lower[k], side)
        else:
            side = _side_below(value, laws.lower.get(word))
            sides = None if side is None else (side, upper[k])
        if sides is None:
            failed.append(k)
            continue
        lower[k], upper[k] = sides
        moves += [abs(b - a) / max(1.0, abs(a)) for a, b in zip(old, sides, strict=True) if a != b][
            :1
        ]
    moved = replace(patch, lower=np.array(lower), upper=np.array(upper))
    return RepairedRows(moved, failed, moves)


def repair_columns(
    template: Milp, patch: ColumnPatch, point: Sequence[Fraction]
) -> tuple[ColumnPatch, int]:
    """Kinds and bounds of `patch` made to admit `point`; and how many columns that took."""
    cols = patch.cols
    old_kinds, old_lower = template.kinds[cols], template.col_lower[cols]
    kinds = (old_kinds if patch.kinds is None else patch.kinds).copy()
    lower = (old_lower if patch.lower is None else patch.lower).copy()
    upper = (template.col_upper[cols] if patch.upper is None else patch.upper).copy()
    touched = 0
    for k, j in enumerate(cols.tolist()):
        value = point[j]
        before = int(kinds[k]), float(lower[k]), float(upper[k])
        if value.denominator != 1 and kinds[k] in (Kind.INTEGER, Kind.SEMI_INTEGER):
            kinds[k] = Kind.CONTINUOUS if old_kinds[k] == Kind.CONTINUOUS else old_kinds[k]
        if not (kinds[k] >= Kind.SEMI_CONTINUOUS and value == 0):
            if value < float(lower[k]):
                lower[k] = float_at_most(value)
            if value > float(upper[k]):
                upper[k] = float_at_least(value)
        touched += before != (int(kinds[k]), float(lower[k]), float(upper[k]))
    if not touched:
        return patch, 0
    return replace(patch, kinds=kinds, lower=lower, upper=upper), touched


def _equal_side(value: Fraction, law: Law | None) -> tuple[float, float] | None:
    if not is_float(value):
        return None
    side = float(value)
    return (side, side) if _kept(side, law) else None


def _side_above(value: Fraction, law: Law | None) -> float | None:
    whole = law is not None and law.whole and abs(value) < 2**53
    side = float(math.ceil(value)) if whole else float_at_least(value)
    return side if _kept(side, law) else None


def _side_below(value: Fraction, law: Law | None) -> float | None:
    whole = law is not None and law.whole and abs(value) < 2**53
    side = float(math.floor(value)) if whole else float_at_most(value)
    return side if _kept(side, law) else None


def _kept(side: float, law: Law | None) -> bool:
    """Inside the learned range; a class of rows that training never had has no range."""
    return math.isfinite(side) and (law is None or bool(law.admits(np.array([side]))[0]))
