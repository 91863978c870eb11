"""The network of both learning tasks: the generator's graph network on standardised features.

    x ← symlog((x − mean) / deviation),   (h_v, h_w) = GNN(embeddings of x)

The paper does not say how inputs are scaled. Mean and deviation are those of the training graphs;
symlog keeps a feature of 1e15 in a badly made instance from ruling everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from torch import Tensor, nn

from g2milp.errors import UsageError
from g2milp.models.layers.embedding import Embedding
from g2milp.models.layers.gnn import BipartiteGNN, Shape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.graph.bipartite import Bipartite, GraphBatch
    from g2milp.graph.features import RowForm


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """Shape of the network; the defaults are those of the generator (appendix B.2).

    Attributes
    ----------
    width, hidden, depth
        Of node states and of the hidden layers of all MLPs; number of convolution layers.
    message, row_form
        As in the generator: see `models.layers.half_convolution` and `graph.features`.
    """

    width: int = 16
    hidden: int = 16
    depth: int = 6
    message: Literal["paper", "code"] = "paper"
    row_form: RowForm = "rows"

    def __post_init__(self) -> None:
        if min(self.width, self.hidden, self.depth) < 1:
            raise UsageError("width, hidden and depth must be at least 1")
        if self.message not in ("paper", "code") or self.row_form not in ("rows", "canonical"):
            raise UsageError(
                f"message {self.message!r} must be paper or code, "
                f"row_form {self.row_form!r} rows or canonical"
            )


@dataclass(frozen=True, eq=False)
class Scales:
    """Mean and deviation of the features of rows, columns and coefficients, (2, F) each."""

    rows: Tensor
    cols: Tensor
    edges: Tensor

    @classmethod
    def of(cls, graphs: Iterable[Bipartite]) -> Scales:
        """Gathered over graphs, each node and each edge once."""
        sums: list[list[np.ndarray]] = [[], [], []]
        for graph in graphs:
            values = graph.table[graph.codes].reshape(-1, 1)
            for part, block in zip(
                sums, (graph.row_features, graph.col_features, values), strict=True
            ):
                bounded = np.clip(block, -1e30, 1e30)
                part.append(np.stack([np.full(block.shape[1], len(block)), bounded.sum(axis=0)]))
                part[-1] = np.concatenate([part[-1], (bounded**2).sum(axis=0)[None]])
        return cls(*(_moments(np.sum(part, axis=0)) for part in sums))


class Trunk(nn.Module):
    """From a batch of graphs to the states of its rows and columns."""

    def __init__(
        self, settings: NetworkSettings, scales: Scales, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.scales = scales
        self.embedding = Embedding(
            settings.width, settings.hidden, settings.row_form, generator, compress=True
        )
        shape = Shape(
            width=settings.width,
            hidden=settings.hidden,
            depth=settings.depth,
            message=settings.message,
            mask_state="before",
            virtual_edge=False,
        )
        self.gnn = BipartiteGNN(shape, False, generator)

    def forward(self, batch: GraphBatch) -> tuple[Tensor, Tensor]:
        """Shapes: (M, H) for the rows, (N, H) for the columns of the batch."""
        states = self.gnn(
            batch,
            self.embedding.rows(_standardised(batch.row_features, self.scales.rows)),
            self.embedding.cols(_standardised(batch.col_features, self.scales.cols)),
            self.embedding.edges(_standardised(batch.table, self.scales.edges)),
            None,
        )
        return self.gnn.row_states(states), self.gnn.col_states(states)


def _moments(sums: np.ndarray) -> Tensor:
    """Mean and deviation from count, sum and sum of squares; a constant has the deviation 1."""
    count, first, second = sums
    mean = first / np.maximum(count, 1)
    variance = np.maximum(second / np.maximum(count, 1) - mean**2, 0.0)
    deviation = np.sqrt(variance)
    deviation[deviation <= 1e-9 * np.maximum(np.abs(mean), 1e-30)] = 1.0
    return torch.from_numpy(np.stack([mean, deviation])).float()


def _standardised(features: Tensor, scale: Tensor) -> Tensor:
    return (features - scale[0]) / scale[1]
