"""Measures of reconstruction."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from g2milp.graph.bipartite import Bipartite
from g2milp.models.masked_vae.config import parse
from g2milp.models.masked_vae.loss import Noise, Predictions, losses
from g2milp.models.masked_vae.masking import make_task
from g2milp.models.masked_vae.model import MaskedVAE
from g2milp.models.masked_vae.statistics import Statistics, Values
from g2milp.training.validation import _errors, _measure, auc

scores = st.lists(st.integers(-3, 3), min_size=1, max_size=12)


@given(positive=scores, negative=scores)
def test_auc_is_the_share_of_pairs_in_the_right_order(positive, negative) -> None:
    pairs = [(p > n) + 0.5 * (p == n) for p in positive for n in negative]
    found = auc(np.array(positive, float), np.array(negative, float))
    assert found == pytest.approx(np.mean(pairs))


def test_auc_of_nothing_is_chance() -> None:
    assert auc(np.empty(0), np.ones(3)) == 0.5


def one_row() -> Bipartite:
    """x_0 + 4 x_2 + 4 x_3 ≤ 7 among five columns."""
    return Bipartite.build(
        row_features=np.array([[7.0]]),
        col_features=np.zeros((5, 9)),
        indptr=np.array([0, 3]),
        indices=np.array([0, 2, 3], np.int32),
        values=np.array([1.0, 4.0, 4.0]),
    )


def restored(network: dict[str, int]):
    """A model that knows the ranges 0 … 10, 0 … 4 and 1 … 5, and the task of restoring the row."""
    config = parse({"network": {**network, "row_form": "canonical"}})
    known = Statistics(
        bias=Values(low=0, high=10), degree=Values(low=0, high=4), weights=Values(low=1, high=5)
    )
    task = make_task([one_row()], 1, config.masking, np.random.default_rng(0))
    noise = Noise.draw(task, config.network.latent, torch.Generator().manual_seed(0))
    return MaskedVAE(config, known), task, noise


def test_errors_of_reconstruction_by_hand() -> None:
    """σ(0) = 1/2 is the middle of each range: side 5 for 7, degree 2 for 3, coefficients 3."""
    model, task, _ = restored({"embedding": 4, "hidden": 4, "latent": 2, "depth": 1})
    pairs = torch.tensor([2.0, 1.0, -1.0, 0.0, 0.0, -2.0])
    empty = torch.empty(0)
    out = Predictions(torch.zeros(1, 1), torch.zeros(1, 1), pairs, torch.zeros(3, 1), empty, empty)
    assert _errors(model, task, out) == {
        "bias_error": 2.0,
        "degree_error": 1.0,
        "weight_error": pytest.approx((2 + 1 + 1) / 3),
        "logits_auc": pytest.approx((3 + 3 + 1) / 9),
    }


def test_validation_weighs_the_terms_with_the_final_beta() -> None:
    model, task, noise = restored({"embedding": 4, "hidden": 4, "latent": 2, "depth": 1})
    with torch.no_grad():
        found = _measure(model, task, noise)
        parts = {name: float(part) for name, part in losses(model, task, noise)[0].items()}
    priors = 0.0005 * (parts["row_prior"] + parts["col_prior"])
    tasks = sum(parts[name] for name in ("bias", "degree", "logits", "weights"))
    assert found["loss"] == pytest.approx(tasks + priors)
    assert {"bias_error", "degree_error", "weight_error", "logits_auc"} < found.keys()
    assert 0.0 <= found["logits_auc_prior"] <= 1.0
