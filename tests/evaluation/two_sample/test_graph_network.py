"""The graph network as second classifier: power, copies, determinism, bounds."""

from __future__ import annotations

import json

import numpy as np
import pytest

import g2milp as gm
from g2milp.baselines.random_refill import Random
from g2milp.cli.app import main
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.two_sample import graph_network
from g2milp.evaluation.two_sample.graph_network import network_test
from g2milp.problems.registry import make_many

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def real() -> Dataset:
    return Dataset.from_milps(list(make_many("mis", 20, 0, n_nodes=40)))


def test_random_is_recognised(real: Dataset):
    made = list(Random(mask_ratio=0.2).fit(real).sample_iter(20, seed=1))
    refilled = Dataset.from_milps([sample.milp for sample in made])
    found = network_test(real, refilled, real.names, [sample.template_name for sample in made])
    assert found is not None
    assert found.auc > 0.9
    assert found.interval[0] > 0.75
    assert (found.reference, found.generated) == (20, 20)


def test_a_copy_is_not_recognised_and_the_seed_decides(real: Dataset, monkeypatch):
    monkeypatch.setattr(graph_network, "EPOCHS", 2)
    first, again = (network_test(real, real, real.names, real.names, seed=3) for _ in range(2))
    assert first is not None
    assert first.auc == pytest.approx(0.5, abs=1e-9)
    assert first == again


def test_few_templates_are_not_tested(real: Dataset):
    four = real.subset(np.arange(4))
    assert network_test(four, real, four.names, real.names) is None


def test_of_large_sets_a_part_is_judged(real: Dataset, monkeypatch):
    monkeypatch.setattr(graph_network, "EPOCHS", 1)
    monkeypatch.setattr(graph_network, "MOST_EDGES", 1)
    found = network_test(real, real, real.names, real.names)
    assert found is not None
    assert found.reference == found.generated == 2 * graph_network.FOLDS


def test_the_command_asks_for_it(real: Dataset, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(graph_network, "EPOCHS", 1)
    gm.write(list(real)[:8], tmp_path / "real")
    gm.write(list(make_many("mis", 8, 1, n_nodes=40)), tmp_path / "new")
    report = tmp_path / "report.html"
    arguments = [str(tmp_path / "real"), str(tmp_path / "new"), "--json", "--network"]
    assert main(["evaluate", *arguments, "-o", str(report), "--jobs", "1"]) == 0
    found = json.loads(capsys.readouterr().out)["two_sample"]["network"]
    assert 0 <= found["interval"][0] <= found["auc"] <= found["interval"][1] <= 1
    assert 0 <= found["power"] <= 1
    page = report.read_text(encoding="utf-8")
    assert "generated, by graph network" in page
    assert "A graph network has" in page
