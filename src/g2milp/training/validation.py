"""How well masked rows are restored: loss and errors on instances held out of training.

Masks and noise are the same at every call, and β has its final value, so that the losses of two
checkpoints can be compared. Latent vectors come from the encoder, as in training; the area under
the ROC curve is also given for latent vectors from the prior, which is what generation uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from g2milp.models.contrast.loss import contrast_loss, margins
from g2milp.models.contrast.network import ContrastNet
from g2milp.models.masked_vae.loss import Noise, alphas_of, losses, predict
from g2milp.models.masked_vae.masking import make_task
from g2milp.models.masked_vae.posterior import Gaussian, Posterior
from g2milp.training.objectives import Contrasting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.models.masked_vae.loss import Predictions
    from g2milp.models.masked_vae.masking import Task
    from g2milp.models.masked_vae.model import MaskedVAE
    from g2milp.models.masked_vae.state import Model
    from g2milp.training.source import GraphSource

MAX_GRAPHS = 60
SEED_TAG = 0x7E57


@torch.no_grad()
def validate(model: Model, source: GraphSource, indices: list[int]) -> dict[str, float]:
    """Means over at most `MAX_GRAPHS` graphs, each masked `repeats` times."""
    config = model.config
    device = next(model.parameters()).device
    chosen = indices[:MAX_GRAPHS]
    rows: list[tuple[float, dict[str, float]]] = []
    for start in range(0, len(chosen), config.training.batch):
        part = chosen[start : start + config.training.batch]
        rng = np.random.default_rng([config.training.seed, SEED_TAG, start])
        if isinstance(model, ContrastNet):
            rows.append((len(part), _told_apart(model, source, part, rng)))
            continue
        task = make_task(
            [source[i] for i in part],
            config.training.repeats,
            config.masking,
            rng,
            mean=config.loss.reduction == "mean",
        )
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        noise = Noise.draw(task, config.network.latent, generator)
        rows.append((len(part), _measure(model, task.to(device), noise.to(device))))
    names = sorted({name for _, values in rows for name in values})
    return {name: _weighted(rows, name) for name in names}


def auc(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> float:
    """P(score of a true pair > score of a false one), ties half: the area under the ROC curve."""
    if not positive.size or not negative.size:
        return 0.5
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left")
    up_to = np.searchsorted(ordered, positive, side="right")
    return float((below + up_to).mean() / 2 / negative.size)


def _told_apart(
    model: ContrastNet, source: GraphSource, indices: list[int], rng: np.random.Generator
) -> dict[str, float]:
    """The loss, and how often the real arrangement of two entries scores higher, ties half."""
    device = next(model.parameters()).device
    contrasts = Contrasting(model, source, device).contrasts(
        indices * model.config.training.repeats, rng
    )
    margin = margins(model, contrasts)
    value = float(contrast_loss(margin, contrasts.share))
    won = ((margin > 0).double() + (margin == 0).double() / 2) * contrasts.share
    share = float(contrasts.share.sum())
    accuracy = float(won.sum()) / share if share else 0.5
    return {
        "contrast": value,
        "loss": model.config.loss.contrast * value,
        "contrast_accuracy": accuracy,
    }


def _measure(model: MaskedVAE, task: Task, noise: Noise) -> dict[str, float]:
    parts, out = losses(model, task, noise)
    loss = model.config.loss
    weights = {
        **alphas_of(loss),
        "row_prior": loss.row_prior.high,
        "col_prior": loss.col_prior.high,
    }
    values = {name: float(part) for name, part in parts.items()}
    values["loss"] = sum(weights[name] * value for name, value in values.items())
    if task.rows.rows.numel():
        values |= _errors(model, task, out)
        prior = predict(model, task, _prior(task, model.config.network.latent), noise)
        values["logits_auc_prior"] = _auc_of(prior, task)
    return values


def _errors(model: MaskedVAE, task: Task, out: Predictions) -> dict[str, float]:
    def error(outputs: torch.Tensor, numbers: object, wanted: torch.Tensor) -> float:
        guess = numbers.decode(outputs, None)  # type: ignore[attr-defined]
        return float(np.abs(guess - wanted.cpu().numpy()).mean()) if guess.size else 0.0

    return {
        "bias_error": error(out.bias, model.bias.numbers, task.bias),
        "degree_error": error(out.degree, model.degree.numbers, task.degree),
        "weight_error": error(out.weights, model.weight_numbers, task.weights),
        "logits_auc": _auc_of(out, task),
    }


def _auc_of(out: Predictions, task: Task) -> float:
    scores = out.logits.double().cpu().numpy()
    return auc(scores[: task.n_true], scores[task.n_true :])


def _prior(task: Task, latent: int) -> Posterior:
    def standard(nodes: int) -> Gaussian:
        zeros = task.slots.new_zeros((nodes, latent))
        return Gaussian(zeros, zeros)

    return Posterior(
        standard(task.distinct.row_features.shape[0]),
        standard(task.distinct.col_features.shape[0]),
    )


def _weighted(rows: list[tuple[float, dict[str, float]]], name: str) -> float:
    held = [(weight, values[name]) for weight, values in rows if name in values]
    return sum(w * v for w, v in held) / sum(w for w, _ in held)
