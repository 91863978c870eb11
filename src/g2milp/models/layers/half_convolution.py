"""One half of a graph convolution (appendix A.3.1).

    h_i ← MLP(h_i, Σ_{j ∈ N(i)} m_ij)

    m_ij = MLP(h_i, e_ij, h_j)                            message "paper"
    m_ij = MLP_f(MLP_l(h_i) + MLP_e(e_ij) + MLP_r(h_j))   message "code"

Both are computed without a linear layer on edges. The first layer of the message is a sum of one
part for each argument, so its parts are computed on targets, sources and distinct edge values; the
last layer of the message passes the sum over the edges, its bias as often as there are edges, and
is folded into the first layer of the outer MLP. What remains on an edge is
relu(left_i + table_ij + right_j).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor, nn

from g2milp.models import kernels
from g2milp.models.layers.mlp import MLP, Weights

if TYPE_CHECKING:
    from g2milp.models.kernels import Edges


class HalfConvolution(nn.Module):
    """Update of all targets from their neighbours, in either form of the message."""

    def __init__(
        self,
        width: int,
        hidden: int,
        message: Literal["paper", "code"],
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        self.width = width
        if message == "code":
            self.target: MLP | None = MLP(width, hidden, width, generator)
            self.edge: MLP | None = MLP(width, hidden, width, generator)
            self.source: MLP | None = MLP(width, hidden, width, generator)
            self.message = MLP(width, hidden, width, generator)
        else:
            self.target = self.edge = self.source = None
            self.message = MLP(3 * width, hidden, width, generator)
        self.update = MLP(2 * width, hidden, width, generator)

    def forward(self, target: Tensor, source: Tensor, edge: Tensor, edges: Edges) -> Tensor:
        """New states of the targets.

        Shapes: target (T, H), source (S, H), edge (C, H) the embedded distinct values → (T, H).
        """
        left, right, table = self._folded(edge) if self.target is not None else self._split(edge)
        return kernels.half_convolution(target, source, table, edges, left, right, self._outer())

    def without_edges(self, target: Tensor) -> Tensor:
        """New states of targets that have no edges: the outer MLP with an empty sum."""
        of_self = self.update.w1[:, : self.width]
        return kernels.mlp((target,), of_self, self.update.b1, self.update.w2, self.update.b2)

    def _folded(self, edge: Tensor) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...], Tensor]:
        """Message "code": the first layer of MLP_f joins the last ones of MLP_l, MLP_e, MLP_r."""
        assert self.target is not None
        assert self.edge is not None
        assert self.source is not None
        w1, b1 = self.message.w1, self.message.b1
        bias = w1 @ (self.target.b2 + self.edge.b2 + self.source.b2) + b1
        left = (self.target.w1, self.target.b1, w1 @ self.target.w2, bias)
        right = (self.source.w1, self.source.b1, w1 @ self.source.w2, torch.zeros_like(b1))
        table = kernels.mlp(
            (edge,), self.edge.w1, self.edge.b1, w1 @ self.edge.w2, torch.zeros_like(b1)
        )
        return left, right, table

    def _split(self, edge: Tensor) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...], Tensor]:
        """Message "paper": the three column blocks of its first layer."""
        width, w1 = self.width, self.message.w1
        left = (w1[:, :width].contiguous(), self.message.b1)
        right = (w1[:, 2 * width :].contiguous(), torch.zeros_like(self.message.b1))
        return left, right, edge @ w1[:, width : 2 * width].T

    def _outer(self) -> Weights:
        """The outer MLP for the arguments (sum of relus, h, degree)."""
        of_self, of_sum = self.update.w1[:, : self.width], self.update.w1[:, self.width :]
        folded = of_sum @ self.message.w2
        per_edge = (of_sum @ self.message.b2).unsqueeze(1)
        w1 = torch.cat([folded, of_self, per_edge], dim=1)
        return w1, self.update.b1, self.update.w2, self.update.b2
