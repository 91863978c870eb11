"""All statistics by name, and the function that computes some of them for one instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import UsageError
from g2milp.evaluation.structure import (
    assortativity,
    blocks,
    clustering,
    coefficients,
    conflicts,
    degrees,
    density,
    duplicates,
    kinds,
    merged_graph,
    modularity,
    objective,
    row_kinds,
    sides,
    size,
)
from g2milp.evaluation.structure.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.evaluation.structure.base import Statistic
    from g2milp.instance.milp import Milp

VERSION = 1
"""Raised when a definition changes, so that cached values are not mixed."""

HUGE = 1e150

STATISTICS: dict[str, Statistic] = {
    statistic.name: statistic
    for family in (
        size,
        density,
        degrees,
        assortativity,
        coefficients,
        sides,
        objective,
        kinds,
        row_kinds,
        clustering,
        modularity,
        blocks,
        conflicts,
        duplicates,
        merged_graph,
    )
    for statistic in family.STATISTICS
}


def statistics_of(milp: Milp, names: Iterable[str] | None = None) -> dict[str, float]:
    """Values of the named statistics (default: all), rounded to 12 digits.

    The rounding makes values equal that differ only by the order of a floating-point sum.
    """
    wanted = list(STATISTICS) if names is None else list(names)
    unknown = [name for name in wanted if name not in STATISTICS]
    if unknown:
        raise UsageError(
            f"no statistic is called {unknown[0]!r}", hint=f"There are: {', '.join(STATISTICS)}."
        )
    view = View(milp)
    with np.errstate(over="ignore", invalid="ignore"):
        return {name: _settled(STATISTICS[name].compute(view)) for name in wanted}


def _settled(value: float) -> float:
    """Rounded, and within ±`HUGE` where coefficients of 1e300 made a square overflow."""
    return float(f"{min(max(value, -HUGE), HUGE):.12g}") if value == value else HUGE
