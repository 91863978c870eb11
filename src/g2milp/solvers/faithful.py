"""What a solver would silently change in an instance, found before it is handed over.

All three solvers take a number of 1e20 or more as infinite, and each drops or refuses some
coefficients. An instance is passed on as it is or not at all: here is the decision, once for all
(after `g2milp.solvers.posing`, which changes numbers but not what they say).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.milp import Kind
from g2milp.solvers.posing import is_semi

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp


@dataclass(frozen=True, kw_only=True)
class NumberRange:
    """What a solver takes literally.

    Attributes
    ----------
    infinity
        Sides, bounds and costs of this size or more would become infinite or be refused.
    largest_entry
        Matrix entries from this on are refused by the solver.
    smallest_entry
        Matrix entries up to this are dropped by the solver.
    kinds
        The kinds of columns it knows.
    semi_upper
        The largest finite upper bound of a semi-continuous column.
    """

    infinity: float = 1e20
    largest_entry: float = np.inf
    smallest_entry: float = 0.0
    kinds: frozenset[Kind] = frozenset(Kind)
    semi_upper: float = 1e20


def refusal(milp: Milp, solver: str, takes: NumberRange) -> str | None:
    """Why this instance cannot be handed to the solver unchanged, or None."""
    for kind in Kind:
        at = np.flatnonzero(milp.kinds == kind)
        if at.size and kind not in takes.kinds:
            what = kind.name.lower().replace("_", "-")
            return f"{solver} has no {what} columns (column {milp.col_names[at[0]]!r})"
    for values, names, what in (
        (milp.row_lower, milp.row_names, "the lower side of row"),
        (milp.row_upper, milp.row_names, "the upper side of row"),
        (milp.col_lower, milp.col_names, "the lower bound of column"),
        (milp.col_upper, milp.col_names, "the upper bound of column"),
        (milp.objective, milp.col_names, "the cost of column"),
    ):
        at = np.flatnonzero(np.isfinite(values) & (np.abs(values) >= takes.infinity))
        if at.size:
            return (
                f"{what} {names[at[0]]!r} is {values[at[0]]:g}, which {solver} takes as infinite "
                f"(limit {takes.infinity:g})"
            )
    entries = np.abs(milp.values)
    for wrong, what in (
        (entries >= takes.largest_entry, f"refuses them from {takes.largest_entry:g} on"),
        (entries <= takes.smallest_entry, f"drops them up to {takes.smallest_entry:g}"),
    ):
        at = np.flatnonzero(wrong)
        if at.size:
            row = milp.row_names[milp.entry_rows[at[0]]]
            return f"row {row!r} has the coefficient {milp.values[at[0]]:g}; {solver} {what}"
    return _semi_refusal(milp, solver, takes)


def _semi_refusal(milp: Milp, solver: str, takes: NumberRange) -> str | None:
    semi = is_semi(milp)
    at = np.flatnonzero(semi & (milp.col_upper > takes.semi_upper))
    if at.size:
        return (
            f"semi-continuous column {milp.col_names[at[0]]!r} has the upper bound "
            f"{milp.col_upper[at[0]]:g}; {solver} takes up to {takes.semi_upper:g}"
        )
    at = np.flatnonzero(semi & (milp.col_lower < 0))
    if at.size:
        return f"semi-continuous column {milp.col_names[at[0]]!r} has a negative lower bound"
    return None
