"""The paper's MLP: one hidden layer, ReLU (appendix B.2).

MLP(x_1, …, x_p) = W₂ relu(W₁ [x_1 ‖ … ‖ x_p] + b₁) + b₂
"""

from __future__ import annotations

import math
from typing import TypeAlias

import torch
from torch import Tensor, nn

from g2milp.models import kernels

Weights: TypeAlias = tuple[Tensor, Tensor, Tensor, Tensor]


class MLP(nn.Module):
    """Two linear layers with a ReLU between; inputs are given side by side, never joined.

    Parameters are made from `generator` alone, with the bounds that ``nn.Linear`` uses.
    """

    def __init__(self, inputs: int, hidden: int, outputs: int, generator: torch.Generator) -> None:
        super().__init__()
        self.w1 = uniform((hidden, inputs), inputs, generator)
        self.b1 = uniform((hidden,), inputs, generator)
        self.w2 = uniform((outputs, hidden), hidden, generator)
        self.b2 = uniform((outputs,), hidden, generator)

    @property
    def weights(self) -> Weights:
        """``(W₁, b₁, W₂, b₂)``."""
        return self.w1, self.b1, self.w2, self.b2

    def forward(self, *parts: Tensor) -> Tensor:
        """Apply to rows; shapes (n, d_1), … → (n, outputs)."""
        return kernels.mlp(parts, *self.weights)


def uniform(shape: tuple[int, ...], fan_in: int, generator: torch.Generator) -> nn.Parameter:
    """A parameter drawn from U(−1/√fan_in, 1/√fan_in)."""
    bound = 1.0 / math.sqrt(max(fan_in, 1))
    drawn = torch.rand(shape, generator=generator, dtype=torch.float32)
    return nn.Parameter((2.0 * drawn - 1.0) * bound)


def normal(shape: tuple[int, ...], generator: torch.Generator) -> nn.Parameter:
    """A parameter drawn from N(0, 1): special embeddings."""
    return nn.Parameter(torch.randn(shape, generator=generator, dtype=torch.float32))
