"""Clustering and modularity as the authors' code computes them: on a graph that merges nodes.

Row i and column i of the ≤ form become *one* node i; every non-zero (i, j) is an undirected edge
i - j. Edges that arise twice count once. A diagonal non-zero is a self loop: ignored by the
clustering (as networkx does), weight 2 on the diagonal for the modularity (as networkx and
python-louvain do). The graph has rows + columns nodes, of which those above max(rows, columns) are
isolated and count as 0 in the mean of the clustering. Rows and columns are in file order.

Both values depend on the numbering of rows and columns: they are no property of the instance, and
serve only to compare with published numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.bipartite import SLICE_VISITS, slices
from g2milp.evaluation.structure.communities import best_modularity
from g2milp.evaluation.structure.distinct import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from g2milp.evaluation.structure.view import View


def merged_adjacency(view: View) -> csr_array[Any, Any]:
    """Symmetric zero-one matrix over max(rows, columns) nodes, self loops 1."""
    from scipy.sparse import csr_array

    form = view.upper
    nodes = max(form.n_rows, form.n_cols)
    row = np.repeat(np.arange(form.n_rows, dtype=np.int64), np.diff(form.indptr))
    col = form.indices.astype(np.int64)
    key = distinct(np.concatenate([row * nodes + col, col * nodes + row]))
    indptr = np.searchsorted(key, np.arange(nodes + 1, dtype=np.int64) * nodes)
    return csr_array((np.ones(key.size), key % max(nodes, 1), indptr), shape=(nodes, nodes))


def _clustering(view: View) -> float:
    graph = _without_loops(merged_adjacency(view))
    total = view.upper.n_rows + view.upper.n_cols
    if graph.nnz == 0:
        return 0.0
    degree = np.diff(graph.indptr).astype(np.float64)
    around = _closed_walks(graph)
    possible = degree * (degree - 1)
    return float((around / np.maximum(possible, 1.0)).sum()) / total


def _closed_walks(graph: csr_array[Any, Any]) -> NDArray[np.float64]:
    """Twice the number of triangles at each node: row sums of (G·G) ∘ G, made in slices."""
    node = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    work = np.diff(graph.indptr)[graph.indices]
    visits = np.bincount(node, weights=work, minlength=graph.shape[0]).astype(np.float64)
    around = np.zeros(graph.shape[0])
    for part in slices(visits, SLICE_VISITS):
        here = graph[part]
        around[part] = np.asarray((here @ graph).multiply(here).sum(axis=1)).ravel()
    return around


def _without_loops(graph: csr_array[Any, Any]) -> csr_array[Any, Any]:
    from scipy.sparse import csr_array

    node = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    kept = node != graph.indices
    count = np.bincount(node[kept], minlength=graph.shape[0])
    indptr = np.concatenate([[0], np.cumsum(count)])
    return csr_array((graph.data[kept], graph.indices[kept], indptr), shape=graph.shape)


def _modularity(view: View) -> float:
    graph = merged_adjacency(view)
    node = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    graph.data[node == graph.indices] = 2.0
    return best_modularity(graph)[0]


STATISTICS = (
    Statistic(
        "merged_clustering",
        "clustering",
        "Mean clustering of the graph in which row i and column i are one node (as published).",
        _clustering,
        "clustering_coef",
        is_invariant=False,
    ),
    Statistic(
        "merged_modularity",
        "communities",
        "Modularity of the graph in which row i and column i are one node (as published).",
        _modularity,
        "modularity",
        is_invariant=False,
    ),
)
