"""Instances as vectors: what the network knows of rows and columns, averaged over each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from g2milp.graph.bipartite import collate
from g2milp.graph.features import build_graph
from g2milp.models.contrast.hiding import look
from g2milp.models.contrast.network import ContrastNet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite
    from g2milp.instance.milp import Milp
    from g2milp.models.masked_vae.state import Model

MAX_EDGES = 500_000
"""Graphs are joined up to this size: memory does not grow with the data set."""


@torch.no_grad()
def embed(model: Model, milps: Iterable[Milp]) -> NDArray[np.float64]:
    """One vector an instance: means of the encoder, or states of the judge, (instances, width)."""
    dtype = next(model.parameters()).dtype
    device = next(model.parameters()).device
    form = model.config.network.row_form
    vectors = [np.empty((0, model.vector_width))]
    waiting: list[Bipartite] = []
    edges = 0

    def run() -> None:
        if waiting:
            vectors.append(_vectors(model, waiting, dtype, device).double().cpu().numpy())
            waiting.clear()

    for milp in milps:
        graph = build_graph(milp, form)
        if edges + graph.n_edges > MAX_EDGES:
            run()
            edges = 0
        waiting.append(graph)
        edges += graph.n_edges
    run()
    return np.concatenate(vectors)


def _vectors(
    model: Model, graphs: list[Bipartite], dtype: torch.dtype, device: torch.device
) -> torch.Tensor:
    if isinstance(model, ContrastNet):
        nothing = [np.empty(0, np.int64)] * len(graphs)
        return model.embed(look(graphs, nothing, dtype=dtype).to(device))
    return model.embed(collate(graphs, dtype=dtype).to(device))
