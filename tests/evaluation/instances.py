"""Random instances of every kind of row, bound and column, for oracles to chew on."""

from __future__ import annotations

import numpy as np

from g2milp.instance.milp import Kind, Milp


def random_milp(seed: int) -> Milp:
    """Between 0 and 14 rows and 1 and 14 columns; dense, sparse, empty rows, duplicates."""
    rng = np.random.default_rng([17, seed])
    m, n = int(rng.integers(0, 15)), int(rng.integers(1, 15))
    matrix = (rng.random((m, n)) < rng.uniform(0.05, 0.7)) * draw_values(rng, (m, n))
    if m > 2 and rng.random() < 0.4:
        matrix[m - 1] = matrix[0]
    if n > 2 and rng.random() < 0.3:
        matrix[:, n - 1] = matrix[:, 0]
    lower, upper = draw_sides(rng, m)
    if m > 2 and rng.random() < 0.3:
        lower[m - 1], upper[m - 1] = lower[0], upper[0]
    binary = rng.random(n) < rng.choice([0.0, 0.6, 1.0])
    kinds = np.where(binary, Kind.INTEGER, rng.integers(0, 2, n))
    return milp_of(
        matrix,
        lower,
        upper,
        objective=draw_values(rng, n) * (rng.random(n) < 0.8),
        col_lower=np.where(binary, 0.0, rng.choice([-np.inf, 0.0, -2.0], n)),
        col_upper=np.where(binary, 1.0, rng.choice([np.inf, 5.0], n)),
        kinds=kinds,
        sense="max" if rng.random() < 0.5 else "min",
    )


def draw_values(rng: np.random.Generator, shape: int | tuple[int, int]) -> np.ndarray:
    style = rng.integers(0, 3)
    if style == 0:
        return np.ones(shape)
    if style == 1:
        return rng.integers(-3, 4, shape).astype(float)
    return np.round(rng.normal(0, 50, shape), 3)


def draw_sides(rng: np.random.Generator, m: int) -> tuple[np.ndarray, np.ndarray]:
    value = rng.integers(-3, 4, m) + rng.choice([0.0, 0.5], m)
    kind = rng.integers(0, 5, m)
    lower = np.where(np.isin(kind, [0, 2, 3]), value, -np.inf)
    upper = np.where(kind == 1, value, np.where(kind == 2, value, np.inf))
    upper = np.where(kind == 3, value + 2, upper)
    return lower, upper


def milp_of(matrix: np.ndarray, lower: np.ndarray, upper: np.ndarray, **columns: object) -> Milp:
    """An instance from a dense matrix."""
    rows, cols = np.nonzero(matrix)
    counts = np.bincount(rows, minlength=len(lower))
    return Milp.build(
        indptr=np.concatenate([[0], np.cumsum(counts)]),
        indices=cols,
        values=matrix[rows, cols],
        row_lower=lower,
        row_upper=upper,
        **columns,
    )


def permuted(milp: Milp, rng: np.random.Generator) -> Milp:
    """The same instance with rows and columns in another order."""
    rows, cols = rng.permutation(milp.n_rows), rng.permutation(milp.n_cols)
    dense = milp.matrix().toarray().reshape(milp.n_rows, milp.n_cols)[rows][:, cols]
    return milp_of(
        dense,
        milp.row_lower[rows],
        milp.row_upper[rows],
        objective=milp.objective[cols],
        col_lower=milp.col_lower[cols],
        col_upper=milp.col_upper[cols],
        kinds=milp.kinds[cols],
        sense=milp.sense,
        row_names=[milp.row_names[i] for i in rows],
        col_names=[milp.col_names[j] for j in cols],
    )
