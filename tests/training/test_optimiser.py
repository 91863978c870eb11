"""The flat Adam against PyTorch's."""

from __future__ import annotations

import torch
from torch import nn

from g2milp.training.optimiser import FlatAdam


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 1)).double()


def test_it_takes_the_steps_of_torch_adam() -> None:
    mine, theirs = network(), network()
    flat = FlatAdam(mine, 1e-2)
    adam = torch.optim.Adam(theirs.parameters(), lr=0.05, weight_decay=1e-2)
    data = torch.randn(20, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    for _ in range(30):
        flat.zero_gradient()
        adam.zero_grad()
        for net in (mine, theirs):
            (net(data) - data.sum(1, keepdim=True)).pow(2).mean().backward()
        before = flat.gradient.norm()
        norm = torch.nn.utils.clip_grad_norm_(theirs.parameters(), 0.5)
        assert torch.isclose(torch.tensor(flat.clip(0.5)).double(), norm)
        assert torch.isclose(before, norm)
        flat.step(0.05)
        adam.step()
    for a, b in zip(mine.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-12)


def test_restoring_brings_everything_back() -> None:
    net = network()
    flat = FlatAdam(net, 0.0)
    flat.gradient.fill_(1.0)
    flat.step(0.1)
    kept = {name: vector.clone() for name, vector in flat.vectors().items()}
    flat.step(0.1)
    flat.restore(kept, 1)
    assert flat.taken == 1
    assert all(torch.equal(flat.vectors()[name], kept[name]) for name in kept)
    assert next(net.parameters()).data_ptr() == flat.parameters.data_ptr()
