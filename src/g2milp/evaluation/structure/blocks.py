"""Block structure: connected components of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.bipartite import combined_adjacency
from g2milp.evaluation.structure.moments import share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.structure.view import View


def _sizes(view: View) -> NDArray[np.int64]:
    """Nodes of each connected component."""
    from scipy.sparse.csgraph import connected_components

    if view.milp.n_rows + view.milp.n_cols == 0:
        return np.zeros(0, dtype=np.int64)
    _, labels = connected_components(combined_adjacency(view.pattern), directed=False)
    return np.bincount(labels)


def _largest_share(view: View) -> float:
    sizes = _sizes(view)
    return share(sizes.max(initial=0), sizes.sum())


STATISTICS = (
    Statistic(
        "components",
        "communities",
        "Number of connected components (isolated rows and columns included).",
        lambda v: float(_sizes(v).size),
    ),
    Statistic(
        "largest_component",
        "communities",
        "Share of the nodes in the largest component.",
        _largest_share,
    ),
)
