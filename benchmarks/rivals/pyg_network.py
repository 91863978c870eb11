"""G2MILP's network as one writes it in PyTorch Geometric: the rival of `training_speed.py`.

Every message is computed on its edge: MLP_f(MLP_l(h_i) + MLP_e(e_ij) + MLP_r(h_j)), summed over
neighbours; h_i becomes MLP([sum | h_i]). Six layers, GraphNorm, concatenating jumping knowledge, in
an encoder over the unmasked graphs and a decoder over the masked ones with virtual edges; each
graph stands in the batch as often as it is masked.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.nn import GraphNorm, MessagePassing
from torch_geometric.utils import scatter

DEPTH = 6


@dataclass
class Batch:
    """Masked graphs side by side: edges by row and column, the masked row of each graph."""

    rows: Tensor  # [M, 1] right-hand sides
    cols: Tensor  # [N, 9]
    edge_index: Tensor  # [2, E] row, column
    edge_attr: Tensor  # [E, 1]
    row_graph: Tensor  # [M]
    col_graph: Tensor  # [N]
    masked: Tensor  # [G] one row of each graph

    @property
    def n_graphs(self) -> int:
        return len(self.masked)


def mlp(inputs: int, width: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, outputs))


class HalfConvolution(MessagePassing):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__(aggr="add")
        self.left = mlp(width, hidden, width)
        self.edge = mlp(width, hidden, width)
        self.right = mlp(width, hidden, width)
        self.final = mlp(width, hidden, width)
        self.output = mlp(2 * width, hidden, width)

    def forward(
        self, source: Tensor, target: Tensor, edge_index: Tensor, edge_attr: Tensor
    ) -> Tensor:
        size = (source.shape[0], target.shape[0])
        sums = self.propagate(edge_index, size=size, x=(source, target), edge_attr=edge_attr)
        return self.output(torch.cat([sums, target], dim=-1))

    def message(self, x_i: Tensor, x_j: Tensor, edge_attr: Tensor) -> Tensor:
        return self.final(self.left(x_i) + self.edge(edge_attr) + self.right(x_j))


class VirtualUpdate(MessagePassing):
    """The mean over the virtual edges, joined to the node's own state."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__(aggr="mean")
        self.output = mlp(2 * width, hidden, width)

    def forward(self, source: Tensor, target: Tensor, links: Tensor) -> Tensor:
        size = (source.shape[0], target.shape[0])
        means = self.propagate(links, size=size, x=(source, target))
        return self.output(torch.cat([target, means], dim=-1))


class Network(nn.Module):
    """Encoder or (with `virtual`) decoder."""

    def __init__(self, width: int, hidden: int, virtual: bool) -> None:
        super().__init__()

        def layers(kind: type[nn.Module], *sizes: int) -> nn.ModuleList:
            return nn.ModuleList(kind(*sizes) for _ in range(DEPTH))

        self.to_rows = layers(HalfConvolution, width, hidden)
        self.to_cols = layers(HalfConvolution, width, hidden)
        self.row_norms, self.col_norms = layers(GraphNorm, width), layers(GraphNorm, width)
        self.row_jump = mlp((DEPTH + 1) * width, hidden, width)
        self.col_jump = mlp((DEPTH + 1) * width, hidden, width)
        self.virtual = virtual
        if virtual:
            self.gather = layers(VirtualUpdate, width, hidden)
            self.spread = layers(VirtualUpdate, width, hidden)

    def forward(
        self, batch: Batch, rows: Tensor, cols: Tensor, edges: Tensor, index: Tensor
    ) -> tuple[Tensor, Tensor]:
        row_states, col_states = [rows], [cols]
        links = torch.stack([torch.arange(len(cols)), batch.col_graph])
        for k in range(DEPTH):
            rows = self.to_rows[k](cols, rows, index.flip(0), edges)
            cols = self.to_cols[k](rows, cols, index, edges)
            if self.virtual:
                held = self.gather[k](cols, rows[batch.masked], links)
                cols = self.spread[k](held, cols, links.flip(0))
                rows = rows.index_copy(0, batch.masked, held)
            rows = self.row_norms[k](rows, batch.row_graph)
            cols = self.col_norms[k](cols, batch.col_graph)
            row_states.append(rows)
            col_states.append(cols)
        return self.row_jump(torch.cat(row_states, -1)), self.col_jump(torch.cat(col_states, -1))


class G2MILPNetwork(nn.Module):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.row_embedding, self.col_embedding = mlp(1, hidden, width), mlp(9, hidden, width)
        self.edge_embedding = mlp(1, hidden, width)
        self.mask_embedding = nn.Parameter(torch.randn(1, width))
        self.encoder = Network(width, hidden, virtual=False)
        self.decoder = Network(width, hidden, virtual=True)
        self.posterior = nn.ModuleList(mlp(width, hidden, width) for _ in range(4))
        self.bias, self.degree = mlp(2 * width, hidden, 1), mlp(2 * width, hidden, 1)
        self.logits, self.weights = mlp(2 * width, hidden, 1), mlp(2 * width, hidden, 1)

    def forward(self, batch: Batch) -> Tensor:
        rows, cols = self.row_embedding(batch.rows), self.col_embedding(batch.cols)
        edges = self.edge_embedding(batch.edge_attr)
        row_h, col_h = self.encoder(batch, rows, cols, edges, batch.edge_index)
        row_z, row_kl = self._draw(row_h, *self.posterior[:2])
        col_z, col_kl = self._draw(col_h, *self.posterior[2:])

        hidden = torch.zeros(len(rows), dtype=torch.bool)
        hidden[batch.masked] = True
        kept = ~hidden[batch.edge_index[0]]
        rows = torch.where(hidden.unsqueeze(1), self.mask_embedding, rows)
        row_h, col_h = self.decoder(batch, rows, cols, edges[kept], batch.edge_index[:, kept])
        return self._loss(batch, kept, (row_h, row_z), (col_h, col_z)) + 1e-4 * (row_kl + col_kl)

    @staticmethod
    def _draw(h: Tensor, mean: nn.Module, log_var: nn.Module) -> tuple[Tensor, Tensor]:
        mu, log = mean(h), log_var(h)
        z = mu + torch.exp(0.5 * log) * torch.randn_like(mu)
        return z, 0.5 * torch.sum(mu**2 + log.exp() - log - 1)

    def _loss(
        self,
        batch: Batch,
        kept: Tensor,
        of_rows: tuple[Tensor, Tensor],
        of_cols: tuple[Tensor, Tensor],
    ) -> Tensor:
        row_input, col_input = torch.cat(of_rows, -1), torch.cat(of_cols, -1)
        bias = torch.sigmoid(self.bias(row_input))[batch.masked, 0]
        degree = torch.sigmoid(self.degree(row_input))[batch.masked, 0]
        logits, weights = self.logits(col_input)[:, 0], torch.sigmoid(self.weights(col_input))[:, 0]

        true = batch.edge_index[1, ~kept]
        wanted = torch.zeros(len(logits))
        wanted[true] = 1
        degrees = scatter(wanted, batch.col_graph, dim_size=batch.n_graphs)
        candidates = torch.rand(len(logits)).masked_fill(wanted > 0, -1)
        chosen = torch.cat([true, candidates.topk(min(len(true), len(logits))).indices])
        return (
            functional.mse_loss(bias, torch.zeros_like(bias))
            + functional.mse_loss(degree, degrees / degrees.max())
            + functional.binary_cross_entropy_with_logits(logits[chosen], wanted[chosen])
            + functional.mse_loss(weights[true], torch.ones(len(true)))
        )
