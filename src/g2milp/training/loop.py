"""The training loop: steps, log, validation, checkpoints, and what to do when numbers explode.

A step whose loss or gradient is not finite is skipped; three in a row send training back to the
last checkpoint with half the learning rate; after three such returns it stops and says so. Weights
that are not finite are never stored.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import torch

from g2milp.errors import Interrupted, TrainingDiverged
from g2milp.training.checkpoints import Checkpoint, Position, write_checkpoint
from g2milp.training.interrupts import deferred_stop
from g2milp.training.selection import on_cpu, selection_steps
from g2milp.training.validation import validate

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from g2milp.training.interrupts import StopRequest
    from g2milp.training.metrics_log import MetricsLog
    from g2milp.training.selection import Selector
    from g2milp.training.step import StepMaker

BAD_STEPS, MAX_RETURNS = 3, 3


@dataclass(frozen=True)
class Progress:
    """What a progress display shows: losses are means since the last report."""

    step: int
    steps: int
    losses: dict[str, float]
    validation: dict[str, float] | None
    seconds_left: float
    note: str = ""


Report: TypeAlias = Callable[[Progress], None]


@dataclass(eq=False)
class Loop:
    """Runs the steps from `position` to the end; `best` are the parameters that won so far."""

    maker: StepMaker
    log: MetricsLog
    validation: list[int]
    folder: Path | None
    selector: Selector | None
    report: Report
    position: Position = field(default_factory=Position)
    best: Tensor = field(init=False)

    def __post_init__(self) -> None:
        self.best = self.maker.optimiser.parameters.clone()
        self._sums: dict[str, float] = {}
        self._counted = 0
        self._bad = 0
        self._snapshot: tuple[Position, dict[str, Tensor]] | None = None
        self._validated: dict[str, float] | None = None

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint."""
        vectors = {name: torch.from_numpy(v.copy()) for name, v in checkpoint.vectors.items()}
        self.position = checkpoint.position
        self.best = vectors.pop("best").to(self.maker.device)
        self.maker.optimiser.restore(vectors, checkpoint.position.taken)

    def run(self) -> None:
        """All remaining steps; afterwards the model holds the best parameters."""
        training = self.maker.model.config.training
        self._keep()
        started, first = time.monotonic(), self.position.step
        with deferred_stop() as stop:
            while self.position.step < training.steps:
                values = self.maker.run(self.position.step, self.position.rate_scale)
                if values is None:
                    self._went_wrong()
                    continue
                self._bad = 0
                step = self.position.step + 1
                self.position = replace(self.position, step=step, taken=self.maker.optimiser.taken)
                self._count(values)
                judged = self._judge(step)
                saves = step % training.checkpoint_every == 0 or step == training.steps
                if step % training.log_every == 0 or judged or saves:
                    pace = (time.monotonic() - started) / (step - first)
                    self._write_log(step, pace * (training.steps - step))
                if saves:
                    self._keep(write=True)
                self._stop_if_asked(stop)
        if self.position.best_value is not None:
            self.maker.optimiser.parameters.copy_(self.best)

    def _count(self, values: dict[str, float]) -> None:
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + value
        self._counted += 1

    def _write_log(self, step: int, seconds_left: float) -> None:
        means = {name: value / self._counted for name, value in self._sums.items()}
        self._sums, self._counted = {}, 0
        if not self.maker.group.leads:
            return
        self.log.add({"step": step, **means})
        total = self.maker.model.config.training.steps
        self.report(Progress(step, total, means, self._validated, seconds_left))

    def _judge(self, step: int) -> bool:
        """Validate, and remember the parameters if they are the best so far."""
        training = self.maker.model.config.training
        last = step == training.steps
        every = selection_steps(training.steps, training.validate_every, self.selector)
        validates = step % training.validate_every == 0 or last
        selects = step % every == 0 or last
        if not self.maker.group.leads or not (validates or selects):
            return validates or selects
        model = self.maker.model
        self._validated = validate(model, self.maker.source, self.validation)
        record: dict[str, object] = {"step": step, "validation": self._validated}
        if selects:
            if self.selector is None:
                value = self._validated["loss"]
            else:
                value = self.selector(on_cpu(model), self.maker.source.dataset)
                record["selection"] = {self.selector.name: value}
            best = self.position.best_value
            if math.isfinite(value) and (best is None or value < best):
                self.best.copy_(self.maker.optimiser.parameters)
                self.position = replace(self.position, best_step=step, best_value=float(value))
        self.log.add(record)
        return True

    def _keep(self, *, write: bool = False) -> None:
        """Remember this state, and write it to the disk."""
        vectors = {**self.maker.optimiser.vectors(), "best": self.best}
        copies = {name: vector.detach().clone() for name, vector in vectors.items()}
        if not all(bool(torch.isfinite(vector).all()) for vector in copies.values()):
            return
        self._snapshot = (self.position, copies)
        if write and self.folder is not None and self.maker.group.leads:
            arrays = {name: vector.cpu().numpy() for name, vector in copies.items()}
            write_checkpoint(self.folder, Checkpoint(self.position, arrays))

    def _went_wrong(self) -> None:
        self._bad += 1
        step = self.position.step + 1
        if self._bad < BAD_STEPS:
            self.position = replace(self.position, step=step)
            return
        assert self._snapshot is not None
        before, vectors = self._snapshot
        returns = self.position.returns + 1
        if returns > MAX_RETURNS:
            raise TrainingDiverged(
                f"losses or gradients are not finite at step {step}, and going back to step "
                f"{before.step} with a smaller learning rate {MAX_RETURNS} times did not help",
                hint="Use `--set scaling=symlog` if the instances hold very large numbers, or a "
                "smaller learning_rate.",
            )
        self._bad = 0
        self.position = replace(before, returns=returns, rate_scale=self.position.rate_scale / 2)
        self.best.copy_(vectors["best"])
        self.maker.optimiser.restore(vectors, before.taken)
        self.log.cut_after(before.step)
        self._sums, self._counted = {}, 0

    def _stop_if_asked(self, stop: StopRequest) -> None:
        if not self.maker.group.any(bool(stop)):
            return
        self._keep(write=True)
        done = f"training stopped after step {self.position.step}"
        if self.folder is None:
            raise Interrupted(f"{done}; nothing was kept, for lack of a run folder")
        raise Interrupted(done, hint="The same command continues it.")
