"""The special update touches masked rows and the columns of their graphs only."""

from __future__ import annotations

import pytest
import torch

from g2milp.models.layers.gnn import Masked
from g2milp.models.layers.mask_update import MaskUpdate


@pytest.mark.parametrize("virtual_edge", [True, False])
def test_columns_of_graphs_without_masked_rows_stay(virtual_edge) -> None:
    generator = torch.Generator().manual_seed(0)
    update = MaskUpdate(4, 5, virtual_edge, generator)
    cols = torch.randn(9, 4, generator=generator)
    col_graphs = torch.tensor([0, 3, 5, 9], dtype=torch.int32)
    masked = Masked(torch.tensor([1, 7, 8]), torch.tensor([0, 1, 1, 3]), col_graphs.long())
    states = torch.randn(3, 4, generator=generator)
    new, spread = update(states, cols, masked, col_graphs)
    assert new.shape == (3, 4)
    assert torch.equal(spread[3:5], cols[3:5])
    assert not torch.allclose(spread[:3], cols[:3])
    assert not masked.in_every_graph
    assert masked.graph.tolist() == [0, 2, 2]


def test_equal_rows_of_a_block_count_once() -> None:
    """The mean of equal messages is the message: k equal masked rows act as one."""
    generator = torch.Generator().manual_seed(1)
    update = MaskUpdate(4, 4, True, generator)
    cols, state = torch.randn(6, 4, generator=generator), torch.randn(1, 4, generator=generator)
    graphs = torch.tensor([0, 6], dtype=torch.int32)
    one = update(
        state, cols, Masked(torch.tensor([0]), torch.tensor([0, 1]), graphs.long()), graphs
    )
    many = update(
        state.repeat(3, 1),
        cols,
        Masked(torch.arange(3), torch.tensor([0, 3]), graphs.long()),
        graphs,
    )
    torch.testing.assert_close(many[1], one[1])
