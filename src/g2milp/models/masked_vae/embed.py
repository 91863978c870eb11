"""Instances as vectors: the encoder's means, averaged over rows and over columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from g2milp.graph.bipartite import collate
from g2milp.graph.features import build_graph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite
    from g2milp.instance.milp import Milp
    from g2milp.models.masked_vae.model import MaskedVAE

MAX_EDGES = 500_000
"""Graphs are joined up to this size: memory does not grow with the data set."""


@torch.no_grad()
def embed(model: MaskedVAE, milps: Iterable[Milp]) -> NDArray[np.float64]:
    """One vector an instance, (instances, 2 · latent)."""
    dtype = next(model.parameters()).dtype
    device = next(model.parameters()).device
    form = model.config.network.row_form
    vectors = [np.empty((0, 2 * model.config.network.latent))]
    waiting: list[Bipartite] = []
    edges = 0

    def run() -> None:
        if waiting:
            batch = collate(waiting, dtype=dtype).to(device)
            vectors.append(model.embed(batch).double().cpu().numpy())
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
