"""The judge of exchanges: a graph network on the visible entries and a score for each pair.

    s_rc = w · relu(u_r + v_c + F f_rc)         u = A h_r,  v = B h_c + b,  f_rc see `shared`

    P((r, c), (s, d) is real | one of it and (r, d), (s, c) is)  =  σ(s_rc + s_sd − s_rd − s_sc)

Trained on that probability, s is up to parts of rows or columns alone the log ratio of the density
of real entries to that of the typed exchange: noise-contrastive estimation with the rewire as the
noise. Where nothing tells the two apart s is constant, and exchanges under it are the rewire. There
are no latent vectors: they collapse (KL near 0), and here an arrangement is sampled, not decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn

from g2milp.models import kernels
from g2milp.models.contrast.shared import N_SHARED
from g2milp.models.layers.embedding import Embedding
from g2milp.models.layers.gnn import BipartiteGNN, Shape
from g2milp.models.layers.mlp import uniform

if TYPE_CHECKING:
    from g2milp.models.contrast.hiding import View
    from g2milp.models.masked_vae.config import Config
    from g2milp.models.masked_vae.statistics import Statistics


class Factors(NamedTuple):
    """u (rows, H) and v (columns, H)."""

    rows: Tensor
    cols: Tensor


class ContrastNet(nn.Module):
    """Network, and what it was built from; parameters come from the configuration's seed alone."""

    def __init__(self, config: Config, statistics: Statistics) -> None:
        super().__init__()
        self.config = config
        self.statistics = statistics
        net = config.network
        generator = torch.Generator().manual_seed(config.training.seed)
        self.embedding = Embedding(
            net.embedding, net.hidden, "rows", generator, compress=net.scaling == "symlog"
        )
        self.row_counts, self.col_counts = (
            uniform((net.embedding, 2), 2, generator) for _ in range(2)
        )
        shape = Shape(
            width=net.embedding,
            hidden=net.hidden,
            depth=net.depth,
            message=net.message,
            mask_state=net.mask_state,
            virtual_edge=net.virtual_edge,
        )
        self.network = BipartiteGNN(shape, False, generator)
        self.of_row, self.of_col = (
            uniform((net.hidden, net.embedding), 2 * net.embedding, generator) for _ in range(2)
        )
        self.bias = uniform((net.hidden,), 2 * net.embedding, generator)
        self.of_shared = nn.Parameter(torch.zeros((net.hidden, N_SHARED)))
        self.weights = uniform((net.hidden,), net.hidden, generator)

    @property
    def vector_width(self) -> int:
        """Length of what `embed` gives."""
        return 2 * self.config.network.embedding

    def factors(self, view: View) -> Factors:
        """U of every row and v of every column of a batch."""
        rows, cols = self._states(view)
        return Factors(rows @ self.of_row.T, cols @ self.of_col.T + self.bias)

    def scores(self, factors: Factors, rows: Tensor, cols: Tensor, shared: Tensor) -> Tensor:
        """S of the pairs ``(rows[p], cols[p])``; shapes (P,), (P,), (P, 4) → (P,)."""
        sums = factors.rows.index_select(0, rows) + factors.cols.index_select(0, cols)
        out: Tensor = torch.relu(sums + shared @ self.of_shared.T) @ self.weights
        return out

    def embed(self, view: View) -> Tensor:
        """One vector a graph: the states, averaged over rows and over columns, (G, 2H)."""
        rows, cols = self._states(view)
        batch = view.visible
        return torch.cat(
            [kernels.segment_mean(rows, batch.row_ptr), kernels.segment_mean(cols, batch.col_ptr)],
            dim=1,
        )

    def _states(self, view: View) -> tuple[Tensor, Tensor]:
        batch = view.visible
        states = self.network(
            batch,
            self.embedding.rows(batch.row_features) + view.row_counts @ self.row_counts.T,
            self.embedding.cols(batch.col_features) + view.col_counts @ self.col_counts.T,
            self.embedding.edges(batch.table),
            None,
        )
        return self.network.row_states(states), self.network.col_states(states)
