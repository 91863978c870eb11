"""What hangs on degrees: numbers of an instance that other degrees must leave as they are.

* ``shared pairs``      Σ C(k, 2) over pairs of columns that stand together in k rows
* ``assortativity``     correlation of row and column degree over the entries
* ``cost``, ``lower``, ``upper``   correlation of a column's |cost| (bounds) with its degree
* ``side``              correlation of a row's |side| with its degree
* ``column weight``, ``row weight``   the same for the mean |coefficient|
* ``row spread``, ``column spread``   Σ (k − mean)² over rows and over columns

Each comes with what it would differ by among instances if chance alone were at work: 1/√n for a
correlation of n pairs, √n σ for a sum of n terms, √n for a count. Numbers of rows and columns are
centred within their groups: what differs between groups is there whatever the degrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.exchange.groups import column_groups, row_groups
from g2milp.generation.exchange.structure import shared_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.generation.exchange.groups import Groups
    from g2milp.instance.milp import Milp


def measures(milp: Milp) -> dict[str, tuple[float, float]]:
    """The numbers by name, each with its noise; 0 where there is nothing to measure."""
    rows, cols = milp.row_degrees.astype(np.float64), milp.col_degrees.astype(np.float64)
    size = np.abs(milp.values)
    side: NDArray[np.float64] = np.where(
        np.isfinite(milp.row_upper), milp.row_upper, milp.row_lower
    )
    weight_of_row = np.bincount(milp.entry_rows, weights=size, minlength=milp.n_rows)
    weight_of_col = np.bincount(milp.indices, weights=size, minlength=milp.n_cols)
    of_row = {"side": side, "row weight": weight_of_row / np.maximum(rows, 1.0)}
    of_col = {
        "cost": milp.objective,
        "lower": milp.col_lower,
        "upper": milp.col_upper,
        "column weight": weight_of_col / np.maximum(cols, 1.0),
    }
    row_of, col_of = row_groups(milp), column_groups(milp)
    pairs = shared_pairs(milp) or 0.0
    return {
        "shared pairs": (pairs, pairs**0.5),
        "assortativity": _correlation(rows[milp.entry_rows], cols[milp.indices]),
        "row spread": _spread(rows),
        "column spread": _spread(cols),
        **{name: _within(row_of, _size(x), rows) for name, x in of_row.items()},
        **{name: _within(col_of, _size(x), cols) for name, x in of_col.items()},
    }


def _spread(degrees: NDArray[np.float64]) -> tuple[float, float]:
    squares = np.square(degrees - degrees.mean()) if degrees.size else degrees
    return float(squares.sum()), float(np.std(squares) * degrees.size**0.5) if squares.size else 0.0


def _size(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Absolute values; infinite ones are those of no bound, and all alike within a group."""
    return np.abs(np.where(np.isfinite(numbers), numbers, 0.0))


def _within(groups: Groups, x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    count = np.bincount(groups.of)
    x, y = (
        numbers - (np.bincount(groups.of, weights=numbers) / count)[groups.of] for numbers in (x, y)
    )
    return _correlation(x, y)


def _correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """0 where there is none to speak of, or where squares are no float64."""
    if x.size < 2:
        return 0.0, 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        dx, dy = x - x.mean(), y - y.mean()
        spread = np.sqrt(dx @ dx) * np.sqrt(dy @ dy)
        tiny = 1e-9 * x.size * np.abs(x).max() * np.abs(y).max()
        value = float(dx @ dy) / float(spread) if spread > tiny else 0.0
    return value if np.isfinite(value) else 0.0, 1.0 / x.size**0.5
