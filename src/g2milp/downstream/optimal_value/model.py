"""The predictor: mean pooling over all vertices, a two-layer head (appendix D.3).

    ŷ(G) = MLP( 1/(m + n) (Σ_i h_vi + Σ_j h_wj) )

Targets are standardised: y = (optimum − mean) / deviation over the real training labels, the same
numbers for every training set that is compared, so an error of 1 is that of always guessing the
mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from g2milp.downstream.network import NetworkSettings, Scales, Trunk
from g2milp.graph.bipartite import collate
from g2milp.models import kernels
from g2milp.models.layers.mlp import MLP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite, GraphBatch

MAX_EDGES = 400_000
"""Graphs are predicted together up to this size."""


class ValueNet(nn.Module):
    """A number for each graph."""

    def __init__(
        self, settings: NetworkSettings, scales: Scales, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.trunk = Trunk(settings, scales, generator)
        self.head = MLP(settings.width, settings.hidden, 1, generator)

    def forward(self, batch: GraphBatch) -> Tensor:
        """Shape: (G,)."""
        rows, cols = self.trunk(batch)
        n_rows = batch.row_ptr.diff().unsqueeze(1).float()
        n_cols = batch.col_ptr.diff().unsqueeze(1).float()
        pooled = kernels.segment_mean(rows, batch.row_ptr) * n_rows
        pooled = (pooled + kernels.segment_mean(cols, batch.col_ptr) * n_cols) / (n_rows + n_cols)
        out: Tensor = self.head(pooled)
        return out.squeeze(1)


@dataclass(eq=False)
class ValueProblem:
    """Squared error on labelled graphs; a `fitting.Problem`."""

    module: ValueNet
    graphs: Sequence[Bipartite]
    targets: NDArray[np.float64]
    held_graphs: Sequence[Bipartite]
    held_targets: NDArray[np.float64]

    @property
    def size(self) -> int:
        """Training instances."""
        return len(self.graphs)

    def loss(self, items: NDArray[np.int64]) -> Tensor:
        """Mean squared error."""
        batch = collate([self.graphs[int(i)] for i in items])
        wanted = torch.from_numpy(self.targets[items]).float()
        return torch.nn.functional.mse_loss(self.module(batch), wanted)

    def judge(self) -> float | None:
        """Mean squared error on what was held out."""
        if not self.held_graphs:
            return None
        errors = predict(self.module, self.held_graphs) - self.held_targets
        return float(np.mean(errors**2))


@torch.no_grad()
def predict(module: ValueNet, graphs: Sequence[Bipartite]) -> NDArray[np.float64]:
    """Standardised values, (graphs,); graphs are joined up to `MAX_EDGES`."""
    values: list[NDArray[np.float64]] = []
    start = 0
    while start < len(graphs):
        end, edges = start + 1, graphs[start].n_edges
        while end < len(graphs) and edges + graphs[end].n_edges <= MAX_EDGES:
            edges += graphs[end].n_edges
            end += 1
        values.append(module(collate(graphs[start:end])).double().numpy())
        start = end
    return np.concatenate(values) if values else np.empty(0)
