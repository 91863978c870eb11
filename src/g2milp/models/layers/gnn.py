"""The graph network of encoder and decoder (appendix A.3.1, A.3.2).

    K times: rows from columns, columns from rows, update of masked rows, GraphNorm of each side
    h = MLP(CONCAT_{k = 0..K} h^(k))      (jumping knowledge)

The paper does not say whether GraphNorm comes before or after the update of masked rows ("after
each convolution layer" both); its code normalises last, and so does this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import torch
from torch import Tensor, nn

from g2milp.models.layers.edges import edges_to_rows
from g2milp.models.layers.graph_norm import GraphNorm
from g2milp.models.layers.half_convolution import HalfConvolution
from g2milp.models.layers.mask_update import MaskUpdate
from g2milp.models.layers.mlp import MLP

if TYPE_CHECKING:
    from g2milp.graph.bipartite import GraphBatch


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a graph network is built from; the fields are those of `config.Network`."""

    width: int
    hidden: int
    depth: int
    message: Literal["paper", "code"]
    mask_state: Literal["before", "after"]
    virtual_edge: bool


@dataclass(frozen=True, eq=False)
class Masked:
    """The masked rows of a batch, in ascending order.

    Shapes: rows (R,) global ids, ptr (G + 1,) those of graph g are ``rows[ptr[g]:ptr[g + 1]]``,
    col_ptr (G + 1,) the columns of each graph.
    """

    rows: Tensor
    ptr: Tensor
    col_ptr: Tensor

    @cached_property
    def graph(self) -> Tensor:
        """The graph of each masked row, (R,)."""
        ids = torch.arange(self.ptr.numel() - 1, device=self.ptr.device)
        return ids.repeat_interleave(self.ptr.diff(), output_size=self.rows.numel())

    @cached_property
    def in_every_graph(self) -> bool:
        """Whether no graph is without a masked row."""
        return bool((self.ptr.diff() > 0).all())

    def touches_col(self, n_cols: int) -> Tensor:
        """Columns whose graph has a masked row, (N,); their number spares a question to a GPU."""
        return (self.ptr.diff() > 0).repeat_interleave(self.col_ptr.diff(), output_size=n_cols)

    def to(self, device: torch.device) -> Masked:
        """A copy on `device`."""
        return Masked(self.rows.to(device), self.ptr.to(device), self.col_ptr.to(device))


class Picked(NamedTuple):
    """The states of a few nodes only: their ids and h^(0), …, h^(K) there."""

    ids: Tensor
    states: list[Tensor]

    @classmethod
    def of(cls, ids: Tensor | None, first: Tensor) -> Picked | None:
        """To be filled; None where nothing is picked."""
        return cls(ids, [first.index_select(0, ids)]) if ids is not None and ids.numel() else None


class States(NamedTuple):
    """h^(0), …, h^(K) of both sides, and again those that are read alone later."""

    rows: list[Tensor]
    cols: list[Tensor]
    picked_rows: Picked | None
    picked_cols: Picked | None


class Layer(nn.Module):
    """Two interleaved half-convolutions, the update of masked rows, GraphNorm of each side."""

    def __init__(self, shape: Shape, masked: bool, generator: torch.Generator) -> None:
        super().__init__()
        width, hidden = shape.width, shape.hidden
        self.to_rows = HalfConvolution(width, hidden, shape.message, generator)
        self.to_cols = HalfConvolution(width, hidden, shape.message, generator)
        self.row_norm = GraphNorm(width)
        self.col_norm = GraphNorm(width)
        self.mask_update = (
            MaskUpdate(width, hidden, shape.virtual_edge, generator) if masked else None
        )


class BipartiteGNN(nn.Module):
    """K layers and jumping knowledge; the one of the decoder knows masked rows."""

    def __init__(self, shape: Shape, masked: bool, generator: torch.Generator) -> None:
        super().__init__()
        self.mask_state = shape.mask_state
        self.knows_masked = masked
        self.layers = nn.ModuleList(Layer(shape, masked, generator) for _ in range(shape.depth))
        states = (shape.depth + 1) * shape.width
        self.row_jump = MLP(states, shape.hidden, shape.width, generator)
        self.col_jump = MLP(states, shape.hidden, shape.width, generator)

    def forward(
        self,
        batch: GraphBatch,
        rows: Tensor,
        cols: Tensor,
        edge: Tensor,
        masked: Masked | None,
        needed: Tensor | None = None,
    ) -> States:
        """All states; shapes rows (M, H), cols (N, H), edge (C, H) the distinct values.

        Masked rows have no edges in `batch`; `needed` are ascending ids of columns whose states
        will be asked for alone.
        """
        to_rows = edges_to_rows(batch)
        to_cols = to_rows.flip()
        row_graphs, col_graphs = to_rows.target_graphs, to_rows.source_graphs
        held_ids = masked.rows if masked is not None and self.knows_masked else None
        states = States([rows], [cols], Picked.of(held_ids, rows), Picked.of(needed, cols))
        for layer in self.layers:
            assert isinstance(layer, Layer)
            rows = layer.to_rows(rows, cols, edge, to_rows)
            cols = layer.to_cols(cols, rows, edge, to_cols)
            new = None
            if masked is not None and layer.mask_update is not None and states.picked_rows:
                held = states.picked_rows.states[-1]
                if self.mask_state == "after":
                    held = layer.to_rows.without_edges(held)
                new, cols = layer.mask_update(held, cols, masked, col_graphs)
            rows = layer.row_norm(rows, row_graphs, states.picked_rows, new)
            cols = layer.col_norm(cols, col_graphs, states.picked_cols)
            states.rows.append(rows)
            states.cols.append(cols)
        return states

    def row_states(self, states: States, ids: Tensor | None = None) -> Tensor:
        """Jumping knowledge of the rows `ids` (default all): (len(ids), H)."""
        return _jump(self.row_jump, states.rows, states.picked_rows, ids)

    def col_states(self, states: States, ids: Tensor | None = None) -> Tensor:
        """Jumping knowledge of the columns `ids` (default all): (len(ids), H)."""
        return _jump(self.col_jump, states.cols, states.picked_cols, ids)


def _jump(network: MLP, states: list[Tensor], picked: Picked | None, ids: Tensor | None) -> Tensor:
    if ids is None:
        out: Tensor = network(*states)
    elif picked is not None and ids is picked.ids:
        out = network(*picked.states)
    else:
        out = network(*(state.index_select(0, ids) for state in states))
    return out
