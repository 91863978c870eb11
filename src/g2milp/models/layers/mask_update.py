"""The special update of masked rows over virtual edges to all columns (appendix A.3.2).

    h_ṽ ← MLP(h_ṽ, MEAN_j h_wj, h_virtual)      h_wj ← MLP(h_wj, h_ṽ, h_virtual)

The main text gives the virtual edges an embedding of their own; the formulas of the appendix and
the authors' code have none. Here it is a third argument that the configuration can leave out. With
several masked rows in a graph, columns get the mean of their states (one: the printed formula).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from g2milp.models import kernels
from g2milp.models.layers.mlp import MLP, normal

if TYPE_CHECKING:
    from g2milp.models.layers.gnn import Masked


class MaskUpdate(nn.Module):
    """Both directions, after one convolution layer."""

    def __init__(
        self, width: int, hidden: int, virtual_edge: bool, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.width = width
        self.virtual_edge = normal((width,), generator) if virtual_edge else None
        inputs = (3 if virtual_edge else 2) * width
        self.gather = MLP(inputs, hidden, width, generator)
        self.spread = MLP(inputs, hidden, width, generator)

    def forward(
        self, states: Tensor, cols: Tensor, masked: Masked, col_graphs: Tensor
    ) -> tuple[Tensor, Tensor]:
        """New states of the masked rows and of all columns of graphs that have masked rows.

        Shapes: states (R, H) of the masked rows, cols (N, H) → (R, H), (N, H).
        """
        mean = kernels.segment_mean(cols, col_graphs).index_select(0, masked.graph)
        width, w1 = self.width, self.spread.w1
        shift: Tensor = self.spread.b1
        if self.virtual_edge is None:
            gathered = self.gather(states, mean)
        else:
            gathered = self.gather(states, mean, self.virtual_edge.expand(states.shape[0], -1))
            shift = shift + w1[:, 2 * width :] @ self.virtual_edge
        of_col, of_row = w1[:, :width], w1[:, width : 2 * width]
        shift = kernels.segment_mean(gathered, masked.ptr) @ of_row.T + shift
        spread = kernels.mlp_segmented(
            cols, col_graphs, of_col.contiguous(), shift, self.spread.w2, self.spread.b2
        )
        if masked.in_every_graph:
            return gathered, spread
        touched = masked.touches_col(cols.shape[0]).unsqueeze(1)
        return gathered, torch.where(touched, spread, cols)
