"""Predict-and-search from sets to the result, on instances of a dozen nodes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from g2milp.downstream.augmentation import Augmentation
from g2milp.downstream.fitting import Schedule, fit
from g2milp.downstream.network import NetworkSettings, Scales
from g2milp.downstream.predict_and_search.model import (
    MarginalNet,
    MarginalProblem,
    Target,
    predict_marginals,
)
from g2milp.downstream.predict_and_search.protocol import protocol
from g2milp.downstream.predict_and_search.task import PLAIN, predict_and_search
from g2milp.downstream.session import Session
from g2milp.graph.features import build_graph

QUICK = {
    "epochs": 3,
    "repeats": 1,
    "width": 4,
    "hidden": 4,
    "depth": 1,
    "points": 3,
    "validation_share": 0.25,
    "search_limit": 5.0,
}


def run(folder, train, test, generated, **changes):
    session = Session(
        folder=folder / "out",
        train=train,
        test=test,
        augmentations={Augmentation("made", (folder / "generated",)): [generated]},
    )
    return predict_and_search(session, protocol(**{**QUICK, **changes}))


def test_every_search_is_kept_and_counted(tmp_path, train, test_set, generated):
    told = run(tmp_path, train, test_set, generated)
    assert [record["arm"] for record in told["runs"]] == [PLAIN, "real only", "made"]
    plain, *learned = told["runs"]
    assert plain["failures"] == plain["not_found"] == 0
    for record in told["runs"]:
        searches = record["searches"]
        assert [one["instance"] for one in searches] == list(test_set.names)
        assert record["failures"] == sum(one["failed"] for one in searches)
        assert record["gap"] == pytest.approx(np.mean([one["gap"] for one in searches]))
    assert [record["added"] for record in learned] == [0, 8]
    assert all("cross_entropy" in one for record in learned for one in record["searches"])
    ledger = (tmp_path / "out" / "runs.jsonl").read_bytes()
    assert run(tmp_path, train, test_set, generated) == told
    assert (tmp_path / "out" / "runs.jsonl").read_bytes() == ledger


def test_a_region_without_bounds_never_fails(tmp_path, train, test_set, generated):
    told = run(tmp_path, train, test_set, generated, radius=1.0, zeros=0.5, ones=0.5)
    assert all(record["failures"] == 0 for record in told["runs"])


def test_marginals_that_a_graph_tells_are_learned(train):
    """Nodes of many rows are rarely chosen: degrees decide, and the network sees them."""
    targets = []
    for milp in train:
        wanted = (milp.col_degrees < np.median(milp.col_degrees)).astype(float)
        targets.append(Target(build_graph(milp), milp.is_binary, wanted))
    settings = NetworkSettings(width=8, hidden=8, depth=2)
    scales = Scales.of([target.graph for target in targets])
    module = MarginalNet(settings, scales, torch.Generator().manual_seed(0))
    problem = MarginalProblem(module, targets[:6], targets[6:])
    before = problem.judge()
    fit(problem, Schedule(epochs=60, batch=3, learning_rate=1e-2), seed=0)
    assert problem.judge() < 0.3 < before
    chances = predict_marginals(module, targets[7])
    assert chances.shape == (12,)
    right = (chances > 0.5) == (targets[7].marginals > 0.5)
    assert right.mean() > 0.9


def test_the_loss_is_the_mean_cross_entropy_over_binary_columns(train):
    targets = [
        Target(build_graph(milp), milp.is_binary, np.linspace(0, 1, milp.n_cols)) for milp in train
    ]
    scales = Scales.of([target.graph for target in targets])
    module = MarginalNet(NetworkSettings(width=4, hidden=4, depth=1), scales, torch.Generator())
    problem = MarginalProblem(module, targets, ())
    wanted = []
    for target in targets[:3]:
        p = predict_marginals(module, target)
        q = target.marginals
        wanted.append(-np.mean(q * np.log(p) + (1 - q) * np.log(1 - p)))
    with torch.no_grad():
        assert float(problem.loss(np.arange(3))) == pytest.approx(np.mean(wanted), rel=1e-4)
