"""β and learning rate over the steps."""

from __future__ import annotations

import pytest

from g2milp.models.masked_vae.config import Schedule, Training
from g2milp.training.schedules import beta, learning_rate


def schedule(kind: str) -> Schedule:
    return Schedule(kind=kind, low=0.1, high=1.1, warm_up=10, period=100)


@pytest.mark.parametrize("kind", ["linear", "cyclical", "sigmoid", "sigmoid-code"])
def test_before_the_warm_up_beta_is_low(kind) -> None:
    assert [beta(schedule(kind), step) for step in (0, 9)] == [0.1, 0.1]


def test_constant_is_high_from_the_first_step() -> None:
    assert [beta(schedule("constant"), step) for step in (0, 10_000)] == [1.1, 1.1]


@pytest.mark.parametrize(
    ("kind", "at", "value"),
    [
        ("linear", 60, 0.6),
        ("linear", 110, 1.1),
        ("linear", 900, 1.1),
        ("cyclical", 35, 0.6),
        ("cyclical", 60, 1.1),
        ("cyclical", 110, 0.1),
        ("cyclical", 135, 0.6),
        ("sigmoid", 60, 0.6),
        ("sigmoid-code", 110, 1.1 - 0.01),
        ("sigmoid-code", 60, 1.0),
    ],
)
def test_values_by_hand(kind, at, value) -> None:
    assert beta(schedule(kind), at) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("kind", ["linear", "sigmoid", "sigmoid-code"])
def test_annealing_never_falls_and_stays_in_range(kind) -> None:
    values = [beta(schedule(kind), step) for step in range(0, 5000, 7)]
    assert values == sorted(values)
    assert 0.1 <= min(values) <= max(values) <= 1.1


def test_the_learning_rate_falls_in_stairs() -> None:
    training = Training(learning_rate=0.001, decay=0.99, decay_every=30)
    assert learning_rate(training, 29) == 0.001
    assert learning_rate(training, 30) == pytest.approx(0.00099)
    assert learning_rate(training, 20_000) == pytest.approx(0.001 * 0.99**666)
