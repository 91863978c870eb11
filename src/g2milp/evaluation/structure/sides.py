"""Right-hand sides: moments of the ≤ form as in the paper, then distribution and tightness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.moments import deviation, log_size, mean, quantile, share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.structure.view import View


def _tightness(view: View) -> NDArray[np.float64]:
    """b_i / Σ_j |a_ij| of each non-empty row of the ≤ form."""
    form = view.upper
    degree = np.diff(form.indptr)
    row = np.repeat(np.arange(form.n_rows), degree)
    size = np.bincount(row, weights=np.abs(form.values), minlength=form.n_rows)
    return form.rhs[degree > 0] / size[degree > 0]


def _integral_share(view: View) -> float:
    rhs = view.upper.rhs
    return share(np.count_nonzero(rhs == np.round(rhs)), rhs.size)


STATISTICS = (
    Statistic(
        "rhs_mean", "sides", "Mean of b in the ≤ form.", lambda v: mean(v.upper.rhs), "rhs_mean"
    ),
    Statistic(
        "rhs_std",
        "sides",
        "Standard deviation of b in the ≤ form.",
        lambda v: deviation(v.upper.rhs),
        "rhs_std",
    ),
    Statistic(
        "rhs_log_q10",
        "sides",
        "10 % quantile of log10(1 + |b|).",
        lambda v: quantile(log_size(v.upper.rhs), 0.1),
    ),
    Statistic(
        "rhs_log_median",
        "sides",
        "Median of log10(1 + |b|).",
        lambda v: quantile(log_size(v.upper.rhs), 0.5),
    ),
    Statistic(
        "rhs_log_q90",
        "sides",
        "90 % quantile of log10(1 + |b|).",
        lambda v: quantile(log_size(v.upper.rhs), 0.9),
    ),
    Statistic(
        "rhs_integral", "sides", "Share of the finite sides that are integers.", _integral_share
    ),
    Statistic(
        "tightness_median",
        "sides",
        "Median over the rows of the ≤ form of b_i / Σ_j |a_ij|.",
        lambda v: quantile(_tightness(v), 0.5),
    ),
    Statistic(
        "tightness_spread",
        "sides",
        "Distance of the quartiles of b_i / Σ_j |a_ij|.",
        lambda v: quantile(_tightness(v), 0.75) - quantile(_tightness(v), 0.25),
    ),
)
