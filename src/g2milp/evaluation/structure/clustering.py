"""Clustering of the true bipartite graph (Latapy, dot)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.moments import share

if TYPE_CHECKING:
    from g2milp.evaluation.structure.view import View


def _all(view: View) -> float:
    m, n = view.milp.n_rows, view.milp.n_cols
    rows, cols = view.clustering
    return share(m * rows + n * cols, m + n)


STATISTICS = (
    Statistic(
        "clustering",
        "clustering",
        "Mean over all nodes of the Latapy clustering |N(u)∩N(v)| / |N(u)∪N(v)|.",
        _all,
    ),
    Statistic(
        "clustering_rows",
        "clustering",
        "Latapy clustering of the rows.",
        lambda v: v.clustering[0],
    ),
    Statistic(
        "clustering_cols",
        "clustering",
        "Latapy clustering of the columns.",
        lambda v: v.clustering[1],
    ),
)
