"""Adam over one flat vector that all parameters are views of.

    m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,   θ ← θ − rate · m̂ / (√v̂ + ε)

with g the clipped gradient plus weight decay · θ, as in ``torch.optim.Adam``. Six hundred small
tensors cost more in calls than in arithmetic; and the whole state is three vectors in a checkpoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor, nn

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


class FlatAdam:
    """Moves the parameters of a module; they keep their names and shapes."""

    def __init__(self, module: nn.Module, weight_decay: float) -> None:
        parameters = list(module.parameters())
        self.weight_decay = weight_decay
        self.taken = 0
        self.parameters = torch.cat([p.detach().reshape(-1) for p in parameters])
        self.gradient = torch.zeros_like(self.parameters)
        self.first = torch.zeros_like(self.parameters)
        self.second = torch.zeros_like(self.parameters)
        start = 0
        for parameter in parameters:
            end = start + parameter.numel()
            parameter.data = self.parameters[start:end].view(parameter.shape)
            parameter.grad = self.gradient[start:end].view(parameter.shape)
            start = end

    def zero_gradient(self) -> None:
        """Before each backward pass: gradients are added in place."""
        self.gradient.zero_()

    def clip(self, most: float) -> float:
        """Scale the gradient to the norm `most` at most; the norm it had."""
        norm = float(torch.linalg.vector_norm(self.gradient))
        if norm > most:
            self.gradient.mul_(most / (norm + 1e-6))
        return norm

    def step(self, rate: float) -> None:
        """One update with the present gradient."""
        self.taken += 1
        gradient = self.gradient.add(self.parameters, alpha=self.weight_decay)
        self.first.lerp_(gradient, 1.0 - BETA_1)
        self.second.mul_(BETA_2).addcmul_(gradient, gradient, value=1.0 - BETA_2)
        corrected: float = (1.0 - BETA_2**self.taken) ** 0.5
        root = self.second.sqrt().div_(corrected).add_(EPSILON)
        self.parameters.addcdiv_(self.first, root, value=-rate / (1.0 - BETA_1**self.taken))

    def vectors(self) -> dict[str, Tensor]:
        """The state: parameters and both moments."""
        return {"parameters": self.parameters, "first": self.first, "second": self.second}

    def restore(self, vectors: dict[str, Tensor], taken: int) -> None:
        """Back to an earlier state."""
        for name, vector in self.vectors().items():
            vector.copy_(vectors[name])
        self.taken = taken
