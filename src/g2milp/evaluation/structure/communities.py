"""Modularity by Louvain, deterministic and independent of the numbering.

    Q = Σ_communities  w_in / 2w − (w_tot / 2w)²

Louvain depends on the order in which it visits the nodes. So the nodes are first sorted by colours
of the graph alone (a few rounds of Weisfeiler–Leman), and the best of `RESTARTS` seeded runs
counts: the same graph under another numbering gives the same value, except where the colours do not
tell nodes apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.evaluation.structure.distinct import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

RESTARTS = 2
ROUNDS = 4


def best_modularity(adjacency: csr_array[Any, Any]) -> tuple[float, int]:
    """Largest modularity found, and the number of its communities with an edge; (0, 0) if empty."""
    if adjacency.nnz == 0:
        return 0.0, 0
    order = numbering(adjacency)
    order = order[np.diff(adjacency.indptr)[order] > 0]
    graph = adjacency[order][:, order].tocsr()
    graph.sort_indices()
    best = (-1.0, 0)
    for seed in range(RESTARTS):
        labels = partition(graph, seed)
        value = modularity(graph, labels)
        if value > best[0]:
            best = (value, int(np.unique(labels).size))
    return best


def partition(graph: csr_array[Any, Any], seed: int) -> NDArray[np.int64]:
    """Communities of a graph without isolated nodes, by scikit-network's Louvain.

    Seed 0 visits the nodes in their order, every other one in an order of its own.
    """
    from scipy.sparse import csr_matrix
    from sknetwork.clustering import Louvain

    louvain = Louvain(shuffle_nodes=seed > 0, random_state=seed, sort_clusters=False)
    return np.asarray(louvain.fit_predict(csr_matrix(graph)), dtype=np.int64)


def modularity(graph: csr_array[Any, Any], labels: NDArray[np.int64]) -> float:
    """Q of a partition; a self loop has the weight 2 on the diagonal, as in networkx."""
    node = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    total = float(graph.data.sum())
    inside = float(graph.data[labels[node] == labels[graph.indices]].sum())
    weight = np.bincount(labels[node], weights=graph.data)
    return inside / total - float(((weight / total) ** 2).sum())


def numbering(adjacency: csr_array[Any, Any]) -> NDArray[np.int64]:
    """An order of the nodes that depends on the graph only, by colour refinement."""
    node = np.repeat(np.arange(adjacency.shape[0]), np.diff(adjacency.indptr))
    colour = mix(np.diff(adjacency.indptr).astype(np.uint64))
    classes = distinct(colour).size
    for _ in range(ROUNDS):
        message = np.zeros(colour.size, dtype=np.uint64)
        np.add.at(message, node, mix(colour[adjacency.indices]))
        colour = mix(colour * np.uint64(3) + message)
        found = distinct(colour).size
        if found == classes:
            break
        classes = found
    return np.argsort(colour, kind="stable")


def mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64-bit numbers (the finaliser of SplitMix64); sums wrap around on purpose."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
