"""Bias Predictor and Degree Predictor: one number of each masked row.

b̂*_ṽ = σ(MLP([h_ṽ, z_ṽ])),   d̂*_ṽ = σ(MLP([h_ṽ, z_ṽ]))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torch import Tensor, nn

from g2milp.models.layers.mlp import MLP

if TYPE_CHECKING:
    import torch

    from g2milp.models.masked_vae.heads.numbers import Numbers


class Widths(NamedTuple):
    """Width of node states, of hidden layers and of latent vectors."""

    state: int
    hidden: int
    latent: int


class NumberHead(nn.Module):
    """One number of one node from its state and latent vector."""

    def __init__(self, numbers: Numbers, widths: Widths, generator: torch.Generator) -> None:
        super().__init__()
        self.numbers = numbers
        inputs = widths.state + widths.latent
        self.network = MLP(inputs, widths.hidden, numbers.outputs, generator)

    def forward(self, h: Tensor, z: Tensor) -> Tensor:
        """Shapes: h (n, H), z (n, L) → (n, O)."""
        out: Tensor = self.network(h, z)
        return out
