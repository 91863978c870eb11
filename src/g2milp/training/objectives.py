"""What a step minimises: the terms of the loss of some graphs, and how a network is validated.

The autoencoder restores masked rows and columns (Eq. 4); the judge of exchanges tells real entries
from exchanged ones. The loop does not know which of them it trains.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import torch

from g2milp.models.contrast.hiding import make_contrasts
from g2milp.models.contrast.loss import contrast_loss, margins
from g2milp.models.contrast.network import ContrastNet
from g2milp.models.masked_vae.loss import Noise, losses
from g2milp.models.masked_vae.masking import make_task

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from g2milp.models.contrast.hiding import Contrasts
    from g2milp.models.masked_vae.model import MaskedVAE
    from g2milp.models.masked_vae.state import Model
    from g2milp.training.source import GraphSource


class Objective(Protocol):
    """The terms of the loss by name, without their weights."""

    def terms(
        self, indices: list[int], repeats: int, rng: np.random.Generator, turn: int
    ) -> dict[str, Tensor]:
        """For the graphs with these indices, each used `repeats` times."""
        ...


@dataclass(frozen=True, eq=False)
class Restoring:
    """Algorithm 1: mask, encode, decode."""

    model: MaskedVAE
    source: GraphSource
    device: torch.device

    def terms(
        self, indices: list[int], repeats: int, rng: np.random.Generator, turn: int
    ) -> dict[str, Tensor]:
        """L_1 … L_4, column tasks, both divergences."""
        config = self.model.config
        task = make_task(
            [self.source[i] for i in indices],
            repeats,
            config.masking,
            rng,
            turn=turn,
            mean=config.loss.reduction == "mean",
        )
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        noise = Noise.draw(task, config.network.latent, generator)
        return losses(self.model, task.to(self.device), noise.to(self.device))[0]


@dataclass(frozen=True, eq=False)
class Contrasting:
    """Hide entries, contrast them with what an exchange would make."""

    model: ContrastNet
    source: GraphSource
    device: torch.device
    count_shared: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "count_shared", self.model.config.network.shared)

    def terms(
        self, indices: list[int], repeats: int, rng: np.random.Generator, turn: int
    ) -> dict[str, Tensor]:
        """One term: −log σ(Δ)."""
        contrasts = self.contrasts(indices * repeats, rng)
        return {"contrast": contrast_loss(margins(self.model, contrasts), contrasts.share)}

    def contrasts(self, indices: list[int], rng: np.random.Generator) -> Contrasts:
        """A task for the graphs with these indices."""
        made = make_contrasts(
            [self.source[i] for i in indices],
            [self.source.typing(i) for i in indices],
            self.model.config.masking.rows_per_mask,
            rng,
            count_shared=self.count_shared,
        )
        return made.to(self.device)


def objective_of(model: Model, source: GraphSource, device: torch.device) -> Objective:
    """What this kind of network minimises."""
    if isinstance(model, ContrastNet):
        return Contrasting(model, source, device)
    return Restoring(model, source, device)
