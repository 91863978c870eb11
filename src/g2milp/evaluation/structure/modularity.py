"""Modularity of the true graph and its communities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.bipartite import combined_adjacency
from g2milp.evaluation.structure.communities import best_modularity

if TYPE_CHECKING:
    from g2milp.evaluation.structure.view import View


def _upper_modularity(view: View) -> float:
    form = view.upper
    if form.n_rows == view.milp.n_rows:
        return view.modularity[0]  # one side a row: the graphs are the same
    return best_modularity(combined_adjacency(form.pattern()))[0]


STATISTICS = (
    Statistic(
        "modularity",
        "communities",
        "Largest modularity that seeded Louvain finds on the true bipartite graph.",
        lambda v: v.modularity[0],
    ),
    Statistic(
        "communities",
        "communities",
        "Number of communities with an edge in that partition.",
        lambda v: float(v.modularity[1]),
    ),
    Statistic(
        "upper_modularity",
        "communities",
        "Modularity of the bipartite graph of the ≤ form (suite acm-2024).",
        _upper_modularity,
    ),
    Statistic(
        "unipartite_clustering",
        "clustering",
        "Mean unipartite clustering of the true graph: 0 for every bipartite graph (acm-2024).",
        lambda v: 0.0,
    ),
)
