"""Does a judge of exchanges carry anything? Measured on instances that it was not trained on.

    gain = log 2 − mean of −log σ(Δ)      nats a contrast; 0 for coin flips

Where real and exchanged arrangements are alike, as those of random set covers, there is nothing to
learn, and a judge that has learned it adds noise and time.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import torch

from g2milp.models.contrast.loss import contrast_loss, margins
from g2milp.training.objectives import Contrasting
from g2milp.training.source import GraphSource, split, usable

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.models.contrast.network import ContrastNet
    from g2milp.models.contrast.typed import Typist

MAX_GRAPHS = 60
LOOKS = 2
"""Times that each graph is looked at, with other entries hidden."""

LEAST_GAIN = 0.002
SEED_TAG = 0x6A1


@torch.no_grad()
def contrast_gain(model: ContrastNet, dataset: Dataset, typist: Typist) -> tuple[float, float]:
    """The mean gain over the validation graphs and its standard error."""
    training = model.config.training
    source = GraphSource(dataset, "rows", typist=typist)
    indices = usable(source, model.config.masking)
    _, held_out = split(indices, training.validation_share, training.seed)
    objective = Contrasting(model, source, next(model.parameters()).device)
    gains = []
    for index in held_out[:MAX_GRAPHS]:
        rng = np.random.default_rng([training.seed, SEED_TAG, index])
        contrasts = objective.contrasts([index] * LOOKS, rng)
        if contrasts.share.numel():
            loss = contrast_loss(margins(model, contrasts), contrasts.share)
            gains.append(math.log(2.0) - float(loss))
    if not gains:
        return 0.0, 0.0
    return float(np.mean(gains)), float(np.std(gains) / math.sqrt(len(gains)))


def carries(gain: tuple[float, float]) -> bool:
    """Whether the gain is there: more than two standard errors, and enough to matter."""
    return gain[0] > max(LEAST_GAIN, 2.0 * gain[1])
