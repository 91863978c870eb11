"""Training beside the CPU, as far as a machine without a GPU can tell.

Torch's ``meta`` device stands for a GPU: it computes shapes only, and refuses to mix its tensors
with those of the CPU in sums and joins.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch

from g2milp.graph.features import build_graph
from g2milp.models.contrast.hiding import make_contrasts
from g2milp.models.contrast.loss import contrast_loss, margins
from g2milp.models.contrast.network import ContrastNet
from g2milp.models.contrast.typed import one_bucket
from g2milp.models.masked_vae.loss import Noise, alphas_of, losses, total
from g2milp.models.masked_vae.masking import make_task
from g2milp.models.masked_vae.model import MaskedVAE
from g2milp.models.masked_vae.presets import preset
from g2milp.models.masked_vae.statistics import gather
from g2milp.testing import training_milps
from g2milp.training.selection import on_cpu

OTHER = torch.device("meta")


def autoencoder(name: str, scope: str):
    form = "rows" if name == "blocks" else "canonical"
    graphs = [build_graph(milp, form) for milp in training_milps()]
    statistics = gather(graphs)
    config = preset(name, statistics).updated(
        {"masking.scope": scope, "masking.bounds": scope == "both", "network.depth": 1}
    )
    task = make_task(graphs, 2, config.masking, np.random.default_rng(0))
    noise = Noise.draw(task, config.network.latent, torch.Generator().manual_seed(0))
    return MaskedVAE(config, statistics), task, noise


@pytest.mark.parametrize(
    ("name", "scope"), [("paper-mik", "rows"), ("code-mik", "both"), ("blocks", "both")]
)
def test_a_step_of_the_autoencoder_stays_on_its_device(name, scope) -> None:
    model, task, noise = autoencoder(name, scope)
    moved = task.to(OTHER)
    # the only question to the numbers themselves, which this device cannot answer
    vars(moved.rows)["in_every_graph"] = task.rows.in_every_graph
    parts, _ = losses(model.to(OTHER), moved, noise.to(OTHER))
    loss = total(parts, alphas_of(model.config.loss), (0.1, 0.1))
    loss.backward()
    assert {p.device for p in [loss, *parts.values()]} == {OTHER}
    with pytest.raises(RuntimeError, match="device"):
        losses(model, moved, noise)


def test_a_step_of_the_judge_stays_on_its_device() -> None:
    milps = training_milps()
    graphs = [build_graph(milp) for milp in milps]
    config = preset("best", gather(graphs))
    made = make_contrasts(
        graphs,
        [one_bucket(milp) for milp in milps],
        config.masking.rows_per_mask,
        np.random.default_rng(0),
        count_shared=config.network.shared,
    ).to(OTHER)
    model = ContrastNet(config, gather(graphs)).to(OTHER)
    loss = contrast_loss(margins(model, made), made.share)
    loss.backward()
    assert loss.device == OTHER


def test_instances_are_made_on_the_cpu(monkeypatch) -> None:
    model, _, _ = autoencoder("code-mik", "rows")
    assert on_cpu(model) is model
    copies: list[MaskedVAE] = []
    monkeypatch.setattr(MaskedVAE, "cpu", lambda self: copies.append(self) or self)
    beside = model.to(OTHER)
    assert on_cpu(beside) is copies[0]
    assert copies[0] is not beside
