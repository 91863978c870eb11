"""GraphNorm (Cai et al. 2021), one for each side after every convolution layer.

c = x − α ⊙ mean_G(x),   y = γ ⊙ c / √(mean_G(c²) + ε) + δ
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from g2milp.models import kernels

if TYPE_CHECKING:
    from g2milp.models.layers.gnn import Picked

EPSILON = 1e-5


class GraphNorm(nn.Module):
    """Normalisation over the nodes of each graph with a learnt share α of the mean."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.mean_scale = nn.Parameter(torch.ones(width))

    def forward(
        self, x: Tensor, graphs: Tensor, picked: Picked | None = None, rows: Tensor | None = None
    ) -> Tensor:
        """Shapes: x (n, H), graphs (G + 1,) the offsets of the graphs → (n, H).

        The results of the rows in `picked` are appended to its states; `rows` (len(ids), H) stand
        in for these rows of x.
        """
        weights = self.weight, self.bias, self.mean_scale
        if picked is None:
            return kernels.graph_norm(x, graphs, *weights, EPSILON)
        y, chosen = kernels.graph_norm_at(x, graphs, *weights, EPSILON, picked.ids, rows)
        picked.states.append(chosen)
        return y
