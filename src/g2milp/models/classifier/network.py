"""A graph network that gives one logit an instance.

    logit = MLP([mean and deviation of h_v over rows ‖ of h_w over columns])

h are the states of message passing; the degree of each node is given to it. Means and deviations
are brought to one scale first (`settle`): sets differ in them by little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from g2milp.models import kernels
from g2milp.models.layers.embedding import Embedding
from g2milp.models.layers.gnn import BipartiteGNN, Shape
from g2milp.models.layers.mlp import MLP, uniform

if TYPE_CHECKING:
    from g2milp.graph.bipartite import GraphBatch


class GraphClassifier(nn.Module):
    """Message passing, mean and deviation over rows and columns, one logit a graph."""

    def __init__(self, width: int, depth: int, seed: int) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.embedding = Embedding(width, 2 * width, "rows", generator, compress=True)
        self.of_row_degree, self.of_col_degree = (uniform((width, 1), 1, generator) for _ in "rc")
        shape = Shape(
            width=width,
            hidden=2 * width,
            depth=depth,
            message="code",
            mask_state="before",
            virtual_edge=False,
        )
        self.network = BipartiteGNN(shape, False, generator)
        self.head = MLP(4 * width, 2 * width, 1, generator)
        self.register_buffer("centre", torch.zeros(4 * width))
        self.register_buffer("scale", torch.ones(4 * width))

    def forward(self, batch: GraphBatch) -> Tensor:
        """Logits, larger for generated: (G,)."""
        vectors = (self.vectors(batch) - self.centre) / self.scale
        out: Tensor = self.head(vectors)
        return out.squeeze(1)

    @torch.no_grad()
    def settle(self, batch: GraphBatch) -> None:
        """Fix the scale of the vectors from some graphs: differences of sets are small in them."""
        vectors = self.vectors(batch)
        self.centre = vectors.mean(dim=0)
        self.scale = vectors.std(dim=0, correction=0).clamp_min(1e-3)

    def vectors(self, batch: GraphBatch) -> Tensor:
        """One vector a graph, (G, 4·width)."""
        rows = self.embedding.rows(batch.row_features)
        cols = self.embedding.cols(batch.col_features)
        rows = rows + _log_degrees(batch.by_row.degrees, rows) @ self.of_row_degree.T
        cols = cols + _log_degrees(batch.by_col.degrees, cols) @ self.of_col_degree.T
        states = self.network(batch, rows, cols, self.embedding.edges(batch.table), None)
        return torch.cat(
            [
                *_moments(self.network.row_states(states), batch.row_ptr),
                *_moments(self.network.col_states(states), batch.col_ptr),
            ],
            dim=1,
        )


def _log_degrees(degrees: Tensor, like: Tensor) -> Tensor:
    return torch.log1p(degrees.to(like.dtype)).unsqueeze(1)


def _moments(states: Tensor, ptr: Tensor) -> tuple[Tensor, Tensor]:
    mean = kernels.segment_mean(states, ptr)
    square = kernels.segment_mean(states * states, ptr)
    return mean, (square - mean * mean).clamp_min(1e-8).sqrt()
