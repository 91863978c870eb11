"""Tiny instances and the toy generator, importable also in worker processes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from g2milp.instance.milp import Milp

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.append(HERE)


@pytest.fixture(autouse=True)
def _toy_in_workers(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")]))


def packing(seed: int, n_rows: int = 12, n_cols: int = 8) -> Milp:
    """max x, A x ≤ b, x in {0, 1, …, 3}: x = 0 is feasible."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 4, (n_rows, n_cols)) * (rng.random((n_rows, n_cols)) < 0.4)
    dense[np.arange(n_rows), rng.integers(n_cols, size=n_rows)] = 2
    return milp_of(
        dense,
        lower=np.full(n_rows, -np.inf),
        upper=rng.integers(2, 9, n_rows).astype(float),
        objective=rng.integers(1, 6, n_cols),
        col_upper=np.full(n_cols, 3.0),
        kinds=np.ones(n_cols, np.uint8),
        sense="max",
        name=f"packing{seed}",
    )


def milp_of(dense, *, lower, upper, objective, **rest) -> Milp:
    dense = np.asarray(dense, float)
    rows, cols = np.nonzero(dense)
    return Milp.build(
        objective=objective,
        indptr=np.concatenate([[0], np.cumsum((dense != 0).sum(axis=1))]),
        indices=cols,
        values=dense[rows, cols],
        row_lower=lower,
        row_upper=upper,
        **rest,
    )


@pytest.fixture
def family() -> list[Milp]:
    return [packing(seed) for seed in range(4)]


@pytest.fixture
def toy(family):
    from toy_generator import Toy

    return Toy(mask_ratio=0.25).fit(family)


@pytest.fixture
def make_milp():
    return milp_of
