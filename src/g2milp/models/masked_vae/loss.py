"""The loss of a batch of masked graphs (Eq. 4 and appendix A.3.2).

    L = Σ_i α_i L_i + β_rows D_KL,rows + β_cols D_KL,cols        mean over the masked graphs

The paper has one β; its code has one for each side, and so has this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Mapping

    from g2milp.models.masked_vae.config import Loss
    from g2milp.models.masked_vae.masking import Task
    from g2milp.models.masked_vae.model import MaskedVAE
    from g2milp.models.masked_vae.posterior import Posterior

TASKS = ("bias", "degree", "logits", "weights", "objective", "type", "bounds", "contrast")


@dataclass(frozen=True, eq=False)
class Noise:
    """The standard normal draws behind Z, only for nodes whose latent vector is used.

    Shapes: rows (R, L), needed (U, L), cols (Q, L); see `masking.Task`.
    """

    rows: Tensor
    needed: Tensor
    cols: Tensor

    @classmethod
    def draw(cls, task: Task, latent: int, generator: torch.Generator) -> Noise:
        """For one task."""
        dtype = task.slots.dtype
        rows, needed, cols = (
            torch.randn((ids.numel(), latent), generator=generator, dtype=dtype)
            for ids in (task.rows.rows, task.needed, task.cols)
        )
        return cls(rows, needed, cols)

    def to(self, device: torch.device) -> Noise:
        """A copy on `device`."""
        return Noise(self.rows.to(device), self.needed.to(device), self.cols.to(device))


@dataclass(frozen=True, eq=False)
class Predictions:
    """Outputs of the heads for one task; shapes as in `masking.Task`, (·, outputs)."""

    bias: Tensor
    degree: Tensor
    logits: Tensor
    weights: Tensor
    col_h: Tensor
    col_z: Tensor


def predict(model: MaskedVAE, task: Task, posterior: Posterior, noise: Noise) -> Predictions:
    """Run the decoder and its heads with latent vectors from the encoder."""
    states = model.decoder_states(task.masked, task.rows, task.cols, task.needed)
    row_h = model.decoder.row_states(states, task.rows.rows)
    row_z = posterior.rows.sample(task.rows_source, noise.rows)
    needed_h = model.decoder.col_states(states, task.needed)
    needed_z = posterior.cols.sample(task.needed_source, noise.needed)
    true = slice(0, task.n_true)
    logits, weights = (
        head.pairs(
            head.row_part(row_h, row_z),
            head.col_part(needed_h, needed_z, task.slots),
            task.pair_row[pairs],
            task.pair_col[pairs],
        )
        for head, pairs in ((model.logits, slice(None)), (model.weights, true))
    )
    return Predictions(
        bias=model.bias(row_h, row_z),
        degree=model.degree(row_h, row_z),
        logits=logits.squeeze(1),
        weights=weights,
        col_h=model.decoder.col_states(states, task.cols),
        col_z=posterior.cols.sample(task.cols_source, noise.cols),
    )


def losses(model: MaskedVAE, task: Task, noise: Noise) -> tuple[dict[str, Tensor], Predictions]:
    """Every term of the loss, without its weight: L_1 … L_4, column tasks, both divergences."""
    posterior = model.encode(task.distinct)
    out = predict(model, task, posterior, noise)
    parts: dict[str, Tensor] = {}
    if task.rows.rows.numel():
        parts["bias"] = (model.bias.numbers.loss(out.bias, task.bias) * task.row_share).sum()
        parts["degree"] = (
            model.degree.numbers.loss(out.degree, task.degree) * task.row_share
        ).sum()
        parts["logits"] = logits_loss(out.logits, task)
        parts["weights"] = (
            model.weight_numbers.loss(out.weights, task.weights) * task.true_share
        ).sum()
    if task.cols.numel() and model.columns is not None:
        of_cols = model.columns.losses(out.col_h, out.col_z, task.col_features)
        parts |= {name: (loss * task.col_share).sum() for name, loss in of_cols.items()}
    n_distinct = task.distinct.n_graphs
    parts["row_prior"] = posterior.rows.divergence() / n_distinct
    parts["col_prior"] = posterior.cols.divergence() / n_distinct
    return parts, out


def logits_loss(logits: Tensor, task: Task) -> Tensor:
    """L_3 = −E_pos[log δ̂'] − E_neg[log(1 − δ̂')]."""
    positive = functional.softplus(-logits[: task.n_true]) * task.true_share
    negative = functional.softplus(logits[task.n_true :]) * task.false_share
    return positive.sum() + negative.sum()


def alphas_of(loss: Loss) -> dict[str, float]:
    """α_i by the name of the task."""
    return loss.model_dump(include=set(TASKS))


def total(
    parts: Mapping[str, Tensor], alphas: Mapping[str, float], betas: tuple[float, float]
) -> Tensor:
    """Σ α_i L_i + β_rows KL_rows + β_cols KL_cols."""
    weights = {**alphas, "row_prior": betas[0], "col_prior": betas[1]}
    return torch.stack([weights[name] * loss for name, loss in parts.items()]).sum()
