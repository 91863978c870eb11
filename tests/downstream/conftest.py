"""Small sets whose optimum is known in milliseconds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from downstream_sets import generated_from, independent_sets

from g2milp.datasets.dataset import Dataset


@pytest.fixture
def train() -> Dataset:
    return independent_sets(8, seed=1)


@pytest.fixture
def test_set() -> Dataset:
    return independent_sets(4, seed=2)


@pytest.fixture
def generated(train: Dataset, tmp_path: Path) -> Dataset:
    return generated_from(train, 12, tmp_path / "generated")
