"""The judge learns what an exchange breaks, and stays silent where there is nothing."""

from __future__ import annotations

import numpy as np
import torch
from tests.models.contrast.planted import halves, mixed

from g2milp.datasets.dataset import Dataset
from g2milp.generation.exchange.structure import Structure
from g2milp.generation.g2milp import G2MILP
from g2milp.graph.features import build_graph
from g2milp.models.contrast.hiding import make_contrasts
from g2milp.models.contrast.loss import margins
from g2milp.models.contrast.typed import one_bucket
from g2milp.problems.registry import make_many
from g2milp.training.gain import carries

SMALL = {"embedding": 8, "hidden": 8, "depth": 1, "training.batch": 6, "learning_rate": 0.01}


def test_it_keeps_halves_apart_which_the_exchange_alone_mixes(monkeypatch) -> None:
    # What is found in the data would keep the halves apart as well: the judge is on its own here.
    monkeypatch.setattr("g2milp.generation.g2milp.discover_structure", lambda *_: Structure())
    data = Dataset.from_milps([halves(seed, n_rows=180) for seed in range(20)])
    settings = {**SMALL, "embedding": 16, "hidden": 16, "depth": 3, "training.steps": 300}
    gen = G2MILP(preset="best", settings=settings).fit(data)
    assert gen.judge_gain_[0] > 0.2  # of at most ½ log 2: half of the contrasts are within a half
    judged = gen.sample(6, seed=0, mask_ratio=0.5)
    cold = gen.sample(6, seed=0, mask_ratio=0.5, temperature=0.35)
    gen.judge_gain_ = (0.0, 0.0)
    free = gen.sample(6, seed=0, mask_ratio=0.5)
    at_all, at_one, below = (
        np.mean([mixed(milp) for milp in milps]) for milps in (free, judged, cold)
    )
    assert at_all > 0.42
    assert at_one < 0.75 * at_all  # a margin of four errs once in fifty moves; a row makes eight
    assert below < 0.1
    for milps in (judged, cold, free):
        for sample in milps.samples:
            assert sample.record["changed_rows"] >= 0.6 * sample.record["masked_rows"]


def test_where_there_is_nothing_to_tell_the_judge_is_not_asked() -> None:
    data = Dataset.from_milps(
        list(make_many("setcover", 12, 0, n_rows=30, n_cols=40, density=0.15))
    )
    gen = G2MILP(preset="best", settings={**SMALL, "training.steps": 10}).fit(data)
    assert not carries(gen.judge_gain_)
    assert next(gen.sample_iter(1)).record["notes"]["exchanges"] > 0


def test_a_margin_is_the_difference_of_four_scores() -> None:
    data = [halves(seed) for seed in range(3)]
    gen = G2MILP(preset="best", settings={**SMALL, "training.steps": 2}).fit(data)
    model = gen.model
    found = make_contrasts(
        [build_graph(m) for m in data],
        [one_bucket(m) for m in data],
        10,
        np.random.default_rng(0),
        count_shared=True,
    )
    with torch.no_grad():
        margin = margins(model, found)
        factors = model.factors(found.view)
        for p in range(0, margin.numel(), 7):
            scores = [
                torch.relu(
                    factors.rows[found.rows[q, p]]
                    + factors.cols[found.cols[q, p]]
                    + model.of_shared @ found.shared[q, p]
                )
                @ model.weights
                for q in range(4)
            ]
            wanted = scores[0] + scores[1] - scores[2] - scores[3]
            torch.testing.assert_close(margin[p], wanted, rtol=1e-4, atol=1e-5)
