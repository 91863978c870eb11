"""Instances in two halves: rows take their columns from one of them, which an exchange breaks."""

from __future__ import annotations

import numpy as np

from g2milp.instance.milp import Milp


def halves(seed: int, n_rows: int = 60, n_cols: int = 40, degree: int = 4) -> Milp:
    rng = np.random.default_rng(seed)
    half = n_cols // 2
    rows = [
        np.sort(rng.choice(half, degree, replace=False)) + half * int(rng.integers(2))
        for _ in range(n_rows)
    ]
    return Milp.build(
        objective=np.ones(n_cols),
        indptr=np.arange(n_rows + 1) * degree,
        indices=np.concatenate(rows),
        values=np.ones(n_rows * degree),
        row_lower=np.full(n_rows, -np.inf),
        row_upper=np.ones(n_rows),
        col_upper=np.ones(n_cols),
        kinds=np.ones(n_cols, np.uint8),
    )


def mixed(milp: Milp) -> float:
    """Share of the rows with columns of both halves."""
    side = milp.indices >= milp.n_cols // 2
    sums = np.bincount(milp.entry_rows, weights=side, minlength=milp.n_rows)
    return float(((sums > 0) & (sums < milp.row_degrees)).mean())
