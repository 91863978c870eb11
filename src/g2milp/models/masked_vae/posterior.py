"""The encoder's answer q_φ(Z | G) and its distance from the prior.

    q(z_u | G) = N(μ(h_u), exp Σ(h_u)),   Σ the log variance

As in the authors' code the log variance is bounded above by 10, so that its exponential is finite.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from g2milp.models.layers.mlp import MLP

MAX_LOG_VARIANCE = 10.0


class Gaussian(NamedTuple):
    """Mean and log variance of each node's latent vector, (n, L) both."""

    mean: Tensor
    log_var: Tensor

    def sample(self, ids: Tensor, noise: Tensor) -> Tensor:
        """Z = μ + e^{Σ/2}·noise for the nodes `ids`; noise (len(ids), L)."""
        scale = torch.exp(0.5 * self.log_var.index_select(0, ids))
        return self.mean.index_select(0, ids) + scale * noise

    def divergence(self) -> Tensor:
        """D_KL[q ‖ N(0, I)], summed over nodes and dimensions."""
        variance = torch.exp(self.log_var)
        return 0.5 * (self.mean * self.mean + variance - self.log_var - 1.0).sum()


class Posterior(NamedTuple):
    """q for both sides."""

    rows: Gaussian
    cols: Gaussian


class GaussianHead(nn.Module):
    """Two MLPs for one side: mean and log variance."""

    def __init__(self, width: int, hidden: int, latent: int, generator: torch.Generator) -> None:
        super().__init__()
        self.mean = MLP(width, hidden, latent, generator)
        self.log_var = MLP(width, hidden, latent, generator)

    def forward(self, h: Tensor) -> Gaussian:
        """Shapes: (n, H) → two of (n, L)."""
        return Gaussian(self.mean(h), self.log_var(h).clamp(max=MAX_LOG_VARIANCE))
