"""β over the steps (Eq. 4): how the weight of a prior is annealed, and the learning rate.

    constant      β = high
    linear        from low to high over `period` steps after `warm_up`
    cyclical      linear over the first half of every period, high over the second (Fu et al. 2019)
    sigmoid       low + (high − low) / (1 + e^(−12 (p − 1/2)))   (Bowman et al. 2015, as published)
    sigmoid-code  low + (high − low) (1 − 0.01^p)                so called in the authors’ code

with p = (step − warm_up) / period and β = low before `warm_up`. The last two go on beyond p = 1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2milp.models.masked_vae.config import Schedule, Training


def beta(schedule: Schedule, step: int) -> float:
    """β at `step`, counted from 0."""
    low, high = schedule.low, schedule.high
    if schedule.kind == "constant":
        return high
    if step < schedule.warm_up:
        return low
    share = (step - schedule.warm_up) / schedule.period
    if schedule.kind == "linear":
        rise = min(share, 1.0)
    elif schedule.kind == "cyclical":
        rise = min(2.0 * (share % 1.0), 1.0)
    elif schedule.kind == "sigmoid":
        rise = 1.0 / (1.0 + math.exp(-12.0 * (min(share, 10.0) - 0.5)))
    else:
        rise = 1.0 - 0.01**share
    return low + (high - low) * rise


def learning_rate(training: Training, step: int) -> float:
    """Exponential decay in stairs: `decay` once every `decay_every` steps."""
    return training.learning_rate * training.decay ** (step // training.decay_every)
