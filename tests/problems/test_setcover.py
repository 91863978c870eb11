from __future__ import annotations

import numpy as np
import pytest

from g2milp.problems.registry import make, make_many


def test_sizes_are_the_published_ones() -> None:
    for milp in make_many("setcover", 10, 0):
        assert (milp.n_rows, milp.n_cols, milp.n_nonzeros) == (500, 1000, 25_000)
        assert milp.col_degrees.min() >= 2
        assert milp.row_degrees.min() >= 1
        assert milp.is_binary.all()
        assert set(milp.values) == {1.0}
        assert set(milp.row_lower) == {1.0}
        assert set(milp.row_upper) == {np.inf}


def test_costs_are_whole_and_uniform() -> None:
    costs = np.concatenate([m.objective for m in make_many("setcover", 10, 1)])
    assert set(costs) == set(range(1, 101))
    assert costs.mean() == pytest.approx(50.5, abs=1.0)


def test_entries_are_spread_uniformly() -> None:
    """Columns: 2 and a binomial rest of mean 23; rows of mean 50 with nearly binomial spread."""
    instances = list(make_many("setcover", 20, 2))
    cols = np.concatenate([m.col_degrees for m in instances])
    rows = np.concatenate([m.row_degrees for m in instances])
    assert cols.std() == pytest.approx(np.sqrt(23), abs=0.15)
    assert rows.std() == pytest.approx(np.sqrt(49 * (1 - 0.05)), abs=0.3)
    hits = np.zeros(500)
    for milp in instances:
        hits += milp.row_degrees
    assert abs(np.corrcoef(np.arange(500), hits)[0, 1]) < 0.15


@pytest.mark.parametrize(
    ("rows", "cols", "density"),
    [(5, 7, 1.0), (5, 7, 0.7), (50, 10, 0.5), (2, 3, 1.0), (30, 5, 0.3)],
)
def test_dense_and_small_ones(rows: int, cols: int, density: float) -> None:
    milp = make("setcover", 0, n_rows=rows, n_cols=cols, density=density)
    assert milp.n_nonzeros == int(rows * cols * density + 1e-9)
    assert milp.col_degrees.min() >= 2
    assert milp.row_degrees.min() >= 1
