"""Degree assortativity: how far rows of high degree meet columns of high degree.

r = corr over the non-zeros (i, j) of (deg i, deg j)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic

if TYPE_CHECKING:
    from g2milp.evaluation.structure.view import View


def _assortativity(view: View) -> float:
    milp = view.milp
    if milp.n_nonzeros == 0:
        return 0.0
    x = milp.row_degrees[milp.entry_rows].astype(np.float64)
    y = milp.col_degrees[milp.indices].astype(np.float64)
    x, y = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((x * x).mean() * (y * y).mean()))
    return float((x * y).mean()) / scale if scale > 1e-12 else 0.0


STATISTICS = (
    Statistic(
        "assortativity",
        "degrees",
        "Correlation of row and column degree over the non-zeros; 0 where one is constant.",
        _assortativity,
    ),
)
