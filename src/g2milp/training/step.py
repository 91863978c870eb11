"""One optimisation step (algorithm 1): draw graphs, mask them, move the parameters.

Step n depends on the parameters, the data and (seed, n) only: there is no random state to store.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.models.masked_vae.loss import alphas_of, total
from g2milp.training.objectives import objective_of
from g2milp.training.schedules import beta, learning_rate

if TYPE_CHECKING:
    import torch

    from g2milp.models.masked_vae.state import Model
    from g2milp.training.distributed import Group
    from g2milp.training.optimiser import FlatAdam
    from g2milp.training.source import GraphSource

STEP_TAG = 0x57E9


@dataclass(frozen=True, eq=False)
class StepMaker:
    """What the steps of one training share."""

    model: Model
    optimiser: FlatAdam
    source: GraphSource
    indices: list[int]
    group: Group
    device: torch.device

    def run(self, step: int, rate_scale: float) -> dict[str, float] | None:
        """Step number `step`, from 0; its losses, or None if a gradient was not finite."""
        config = self.model.config
        training = config.training
        rng = np.random.default_rng([training.seed, STEP_TAG, step])
        batch = min(training.batch, len(self.indices))
        repeats = math.ceil(training.batch * training.repeats / batch)
        drawn = rng.choice(len(self.indices), size=batch, replace=False)
        mine = drawn[self.group.rank :: self.group.size]
        betas = beta(config.loss.row_prior, step), beta(config.loss.col_prior, step)

        self.optimiser.zero_gradient()
        values: dict[str, float] = {}
        if mine.size:
            own = np.random.default_rng([training.seed, STEP_TAG, step, 1 + self.group.rank])
            objective = objective_of(self.model, self.source, self.device)
            parts = objective.terms([self.indices[i] for i in mine], repeats, own, step)
            loss = total(parts, alphas_of(config.loss), betas)
            (loss * (mine.size / batch)).backward()  # type: ignore[no-untyped-call]
            values = {"loss": float(loss.detach())}
            values |= {name: float(part.detach()) for name, part in parts.items()}
        self.group.sum_in_place(self.optimiser.gradient)
        norm = self.optimiser.clip(training.clip)
        if not math.isfinite(norm) or self.group.any(not math.isfinite(values.get("loss", 0.0))):
            return None
        rate = learning_rate(training, step) * rate_scale
        self.optimiser.step(rate)
        return {
            **values,
            "gradient_norm": norm,
            "learning_rate": rate,
            "beta_rows": betas[0],
            "beta_cols": betas[1],
        }
