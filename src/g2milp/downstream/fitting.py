"""Training of a predictor: epochs over labelled graphs, the best state by validation, resumable.

Epoch e draws its order from (seed, e), so a checkpoint is parameters, moments and position. The
paper gives the number of epochs and the choice by validation; batch size, Adam, its rate and the
cosine to zero are ours, the same for every training set.
"""

from __future__ import annotations

import math
import shutil
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch

from g2milp.errors import TrainingDiverged, UsageError
from g2milp.models import kernels
from g2milp.training.checkpoints import Checkpoint, Position, read_newest, write_checkpoint
from g2milp.training.optimiser import FlatAdam

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor, nn

ORDER_TAG = 0x0DE4
CHECKPOINT_EVERY = 25
"""Epochs between two checkpoints."""


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long and how fast.

    Attributes
    ----------
    epochs, batch
        Passes over the training set; instances in a step.
    learning_rate, weight_decay, clip
        Of Adam at the start; the rate falls to zero along half a cosine.
    """

    epochs: int = 1000
    batch: int = 16
    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    clip: float = 10.0

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.batch < 1:
            raise UsageError(f"epochs {self.epochs} and batch {self.batch} must be at least 1")
        if not (self.learning_rate > 0 and self.clip > 0 and self.weight_decay >= 0):
            raise UsageError("learning_rate and clip must be positive, weight_decay at least 0")


class Problem(Protocol):
    """What is fitted: a module, its loss on some training items, and how it is judged."""

    @property
    def module(self) -> nn.Module:
        """What has the parameters."""
        ...

    @property
    def size(self) -> int:
        """Number of training items."""
        ...

    def loss(self, items: NDArray[np.int64]) -> Tensor:
        """Mean loss over these training items."""
        ...

    def judge(self) -> float | None:
        """Validation error; None where nothing is held out, then the last state counts."""
        ...


@dataclass(frozen=True)
class Fitted:
    """How a training went; the module holds the chosen state."""

    epochs: int
    best_epoch: int
    best_value: float | None
    last_loss: float
    skipped_steps: int


def fit(
    problem: Problem,
    schedule: Schedule,
    *,
    seed: int,
    folder: Path | None = None,
    advance: Callable[[int], None] = lambda epoch: None,
) -> Fitted:
    """Train; with a folder, go on from its newest checkpoint and remove it in the end."""
    kernels.keep_memory()
    optimiser = FlatAdam(problem.module, schedule.weight_decay)
    best, position = optimiser.parameters.clone(), Position()
    if folder is not None:
        found, _ = read_newest(folder, best.numel())
        if found is not None:
            vectors = {name: torch.from_numpy(v.copy()) for name, v in found.vectors.items()}
            best, position = vectors.pop("best"), found.position
            optimiser.restore(vectors, position.taken)
    last = math.nan
    per_epoch = math.ceil(problem.size / schedule.batch)
    for epoch in range(position.step, schedule.epochs):
        last = _epoch(problem, schedule, optimiser, seed, epoch)
        value = problem.judge()
        known = position.best_value
        position = replace(position, step=epoch + 1, taken=optimiser.taken)
        if value is None or (math.isfinite(value) and (known is None or value < known)):
            best.copy_(optimiser.parameters)
            position = replace(position, best_step=epoch + 1, best_value=value)
        if folder is not None and (epoch + 1) % CHECKPOINT_EVERY == 0:
            _keep(folder, optimiser, best, position)
        advance(epoch + 1)
    if not bool(torch.isfinite(best).all()):
        raise TrainingDiverged("the weights of the predictor are not finite")
    optimiser.parameters.copy_(best)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    return Fitted(
        epochs=schedule.epochs,
        best_epoch=position.best_step,
        best_value=position.best_value,
        last_loss=last,
        skipped_steps=schedule.epochs * per_epoch - optimiser.taken,
    )


def _epoch(
    problem: Problem, schedule: Schedule, optimiser: FlatAdam, seed: int, epoch: int
) -> float:
    """One pass; the mean loss. A step whose gradient is not finite is skipped."""
    order = np.random.default_rng([seed, ORDER_TAG, epoch]).permutation(problem.size)
    rate = schedule.learning_rate * (1.0 + math.cos(math.pi * epoch / schedule.epochs)) / 2.0
    losses = []
    for start in range(0, problem.size, schedule.batch):
        optimiser.zero_gradient()
        loss = problem.loss(order[start : start + schedule.batch])
        loss.backward()  # type: ignore[no-untyped-call]
        losses.append(float(loss.detach()))
        if math.isfinite(optimiser.clip(schedule.clip)):
            optimiser.step(rate)
    return float(np.mean(losses))


def _keep(folder: Path, optimiser: FlatAdam, best: Tensor, position: Position) -> None:
    vectors = {**optimiser.vectors(), "best": best}
    arrays = {name: vector.detach().cpu().numpy() for name, vector in vectors.items()}
    if all(np.isfinite(array).all() for array in arrays.values()):
        write_checkpoint(folder, Checkpoint(position, arrays))
