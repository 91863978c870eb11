"""The folded half-convolution against messages computed edge by edge."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from g2milp.graph.bipartite import Bipartite, collate
from g2milp.models.layers.edges import edges_to_rows
from g2milp.models.layers.half_convolution import HalfConvolution


def graph(seed: int) -> Bipartite:
    rng = np.random.default_rng(seed)
    present = rng.random((5, 6)) < 0.5
    present[2] = False
    return Bipartite.build(
        row_features=np.zeros((5, 1)),
        col_features=np.zeros((6, 9)),
        indptr=np.concatenate([[0], present.sum(1).cumsum()]),
        indices=np.nonzero(present)[1].astype(np.int32),
        values=rng.choice([1.0, 2.0, 3.0], int(present.sum())),
    )


@pytest.mark.parametrize("message", ["paper", "code"])
@pytest.mark.parametrize("widths", [(4, 4), (4, 7), (16, 16), (16, 32)])
@pytest.mark.parametrize("direction", ["to_rows", "to_cols"])
def test_it_is_the_sum_of_the_messages(message, widths, direction) -> None:
    width, hidden = widths
    generator = torch.Generator().manual_seed(0)
    layer = HalfConvolution(width, hidden, message, generator).double()
    batch = collate([graph(0), graph(1)], dtype=torch.float64)
    rows = torch.randn(10, width, generator=generator, dtype=torch.float64)
    cols = torch.randn(12, width, generator=generator, dtype=torch.float64)
    edge = torch.randn(batch.table.shape[0], width, generator=generator, dtype=torch.float64)
    edges, adjacency, target, source = edges_to_rows(batch), batch.by_row, rows, cols
    if direction == "to_cols":
        edges, adjacency, target, source = edges.flip(), batch.by_col, cols, rows
    out = layer(target, source, edge, edges)
    for i in range(target.shape[0]):
        total = torch.zeros(width, dtype=torch.float64)
        for k in range(int(adjacency.indptr[i]), int(adjacency.indptr[i + 1])):
            e, h = edge[int(adjacency.codes[k])], source[int(adjacency.indices[k])]
            if message == "paper":
                total += layer.message(torch.cat([target[i], e, h])[None])[0]
            else:
                added = layer.target(target[i][None]) + layer.edge(e[None]) + layer.source(h[None])
                total += layer.message(added)[0]
        wanted = layer.update(torch.cat([target[i], total])[None])[0]
        torch.testing.assert_close(out[i], wanted, rtol=1e-9, atol=1e-10)
