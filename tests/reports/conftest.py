"""One reference and two generated sets with hostile names, evaluated once for all these tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.browser import Browser

import g2milp as gm
from g2milp.cli.app import main
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
from g2milp.evaluation.result import Evaluation
from g2milp.problems.registry import make_many

HOSTILE = "<img src=x onerror=alert(1)>&'\" \u202egnol"


@pytest.fixture(scope="session")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``real``, one set by the baseline Random with its manifest, and another real one."""
    root = tmp_path_factory.mktemp("report")
    gm.write(list(make_many("mis", 14, 0, n_nodes=20)), root / "real")
    gm.write(list(make_many("mis", 10, 1, n_nodes=20)), root / HOSTILE)
    real, new, ledger = str(root / "real"), str(root / "new"), str(root / "ledger")
    for command in (
        ["baseline", "random", real, "-n", "12", "-o", new],
        ["solve", real, "-o", ledger, "--seeds", "1"],
        ["solve", new, "-o", ledger, "--seeds", "1"],
    ):
        assert main([*command, "--jobs", "1"]) == 0
    return root


@pytest.fixture(scope="session")
def found(sets: Path) -> list[Evaluation]:
    """Both evaluations, with everything that a report can show."""
    return evaluate_all(
        Dataset.open(sets / "real"),
        {"new": Dataset.open(sets / "new"), HOSTILE: Dataset.open(sets / HOSTILE)},
        EvaluationOptions(power=True, ledgers=[sets / "ledger"], classifier="stumps"),
    )


@pytest.fixture(scope="session")
def browser():
    """A running Chromium."""
    program = Browser.find()
    if program is None:
        pytest.skip("no Chromium: apt install chromium, to open the report in a real browser")
    with Browser(program) as running:
        yield running
