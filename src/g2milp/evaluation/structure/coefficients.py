"""Coefficients: moments of the ≤ form as in the paper, then distribution and pattern by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.conflict_graph import sums
from g2milp.evaluation.structure.moments import deviation, log_size, mean, quantile, share

if TYPE_CHECKING:
    from g2milp.evaluation.structure.view import View


def _integral_share(view: View) -> float:
    values = view.milp.values
    return share(np.count_nonzero(values == np.round(values)), values.size)


def _negative_share(view: View) -> float:
    return share(np.count_nonzero(view.upper.values < 0), view.upper.values.size)


def _distinct_by_row(view: View) -> float:
    """Mean over the rows of (distinct coefficients - 1) / (entries - 1)."""
    milp = view.milp
    rows = np.flatnonzero(milp.row_degrees >= 2)
    if rows.size == 0:
        return 0.0
    order = np.lexsort((milp.values, milp.entry_rows))
    row, value = milp.entry_rows[order], milp.values[order]
    new = np.concatenate([[False], (row[1:] == row[:-1]) & (value[1:] != value[:-1])])
    steps = np.bincount(row, weights=new, minlength=milp.n_rows)
    return mean(steps[rows] / (milp.row_degrees[rows] - 1))


def _spread_by_row(view: View) -> float:
    """Mean over the rows of log10(largest / smallest size of a coefficient)."""
    milp = view.milp
    rows = np.flatnonzero(milp.row_degrees > 0)
    if rows.size == 0:
        return 0.0
    size = np.log10(np.abs(milp.values))
    start = milp.indptr[rows]
    return mean(np.maximum.reduceat(size, start) - np.minimum.reduceat(size, start))


def _one_sign_rows(view: View) -> float:
    milp = view.milp
    positive = sums(milp, (milp.values > 0).astype(np.float64))
    full = milp.row_degrees > 0
    same = full & ((positive == 0) | (positive == milp.row_degrees))
    return share(np.count_nonzero(same), np.count_nonzero(full))


STATISTICS = (
    Statistic(
        "lhs_mean",
        "coefficients",
        "Mean of the non-zeros of the ≤ form.",
        lambda v: mean(v.upper.values),
        "lhs_mean",
    ),
    Statistic(
        "lhs_std",
        "coefficients",
        "Standard deviation of the non-zeros of the ≤ form.",
        lambda v: deviation(v.upper.values),
        "lhs_std",
    ),
    Statistic(
        "coef_log_q10",
        "coefficients",
        "10 % quantile of log10(1 + |coefficient|).",
        lambda v: quantile(log_size(v.milp.values), 0.1),
    ),
    Statistic(
        "coef_log_median",
        "coefficients",
        "Median of log10(1 + |coefficient|).",
        lambda v: quantile(log_size(v.milp.values), 0.5),
    ),
    Statistic(
        "coef_log_q90",
        "coefficients",
        "90 % quantile of log10(1 + |coefficient|).",
        lambda v: quantile(log_size(v.milp.values), 0.9),
    ),
    Statistic(
        "coef_integral",
        "coefficients",
        "Share of the coefficients that are integers.",
        _integral_share,
    ),
    Statistic(
        "coef_negative",
        "coefficients",
        "Share of the coefficients of the ≤ form that are negative.",
        _negative_share,
    ),
    Statistic(
        "coef_distinct_in_row",
        "coefficients",
        "Mean over the rows of (distinct coefficients - 1) / (entries - 1).",
        _distinct_by_row,
    ),
    Statistic(
        "coef_spread_in_row",
        "coefficients",
        "Mean over the rows of log10(largest / smallest |coefficient|).",
        _spread_by_row,
    ),
    Statistic(
        "one_sign_rows",
        "coefficients",
        "Share of the rows whose coefficients have one sign.",
        _one_sign_rows,
    ),
)
