"""The objective: moments in minimisation form (appendix E.3 of the paper), then its pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.moments import deviation, log_size, mean, quantile, share

if TYPE_CHECKING:
    from g2milp.evaluation.structure.view import View


def _density(view: View) -> float:
    return share(np.count_nonzero(view.milp.objective), view.milp.n_cols)


def _degree_correlation(view: View) -> float:
    cost, degree = view.upper.objective, view.milp.col_degrees.astype(np.float64)
    if cost.size == 0:
        return 0.0
    cost, degree = cost - cost.mean(), degree - degree.mean()
    scale = float(np.sqrt((cost * cost).mean() * (degree * degree).mean()))
    return float((cost * degree).mean()) / scale if scale > 1e-12 else 0.0


STATISTICS = (
    Statistic(
        "obj_mean",
        "objective",
        "Mean of c, minimisation form.",
        lambda v: mean(v.upper.objective),
        "obj_mean",
    ),
    Statistic(
        "obj_std",
        "objective",
        "Standard deviation of c, minimisation form.",
        lambda v: deviation(v.upper.objective),
        "obj_std",
    ),
    Statistic(
        "obj_log_median",
        "objective",
        "Median of log10(1 + |c|).",
        lambda v: quantile(log_size(v.milp.objective), 0.5),
    ),
    Statistic("obj_density", "objective", "Share of the columns with c ≠ 0.", _density),
    Statistic(
        "obj_degree_correlation",
        "objective",
        "Correlation of cost and degree of the columns; 0 where one is constant.",
        _degree_correlation,
    ),
)
