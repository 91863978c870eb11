"""What rows there are: senses, and the classes that solvers look for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.conflict_graph import packing_rows, sums
from g2milp.evaluation.structure.moments import share
from g2milp.instance.milp import RowSense

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.structure.view import View


def _share(view: View, rows: NDArray[np.bool_]) -> float:
    return share(np.count_nonzero(rows), view.milp.n_rows)


def _of_sense(view: View, sense: RowSense) -> float:
    return _share(view, np.equal(view.milp.senses, sense))


def _covering(view: View) -> float:
    """Rows Σx ≥ b over binaries with one coefficient and 0 < b ≤ that coefficient."""
    milp = view.milp
    if milp.n_nonzeros == 0:
        return 0.0
    binary = sums(milp, milp.is_binary[milp.indices].astype(np.float64)) == milp.row_degrees
    found = np.zeros(milp.n_rows, dtype=np.bool_)
    for sign, side in ((1.0, milp.row_lower), (-1.0, -milp.row_upper)):
        reach = sums(milp, (sign * milp.values >= side[milp.entry_rows]).astype(np.float64))
        found |= binary & np.isfinite(side) & (side > 0) & (reach == milp.row_degrees)
    return _share(view, found & (milp.row_degrees >= 1))


STATISTICS = (
    Statistic(
        "rows_equality",
        "rows",
        "Share of the rows that are equalities.",
        lambda v: _of_sense(v, RowSense.EQUAL),
    ),
    Statistic(
        "rows_range",
        "rows",
        "Share of the rows with two different finite sides.",
        lambda v: _of_sense(v, RowSense.RANGE),
    ),
    Statistic(
        "rows_singleton",
        "rows",
        "Share of the rows with one entry.",
        lambda v: _share(v, v.milp.row_degrees == 1),
    ),
    Statistic(
        "rows_empty",
        "rows",
        "Share of the rows without entry.",
        lambda v: _share(v, v.milp.row_degrees == 0),
    ),
    Statistic(
        "rows_packing",
        "rows",
        "Share of the rows over binaries of which at most one may be 1.",
        lambda v: share(packing_rows(v.milp).size, v.milp.n_rows),
    ),
    Statistic(
        "rows_covering",
        "rows",
        "Share of the rows over binaries that any one of them satisfies.",
        _covering,
    ),
)
