"""Predictors of masked columns (appendix C.2, "v"): objective, type, and optionally bounds.

    ĉ*_u = σ(MLP([h_u, z_u])),   P(type_u) = softmax(MLP([h_u, z_u]))

The paper names the two and gives no formulas; these follow its Bias Predictor and its code's unused
Obj and Type predictors. Bounds are beyond it: whether each is there, and its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from g2milp.models.layers.mlp import MLP
from g2milp.models.masked_vae.heads.number_head import NumberHead, Widths

if TYPE_CHECKING:
    from g2milp.models.masked_vae.heads.numbers import Numbers

N_TYPES = 4


class ColumnHead(nn.Module):
    """All predictors of a masked column."""

    def __init__(
        self,
        objective: Numbers,
        bounds: tuple[Numbers, Numbers] | None,
        widths: Widths,
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        inputs = widths.state + widths.latent
        self.objective = NumberHead(objective, widths, generator)
        self.column_type = MLP(inputs, widths.hidden, N_TYPES, generator)
        self.has_bounds = MLP(inputs, widths.hidden, 2, generator) if bounds else None
        self.lower = NumberHead(bounds[0], widths, generator) if bounds else None
        self.upper = NumberHead(bounds[1], widths, generator) if bounds else None

    def losses(self, h: Tensor, z: Tensor, features: Tensor) -> dict[str, Tensor]:
        """Loss of each masked column and task.

        Shapes: h (n, H), z (n, L), features float64 (n, 9) as they were → (n,) each.
        """
        objective = self.objective.numbers.loss(self.objective(h, z), features[:, 0])
        wanted = features[:, 1:5].argmax(dim=1)
        losses = {
            "objective": objective,
            "type": functional.cross_entropy(self.column_type(h, z), wanted, reduction="none"),
        }
        if self.has_bounds is not None and self.lower is not None and self.upper is not None:
            there = features[:, 5:7].to(h.dtype)
            present = functional.binary_cross_entropy_with_logits(
                self.has_bounds(h, z), there, reduction="none"
            )
            lower = self.lower.numbers.loss(self.lower(h, z), features[:, 7]) * there[:, 0]
            upper = self.upper.numbers.loss(self.upper(h, z), features[:, 8]) * there[:, 1]
            losses["bounds"] = present.sum(dim=1) + lower + upper
        return losses
