"""Numbers as a share of a range or as one of some levels."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from g2milp.models.masked_vae.heads.numbers import Levels, Range, numbers_of
from g2milp.models.masked_vae.statistics import Values


@given(
    low=st.floats(-1e6, 1e6),
    width=st.floats(1, 1e15),
    share=st.floats(0.01, 0.99),
    compress=st.booleans(),
)
def test_the_loss_is_zero_where_decoding_gives_the_target(low, width, share, compress) -> None:
    values = Values(low=low, high=low + width, integer=False)
    numbers = Range(values, compress)
    outputs = torch.logit(torch.tensor([[share]], dtype=torch.float64))
    decoded = numbers.decode(outputs, None)
    assert low <= decoded[0] <= low + width
    loss = numbers.loss(outputs, torch.from_numpy(decoded))
    assert float(loss) < 1e-6


def test_a_constant_is_always_right_and_gives_no_gradient() -> None:
    numbers = Range(Values(low=3, high=3), compress=False)
    outputs = torch.randn(4, 1, requires_grad=True)
    assert numbers.loss(outputs, torch.full((4,), 3.0, dtype=torch.float64)).tolist() == [0] * 4
    assert numbers.decode(outputs.detach(), None).tolist() == [3] * 4


def test_integers_are_rounded() -> None:
    outputs = torch.logit(torch.tensor([[0.26], [0.74]]))
    assert Range(Values(low=0, high=10), False).decode(outputs, None).tolist() == [3, 7]


def test_levels_are_drawn_with_their_probabilities() -> None:
    numbers = Levels((-1.0, 0.5, 2.0))
    chances = np.array([0.2, 0.5, 0.3])
    outputs = torch.from_numpy(np.log(chances)).repeat(20_000, 1)
    drawn = numbers.decode(outputs, np.random.default_rng(0).random(20_000))
    shares = [(drawn == level).mean() for level in numbers.levels]
    assert np.abs(np.array(shares) - chances).max() < 0.015
    assert numbers.decode(outputs[:1], None).tolist() == [0.5]


def test_the_loss_of_levels_is_the_cross_entropy_of_the_right_one() -> None:
    numbers = Levels((-1.0, 0.5, 2.0))
    outputs = torch.tensor([[0.0, 1.0, 2.0]]).repeat(3, 1)
    loss = numbers.loss(outputs, torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float64))
    wanted = torch.logsumexp(outputs[0], 0) - outputs[0]
    torch.testing.assert_close(loss, wanted)


def test_levels_only_where_they_are_asked_for_and_known() -> None:
    few, many = Values(low=0, high=1, levels=(0.0, 1.0)), Values(low=0, high=1)
    assert isinstance(numbers_of(few, "levels", False), Levels)
    assert isinstance(numbers_of(few, "range", False), Range)
    assert isinstance(numbers_of(many, "levels", False), Range)


@pytest.mark.parametrize("uniform", [0.0, 1.0 - 1e-16])
def test_the_ends_of_the_unit_interval_choose_a_level(uniform) -> None:
    numbers = Levels((1.0, 2.0))
    assert numbers.decode(torch.zeros(1, 2), np.array([uniform]))[0] in (1.0, 2.0)
