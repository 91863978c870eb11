"""Training as a whole: it learns, it continues bit for bit, it refuses what makes no sense."""

from __future__ import annotations

import json
import os
import signal

import numpy as np
import pytest
import torch

from g2milp.datasets.dataset import Dataset
from g2milp.errors import AlreadyExists, Interrupted, TrainingDiverged, UsageError
from g2milp.models.masked_vae.state import to_arrays
from g2milp.training.fit import fit
from g2milp.training.step import StepMaker


def bytes_of(model) -> bytes:
    arrays, _ = to_arrays(model)
    return b"".join(arrays[name].tobytes() for name in sorted(arrays))


RESTORED = {"logits_auc", "degree_error", "bias_error", "weight_error", "loss"}


@pytest.mark.parametrize(
    ("preset", "measured"), [("blocks", RESTORED), ("best", {"contrast_accuracy", "loss"})]
)
def test_the_loss_falls_and_metrics_are_written(
    tiny, small_network, tmp_path, preset, measured
) -> None:
    settings = {**small_network, "steps": 120, "learning_rate": 0.01, "validation_share": 0.5}
    fit(tiny, tmp_path / "run", preset, settings)
    records = [json.loads(x) for x in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    steps = [r["step"] for r in records if "loss" in r]
    assert steps == list(range(5, 121, 5))
    losses = [r["loss"] for r in records if "loss" in r]
    if preset != "best":  # these instances are random: there is nothing to tell apart
        assert np.mean(losses[-4:]) < 0.95 * np.mean(losses[:2])
    validation = records[-2]["validation"]
    assert measured <= set(validation)
    assert not (tmp_path / "run" / ".lock").exists()


@pytest.mark.parametrize("preset", ["auto", "blocks", "code-mis", "paper-mik"])
def test_same_seed_same_bytes_with_and_without_a_folder(tiny, small_network, tmp_path, preset):
    settings = {**small_network, "steps": 7}
    first = bytes_of(fit(tiny, None, preset, settings))
    assert bytes_of(fit(tiny, tmp_path / "run", preset, settings)) == first
    assert bytes_of(fit(tiny, None, preset, {**settings, "training.seed": 1})) != first


class Stop:
    """A progress report that sends a signal at some step, as Ctrl-C does."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self, progress) -> None:
        if progress.step >= self.at:
            os.kill(os.getpid(), signal.SIGINT)


def test_interrupted_and_continued_is_the_same_bytes(tiny, small_network, tmp_path) -> None:
    settings = {**small_network, "steps": 23, "log_every": 1}
    whole = bytes_of(fit(tiny, tmp_path / "whole", "auto", settings))
    run = tmp_path / "run"
    for at in (3, 11, 12, 20):
        with pytest.raises(Interrupted, match="stopped after step"):
            fit(tiny, run, "auto", settings, progress=Stop(at))
    assert bytes_of(fit(tiny, run, "auto", settings, resume=True)) == whole
    assert bytes_of(fit(tiny, run, "auto", settings)) == whole
    strip = lambda p: [  # noqa: E731
        r for r in map(json.loads, p.read_text().splitlines()) if "validation" in r
    ]
    assert strip(run / "metrics.jsonl") == strip(tmp_path / "whole" / "metrics.jsonl")


def test_a_damaged_checkpoint_is_named_and_the_one_before_used(tiny, small_network, tmp_path):
    settings = {**small_network, "steps": 15}
    whole = bytes_of(fit(tiny, tmp_path / "run", "auto", settings))
    newest = sorted((tmp_path / "run" / "checkpoints").glob("step-*.safetensors"))[-1]
    data = bytearray(newest.read_bytes())
    data[-3] ^= 4
    newest.write_bytes(bytes(data))
    warnings: list[str] = []
    assert bytes_of(fit(tiny, tmp_path / "run", "auto", settings, warn=warnings.append)) == whole
    assert "SHA-256" in warnings[0]


def test_other_settings_or_data_are_refused_with_what_differs(tiny, small_network, tmp_path):
    run = tmp_path / "run"
    fit(tiny, run, "auto", {**small_network, "steps": 2})
    with pytest.raises(AlreadyExists, match=r"training\.steps"):
        fit(tiny, run, "auto", {**small_network, "steps": 3})
    with pytest.raises(AlreadyExists, match="data"):
        fit(tiny[:11], run, "auto", {**small_network, "steps": 2, "batch": 3})
    with pytest.raises(UsageError, match="no training run"):
        fit(tiny, tmp_path / "new", "auto", {**small_network, "steps": 2}, resume=True)
    fit(tiny, run, "auto", {**small_network, "steps": 3}, overwrite=True)


def test_a_folder_with_a_model_from_elsewhere_is_not_touched(tiny, small_network, tmp_path):
    (tmp_path / "MANIFEST.json").write_text("{}")
    with pytest.raises(AlreadyExists, match="not trained here"):
        fit(tiny, tmp_path, "auto", {**small_network, "steps": 2})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learning_rat": 1}, "learning_rate"),
        ({"steps": 0}, "training.steps"),
        ({"bias": "much"}, "loss.bias"),
        ({"low": 1}, "ambiguous"),
        ({"rows_per_mask": 3}, "row_conditioning"),
    ],
)
def test_wrong_settings_are_explained(tiny, settings, message) -> None:
    with pytest.raises(UsageError) as caught:
        fit(tiny, None, "code-mis", settings)
    assert message in str(caught.value)


def test_a_selector_decides_which_checkpoint_wins(tiny, small_network) -> None:
    class Early:
        name = "early"
        seen: list[bytes]

        def __init__(self) -> None:
            self.seen = []

        def __call__(self, model, data) -> float:
            assert isinstance(data, Dataset)
            self.seen.append(bytes_of(model))
            return float(len(self.seen))

    early = Early()
    model = fit(tiny, None, "auto", {**small_network, "steps": 20}, select=early)
    assert len(early.seen) > 1
    assert bytes_of(model) == early.seen[0]


def test_exploding_numbers_go_back_and_then_stop(tiny, small_network, tmp_path, monkeypatch):
    run, calls = StepMaker.run, []

    def exploding(self, step, rate_scale):
        calls.append((step, rate_scale))
        return None if step >= 12 else run(self, step, rate_scale)

    monkeypatch.setattr(StepMaker, "run", exploding)
    with pytest.raises(TrainingDiverged, match="learning rate"):
        fit(tiny, tmp_path / "run", "auto", {**small_network, "steps": 30})
    assert calls.count((10, 0.5)) == 1
    assert calls.count((10, 0.125)) == 1
    monkeypatch.setattr(StepMaker, "run", run)
    fit(tiny, tmp_path / "run", "auto", {**small_network, "steps": 30})


def test_a_gradient_that_is_not_finite_moves_nothing(tiny, small_network, monkeypatch) -> None:
    run, before = StepMaker.run, []

    def poisoned(self, step, rate_scale):
        if step == 3:
            self.model.bias.network.b2.data.add_(0)
            before.append(self.optimiser.parameters.clone())
            monkeypatch.setattr(self.group.__class__, "sum_in_place", poison)
        else:
            monkeypatch.setattr(self.group.__class__, "sum_in_place", lambda *_: None)
        result = run(self, step, rate_scale)
        if step == 3:
            assert result is None
            assert torch.equal(before[0], self.optimiser.parameters)
        return result

    def poison(_group, tensor):
        tensor[0] = float("nan")

    monkeypatch.setattr(StepMaker, "run", poisoned)
    fit(tiny, None, "blocks", {**small_network, "steps": 6})
    assert before
