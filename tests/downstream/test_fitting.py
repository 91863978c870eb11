"""Training: the best state by validation, the same bytes after an interruption, bad steps."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
import torch
from torch import nn

from g2milp.downstream.fitting import Schedule, fit
from g2milp.errors import UsageError


@dataclass(eq=False)
class Line:
    """y = 3 x + 1 with some noise; what is held out can be told to prefer an epoch."""

    wanted_epoch: int | None = None
    stop_at: int | None = None
    holds_out: bool = True
    bad: bool = False
    size: int = 20
    judged: int = field(default=0)

    def __post_init__(self) -> None:
        torch.manual_seed(0)
        self.module = nn.Linear(1, 1)
        x = np.linspace(-1, 1, self.size)
        self.x = torch.from_numpy(x).float().reshape(-1, 1)
        self.y = 3 * self.x + 1

    def loss(self, items):
        loss = nn.functional.mse_loss(self.module(self.x[items]), self.y[items])
        return loss * float("nan") if self.bad else loss

    def judge(self):
        self.judged += 1
        if self.stop_at is not None and self.judged > self.stop_at:
            raise KeyboardInterrupt
        if not self.holds_out:
            return None
        if self.wanted_epoch is not None:
            return float(abs(self.judged - self.wanted_epoch))
        return float(nn.functional.mse_loss(self.module(self.x), self.y).detach())


SCHEDULE = Schedule(epochs=60, batch=5, learning_rate=0.1)


def weights(problem: Line) -> list[float]:
    return [p.item() for p in problem.module.parameters()]


def test_it_learns():
    problem = Line()
    told = fit(problem, SCHEDULE, seed=1)
    assert weights(problem) == pytest.approx([3.0, 1.0], abs=0.02)
    assert told.best_value < 1e-3
    assert told.skipped_steps == 0


def test_the_state_of_the_best_epoch_is_kept():
    early, late = Line(wanted_epoch=3), Line(wanted_epoch=60)
    assert fit(early, SCHEDULE, seed=1).best_epoch == 3
    assert fit(late, SCHEDULE, seed=1).best_epoch == 60
    alone = Line(wanted_epoch=3, stop_at=3)
    with pytest.raises(KeyboardInterrupt):
        fit(alone, SCHEDULE, seed=1)
    after_four = weights(alone)
    assert weights(early) != after_four
    assert weights(early) != weights(late)


def test_without_validation_the_last_state_counts():
    problem, same = Line(holds_out=False), Line(wanted_epoch=60)
    told = fit(problem, SCHEDULE, seed=1)
    fit(same, SCHEDULE, seed=1)
    assert told.best_epoch == 60
    assert weights(problem) == weights(same)


def test_an_interrupted_training_ends_with_the_same_weights(tmp_path):
    whole = Line()
    wanted = fit(whole, SCHEDULE, seed=1)
    broken = Line(stop_at=37)
    with pytest.raises(KeyboardInterrupt):
        fit(broken, SCHEDULE, seed=1, folder=tmp_path / "c")
    assert any((tmp_path / "c").iterdir())
    resumed = Line()
    told = fit(resumed, SCHEDULE, seed=1, folder=tmp_path / "c")
    assert resumed.judged == 60 - 25
    assert weights(resumed) == weights(whole)
    assert told == wanted
    assert not (tmp_path / "c").exists()


def test_the_seed_orders_the_items():
    first, second, third = Line(), Line(), Line()
    for problem, seed in ((first, 1), (second, 1), (third, 2)):
        fit(problem, Schedule(epochs=2, batch=5, learning_rate=0.1), seed=seed)
    assert weights(first) == weights(second) != weights(third)


def test_steps_without_a_gradient_are_skipped_and_counted():
    problem = Line(bad=True)
    before = weights(problem)
    assert fit(problem, SCHEDULE, seed=1).skipped_steps == 60 * 4
    assert weights(problem) == before


@pytest.mark.parametrize(
    "given", [{"epochs": 0}, {"batch": 0}, {"learning_rate": 0.0}, {"clip": 0.0}]
)
def test_schedules_that_make_no_sense_are_refused(given):
    with pytest.raises(UsageError):
        Schedule(**given)
