r"""Generalised independent set (Hochbaum and Pathria 1997; Colombi et al. 2017).

    max  \sum_v r_v x_v - \sum_{e \in E_2} c_e y_e
    subject to  x_u + x_v \le 1         for the edges that stay,
                x_u + x_v - y_{uv} \le 1   for the removable edges E_2,   all binary

An Erdős–Rényi graph; each edge is removable with probability `removable_share`. As in the data of
Chmiela et al. (2021), every node is worth `revenue` = 100 and every removal costs `cost` = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from g2milp.instance.milp import Kind, Milp
from g2milp.problems.parameters import Parameters


@dataclass(frozen=True, kw_only=True)
class GispParameters(Parameters):
    """Nodes, chance of an edge, chance that an edge is removable, revenue and cost."""

    n_nodes: int = 60
    edge_probability: float = 0.6
    removable_share: float = 0.75
    revenue: float = 100.0
    cost: float = 1.0

    RANGES: ClassVar[dict[str, tuple[float, float]]] = {
        "n_nodes": (2, 10**5),
        "edge_probability": (0, 1),
        "removable_share": (0, 1),
        "revenue": (0, 10**9),
        "cost": (0, 10**9),
    }


PARAMETERS = GispParameters


def make(parameters: GispParameters, rng: np.random.Generator) -> Milp:
    """Draw one instance; the columns are the nodes, then the removable edges."""
    n = parameters.n_nodes
    u, v = _edges(n, parameters.edge_probability, rng)
    removable = rng.random(u.size) < parameters.removable_share
    count = int(removable.sum())
    sizes = np.where(removable, 3, 2)
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    indices = np.empty(indptr[-1], np.int64)
    values = np.ones(indptr[-1])
    indices[indptr[:-1]], indices[indptr[:-1] + 1] = u, v
    third = indptr[:-1][removable] + 2
    indices[third] = n + np.arange(count)
    values[third] = -1.0
    names = [f"{a}_{b}" for a, b in zip(u.tolist(), v.tolist(), strict=True)]
    return Milp.build(
        name=f"gisp-{n}-{parameters.edge_probability:g}-{parameters.removable_share:g}",
        sense="max",
        objective=np.repeat([parameters.revenue, -parameters.cost], [n, count]),
        objective_name="profit",
        indptr=indptr,
        indices=indices,
        values=values,
        row_lower=np.full(u.size, -np.inf),
        row_upper=np.ones(u.size),
        col_upper=np.ones(n + count),
        kinds=np.full(n + count, Kind.INTEGER),
        row_names=[f"edge_{name}" for name in names],
        col_names=[
            *(f"node_{a}" for a in range(n)),
            *(f"remove_{name}" for name, gone in zip(names, removable, strict=True) if gone),
        ],
    )


def _edges(
    n: int, probability: float, rng: np.random.Generator
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The edges (u, v), u < v, of an Erdős–Rényi graph, without a dense n × n array.

    For each u the neighbours above it are a binomial number of distinct nodes.
    """
    above = np.arange(n - 1, -1, -1)
    degrees = rng.binomial(above, probability)
    v = [
        np.sort(rng.choice(count, size=degree, replace=False)) + (n - count)
        for count, degree in zip(above.tolist(), degrees.tolist(), strict=True)
        if degree
    ]
    u = np.repeat(np.arange(n), degrees)
    return u, np.concatenate([np.zeros(0, np.int64), *v])
