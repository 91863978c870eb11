"""The loss of contrast: −log σ(Δ), Δ = s_rc + s_sd − s_rd − s_sc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.nn import functional

if TYPE_CHECKING:
    from torch import Tensor

    from g2milp.models.contrast.hiding import Contrasts
    from g2milp.models.contrast.network import ContrastNet


def margins(model: ContrastNet, contrasts: Contrasts) -> Tensor:
    """Δ of each contrast, (P,): how much better the real arrangement scores."""
    factors = model.factors(contrasts.view)
    rows, cols = contrasts.rows.reshape(-1), contrasts.cols.reshape(-1)
    flat = contrasts.shared.flatten(0, 1)
    scores = model.scores(factors, rows, cols, flat).reshape(4, -1)
    return scores[0] + scores[1] - scores[2] - scores[3]


def contrast_loss(margin: Tensor, share: Tensor) -> Tensor:
    """The mean of −log σ(Δ) over the contrasts of each graph, then over graphs."""
    return (functional.softplus(-margin) * share).sum()
