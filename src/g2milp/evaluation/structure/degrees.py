"""Degrees of rows and columns: moments as in the paper (≤ form), shape on the real rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.moments import deviation, largest, mean, quantile, share, smallest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.structure.view import View


def _upper_rows(view: View) -> NDArray[np.int64]:
    return np.diff(view.upper.indptr)


def _upper_cols(view: View) -> NDArray[np.int64]:
    return np.bincount(view.upper.indices, minlength=view.upper.n_cols)


def _low_degree_share(view: View) -> float:
    degrees = view.milp.col_degrees
    return share(np.count_nonzero(degrees <= 1), degrees.size)


STATISTICS = (
    Statistic(
        "cons_degree_mean",
        "degrees",
        "Mean degree of the rows of the ≤ form.",
        lambda v: mean(_upper_rows(v)),
        "cons_degree_mean",
    ),
    Statistic(
        "cons_degree_std",
        "degrees",
        "Standard deviation of the row degrees of the ≤ form.",
        lambda v: deviation(_upper_rows(v)),
        "cons_degree_std",
    ),
    Statistic(
        "var_degree_mean",
        "degrees",
        "Mean degree of the columns of the ≤ form.",
        lambda v: mean(_upper_cols(v)),
        "var_degree_mean",
    ),
    Statistic(
        "var_degree_std",
        "degrees",
        "Standard deviation of the column degrees of the ≤ form.",
        lambda v: deviation(_upper_cols(v)),
        "var_degree_std",
    ),
    Statistic("row_degree_mean", "degrees", "Mean row degree.", lambda v: mean(v.milp.row_degrees)),
    Statistic(
        "row_degree_std",
        "degrees",
        "Standard deviation of the row degrees.",
        lambda v: deviation(v.milp.row_degrees),
    ),
    Statistic(
        "row_degree_min", "degrees", "Smallest row degree.", lambda v: smallest(v.milp.row_degrees)
    ),
    Statistic(
        "row_degree_max", "degrees", "Largest row degree.", lambda v: largest(v.milp.row_degrees)
    ),
    Statistic(
        "col_degree_mean", "degrees", "Mean column degree.", lambda v: mean(v.milp.col_degrees)
    ),
    Statistic(
        "col_degree_std",
        "degrees",
        "Standard deviation of the column degrees.",
        lambda v: deviation(v.milp.col_degrees),
    ),
    Statistic(
        "col_degree_min",
        "degrees",
        "Smallest column degree.",
        lambda v: smallest(v.milp.col_degrees),
    ),
    Statistic(
        "col_degree_q10",
        "degrees",
        "10 % quantile of the column degrees.",
        lambda v: quantile(v.milp.col_degrees, 0.1),
    ),
    Statistic(
        "col_degree_q90",
        "degrees",
        "90 % quantile of the column degrees.",
        lambda v: quantile(v.milp.col_degrees, 0.9),
    ),
    Statistic(
        "col_degree_max",
        "degrees",
        "Largest column degree.",
        lambda v: largest(v.milp.col_degrees),
    ),
    Statistic(
        "low_degree_cols",
        "degrees",
        "Share of the columns that stand in at most one row.",
        _low_degree_share,
    ),
)
