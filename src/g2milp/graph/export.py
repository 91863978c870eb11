"""A graph for other libraries: PyTorch Geometric's `HeteroData` and networkx.

Neither library is needed by g2milp itself; both are imported when they are asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from g2milp.errors import UnavailableError
from g2milp.graph.features import build_graph

if TYPE_CHECKING:
    from types import ModuleType

    from g2milp.graph.features import RowForm
    from g2milp.instance.milp import Milp


def to_hetero_data(milp: Milp, row_form: RowForm = "rows") -> Any:
    """A `torch_geometric.data.HeteroData` with node types ``row`` and ``col``.

    ``data["row"].x``, ``data["col"].x`` are the features, ``data["row", "has", "col"]`` holds
    ``edge_index`` (2, E) and ``edge_attr`` (E, 1), the coefficients.
    """
    geometric = _require("torch_geometric.data", "torch_geometric")
    graph = build_graph(milp, row_form)
    rows = np.repeat(np.arange(graph.n_rows), np.diff(graph.indptr))
    data = geometric.HeteroData()
    data["row"].x = torch.from_numpy(graph.row_features).float()
    data["col"].x = torch.from_numpy(graph.col_features).float()
    edges = data["row", "has", "col"]
    edges.edge_index = torch.from_numpy(np.stack([rows, graph.indices.astype(np.int64)]))
    edges.edge_attr = torch.from_numpy(graph.table[graph.codes]).float().unsqueeze(1)
    return data


def to_networkx(milp: Milp) -> Any:
    """An undirected `networkx.Graph` of the instance as it stands.

    Nodes are ``("row", i)`` with name, lower and upper, and ``("col", j)`` with name, objective,
    kind, lower and upper; rows never share a node with columns. Edges carry ``coefficient``.
    """
    networkx = _require("networkx", "networkx")
    graph = networkx.Graph(name=milp.name, sense=milp.sense)
    for i, name in enumerate(milp.row_names):
        sides = {"lower": float(milp.row_lower[i]), "upper": float(milp.row_upper[i])}
        graph.add_node(("row", i), bipartite=0, name=name, **sides)
    for j, name in enumerate(milp.col_names):
        graph.add_node(
            ("col", j),
            bipartite=1,
            name=name,
            objective=float(milp.objective[j]),
            kind=int(milp.kinds[j]),
            lower=float(milp.col_lower[j]),
            upper=float(milp.col_upper[j]),
        )
    entries = zip(
        milp.entry_rows.tolist(), milp.indices.tolist(), milp.values.tolist(), strict=True
    )
    graph.add_edges_from((("row", i), ("col", j), {"coefficient": a}) for i, j, a in entries)
    return graph


def _require(module: str, package: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        raise UnavailableError(
            f"this export needs {package}, which is not installed", hint=f"pip install {package}"
        ) from error
