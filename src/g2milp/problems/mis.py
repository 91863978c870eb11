r"""Maximum independent set with clique rows on Barabási–Albert graphs.

    max Σ x_v   subject to   \sum_{v \in C} x_v \le 1 for the cliques C of a greedy partition,
                             x_u + x_v \le 1 for every edge inside none of them,   x binary

Graphs and cliques follow Bergman et al. (2016) and Gasse et al. (2019): the first `affinity` nodes
start without edges and the next one joins them all; each later node joins `affinity` different
earlier nodes, drawn without replacement with probability proportional to their degree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from g2milp.errors import UsageError
from g2milp.instance.milp import Kind, Milp
from g2milp.problems.parameters import Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class MisParameters(Parameters):
    """Nodes, and edges that each new node brings."""

    n_nodes: int = 500
    affinity: int = 4

    RANGES: ClassVar[dict[str, tuple[float, float]]] = {
        "n_nodes": (2, 10**7),
        "affinity": (1, 10**6),
    }

    def check(self) -> None:
        """There must be at least one node more than the affinity."""
        if self.affinity >= self.n_nodes:
            raise UsageError(
                f"affinity {self.affinity} must be smaller than n_nodes {self.n_nodes}"
            )


PARAMETERS = MisParameters


def make(parameters: MisParameters, rng: np.random.Generator) -> Milp:
    """Draw one instance."""
    n_nodes = parameters.n_nodes
    edges = barabasi_albert(n_nodes, parameters.affinity, rng)
    clique_of, cliques = clique_partition(n_nodes, edges)
    loose = edges[clique_of[edges[:, 0]] != clique_of[edges[:, 1]]]
    shown = [(k, members) for k, members in enumerate(cliques) if len(members) > 1]
    sizes = np.array([*(len(members) for _, members in shown), *[2] * len(loose)])
    indices = np.concatenate([*(np.array(members) for _, members in shown), loose.ravel()])
    n_rows = sizes.size
    return Milp.build(
        name=f"mis-{n_nodes}-{parameters.affinity}",
        sense="max",
        objective=np.ones(n_nodes),
        objective_name="size",
        indptr=np.concatenate([[0], np.cumsum(sizes)]),
        indices=indices,
        values=np.ones(indices.size),
        row_lower=np.full(n_rows, -np.inf),
        row_upper=np.ones(n_rows),
        col_upper=np.ones(n_nodes),
        kinds=np.full(n_nodes, Kind.INTEGER),
        row_names=[
            *(f"clique_{k}" for k, _ in shown),
            *(f"edge_{u}_{v}" for u, v in loose.tolist()),
        ],
        col_names=[f"node_{v}" for v in range(n_nodes)],
    )


def barabasi_albert(n_nodes: int, affinity: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The edges (u, v) with u < v, in the order of v; always affinity · (n_nodes − affinity).

    Drawing uniformly from the list of all edge ends, again when the node was already drawn, is
    drawing without replacement with probability proportional to the degree.
    """
    ends = [end for u in range(affinity) for end in (u, affinity)]
    edges = [(u, affinity) for u in range(affinity)]
    uniform = iter(rng.random(2 * affinity * n_nodes).tolist())
    for node in range(affinity + 1, n_nodes):
        joined: set[int] = set()
        while len(joined) < affinity:
            draw = next(uniform, None)
            if draw is None:
                uniform = iter(rng.random(2 * affinity * n_nodes).tolist())
                continue
            joined.add(ends[int(draw * len(ends))])
        for u in sorted(joined):
            edges.append((u, node))
            ends += (u, node)
    return np.array(edges, dtype=np.int64)


def clique_partition(
    n_nodes: int, edges: NDArray[np.int64]
) -> tuple[NDArray[np.int64], list[list[int]]]:
    """A greedy partition into cliques: the clique of each node, and the nodes of each clique.

    The unassigned node of largest degree is the centre; its unassigned neighbours join, by
    decreasing degree, when they are adjacent to all that have joined. Ties go to the lower index.
    """
    neighbours: list[set[int]] = [set() for _ in range(n_nodes)]
    for u, v in edges.tolist():
        neighbours[u].add(v)
        neighbours[v].add(u)
    by_degree = sorted(range(n_nodes), key=lambda node: (-len(neighbours[node]), node))
    rank = [0] * n_nodes
    for position, node in enumerate(by_degree):
        rank[node] = position
    clique_of = np.full(n_nodes, -1, dtype=np.int64)
    free = set(range(n_nodes))
    cliques: list[list[int]] = []
    for centre in by_degree:
        if centre not in free:
            continue
        clique = [centre]
        shared = neighbours[centre] & free
        for node in sorted(shared, key=rank.__getitem__):
            if node in shared:
                clique.append(node)
                shared &= neighbours[node]
        free.difference_update(clique)
        clique_of[clique] = len(cliques)
        cliques.append(sorted(clique))
    return clique_of, cliques
