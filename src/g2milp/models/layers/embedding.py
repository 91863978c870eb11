"""Initial embeddings (appendix A.3.1) and the special ones of masked nodes (A.3.2).

    h_v^(0) = MLP(v),  h_w^(0) = MLP(w),  h_e = MLP(e);   h_ṽ^(0) = h_[mask]

In the form "rows" a masked row keeps its kind (≤, ≥, =, range): it is not regenerated, so a linear
map of it is added to h_[mask]. A masked column keeps its bounds in the same way, unless they are
regenerated too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor, nn

from g2milp.graph.features import BOUND_FEATURES, COLUMN_FEATURES, KIND_FEATURES, ROW_FEATURES
from g2milp.models.layers.mlp import MLP, normal, uniform

if TYPE_CHECKING:
    from g2milp.graph.features import RowForm


def symlog(x: Tensor) -> Tensor:
    """sign(x)·log(1 + |x|): keeps order and sign, makes 1e15 a 35."""
    return torch.sign(x) * torch.log1p(x.abs())


class Embedding(nn.Module):
    """Features of rows, columns and distinct coefficients to vectors."""

    def __init__(
        self,
        width: int,
        hidden: int,
        row_form: RowForm,
        generator: torch.Generator,
        *,
        compress: bool,
        masks: frozenset[Literal["rows", "cols"]] = frozenset(),
        keep_bounds: bool = True,
    ) -> None:
        super().__init__()
        self.compress = compress
        self.row = MLP(len(ROW_FEATURES[row_form]), hidden, width, generator)
        self.col = MLP(len(COLUMN_FEATURES), hidden, width, generator)
        self.edge = MLP(1, hidden, width, generator)
        self.masked_row = normal((width,), generator) if "rows" in masks else None
        self.masked_col = normal((width,), generator) if "cols" in masks else None
        with_kind = "rows" in masks and row_form == "rows"
        with_bounds = "cols" in masks and keep_bounds
        self.kind = uniform((width, 4), 4, generator) if with_kind else None
        self.bounds = uniform((width, 4), 4, generator) if with_bounds else None

    def rows(self, features: Tensor) -> Tensor:
        """(M, F_r) → (M, H)."""
        embedded: Tensor = self.row(self._scaled(features))
        return embedded

    def cols(self, features: Tensor) -> Tensor:
        """(N, 9) → (N, H)."""
        embedded: Tensor = self.col(self._scaled(features))
        return embedded

    def edges(self, table: Tensor) -> Tensor:
        """(C, 1) → (C, H)."""
        embedded: Tensor = self.edge(self._scaled(table))
        return embedded

    def mask_rows(self, embedded: Tensor, features: Tensor, masked: Tensor) -> Tensor:
        """Embeddings with those of the rows `masked` replaced."""
        if self.masked_row is None or not masked.numel():
            return embedded
        special = self.masked_row.expand(masked.numel(), -1)
        if self.kind is not None:
            special = special + features.index_select(0, masked)[:, KIND_FEATURES] @ self.kind.T
        return embedded.index_copy(0, masked, special)

    def mask_cols(self, embedded: Tensor, features: Tensor, masked: Tensor) -> Tensor:
        """Embeddings with those of the columns `masked` replaced."""
        if self.masked_col is None or not masked.numel():
            return embedded
        special = self.masked_col.expand(masked.numel(), -1)
        if self.bounds is not None:
            kept = self._scaled(features.index_select(0, masked)[:, BOUND_FEATURES])
            special = special + kept @ self.bounds.T
        return embedded.index_copy(0, masked, special)

    def _scaled(self, features: Tensor) -> Tensor:
        return symlog(features) if self.compress else features
