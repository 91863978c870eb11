"""Tiny instances to train on."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.datasets.dataset import Dataset
from g2milp.instance.milp import Milp


def packing(seed: int, n_rows: int = 8, n_cols: int = 10) -> Milp:
    """Rows Σ x ≤ 1 over two to four columns."""
    rng = np.random.default_rng(seed)
    rows = [np.sort(rng.choice(n_cols, rng.integers(2, 5), replace=False)) for _ in range(n_rows)]
    return Milp.build(
        objective=np.ones(n_cols),
        indptr=np.concatenate([[0], np.cumsum([r.size for r in rows])]),
        indices=np.concatenate(rows),
        values=np.ones(sum(r.size for r in rows)),
        row_lower=np.full(n_rows, -np.inf),
        row_upper=np.ones(n_rows),
        col_upper=np.ones(n_cols),
        kinds=np.ones(n_cols, np.uint8),
        sense="max",
    )


@pytest.fixture
def tiny() -> Dataset:
    """Twelve instances of a kind."""
    return Dataset.from_milps([packing(seed) for seed in range(12)])


@pytest.fixture
def small_network() -> dict[str, int]:
    """Settings that make a step cost a few milliseconds."""
    return {
        "embedding": 4,
        "hidden": 4,
        "latent": 2,
        "depth": 2,
        "batch": 3,
        "validate_every": 5,
        "checkpoint_every": 5,
        "log_every": 5,
    }
