"""Logits Predictor and Weights Predictor: one output for a (masked row, column) pair.

    δ̂'_ṽu = σ(MLP([h_u, z_u])),   ê*_ṽu = σ(MLP([h_u, z_u]))                  (paper)
    MLP([h_u, z_u, s_u, h_ṽ, z_ṽ])                                            (blocks of rows)

The paper's predictors know the masked row only through h_u, which is enough for one masked row in a
graph. In a block each row's own state and latent have to reach the choice of its columns; s_u is
the number of masked edges that column u has lost. The first layer is split into a part of the row
and a part of the column, so that k rows and n columns cost k + n products and one ReLU a pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from g2milp.models import kernels
from g2milp.models.layers.mlp import uniform

if TYPE_CHECKING:
    from g2milp.models.masked_vae.heads.number_head import Widths


class PairHead(nn.Module):
    """An MLP of a column and, where `row_conditioning` says so, of the masked row."""

    def __init__(
        self,
        outputs: int,
        widths: Widths,
        generator: torch.Generator,
        *,
        row_conditioning: bool,
        slots: bool,
    ) -> None:
        super().__init__()
        hidden, node = widths.hidden, widths.state + widths.latent
        width = node + int(slots)
        inputs = width + (node if row_conditioning else 0)
        self.slots = slots
        self.of_col = uniform((hidden, width), inputs, generator)
        self.of_row = uniform((hidden, node), inputs, generator) if row_conditioning else None
        self.b1 = uniform((hidden,), inputs, generator)
        self.w2 = uniform((outputs, hidden), hidden, generator)
        self.b2 = uniform((outputs,), hidden, generator)

    def col_part(self, h: Tensor, z: Tensor, slots: Tensor) -> Tensor:
        """First layer on columns; shapes h (U, H), z (U, L), slots (U, 1) → (U, H)."""
        parts = (h, z, torch.log1p(slots)) if self.slots else (h, z)
        return torch.cat(parts, dim=1) @ self.of_col.T + self.b1

    def row_part(self, h: Tensor, z: Tensor) -> Tensor | None:
        """First layer on masked rows: (R, H), None without conditioning."""
        return None if self.of_row is None else torch.cat((h, z), dim=1) @ self.of_row.T

    def pairs(self, row: Tensor | None, col: Tensor, rows: Tensor, cols: Tensor) -> Tensor:
        """Second layer for the pairs ``(rows[p], cols[p])``: (P, O)."""
        if row is None:
            out = torch.relu(col) @ self.w2.T + self.b2
            return out.index_select(0, cols)
        return kernels.pair_score(row, col, rows, cols, self.w2, self.b2)
