"""Rows of a `Milp` as rows of its graph: one each; in canonical form one for each finite side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite


@dataclass(frozen=True, eq=False)
class Selection:
    """The graph rows of some rows of an instance.

    Shapes: graph_rows (R,) ascending, all sides; leading (k,) for each asked row the place in
    `graph_rows` of the side that speaks for it (the upper one where there is one).
    """

    graph_rows: NDArray[np.int64]
    leading: NDArray[np.int64]


def select_rows(graph: Bipartite, rows: NDArray[np.int64]) -> Selection:
    """Find the graph rows of `rows` (ids in the `Milp`, any order, none of them free)."""
    chosen = np.flatnonzero(np.isin(graph.source_rows, rows))
    sources = graph.source_rows[chosen]
    last = np.searchsorted(sources, rows, side="right") - 1
    return Selection(graph_rows=chosen.astype(np.int64), leading=last.astype(np.int64))
