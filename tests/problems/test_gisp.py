from __future__ import annotations

import numpy as np
import pytest

from g2milp.problems.registry import make, make_many


def test_expected_sizes() -> None:
    """60 nodes at 0.6: 1062 edges, of which three quarters are removable."""
    instances = list(make_many("gisp", 60, 0))
    assert np.mean([m.n_rows for m in instances]) == pytest.approx(1062, abs=10)
    assert np.mean([m.n_cols - 60 for m in instances]) == pytest.approx(796.5, abs=10)


def test_removable_edges_have_their_own_column() -> None:
    milp = make("gisp", 1, n_nodes=12, removable_share=0.5)
    owners = []
    for i in range(milp.n_rows):
        columns, values = milp.row(i)
        u, v = map(int, milp.row_names[i].removeprefix("edge_").split("_"))
        assert columns[:2].tolist() == [u, v]
        assert u < v
        if columns.size == 3:
            owners.append(int(columns[2]))
            assert milp.col_names[columns[2]] == f"remove_{u}_{v}"
            assert values.tolist() == [1.0, 1.0, -1.0]
            assert milp.objective[columns[2]] == -1.0
    assert owners == list(range(12, milp.n_cols))


def test_no_edges_and_all_edges() -> None:
    assert make("gisp", 0, edge_probability=0).n_rows == 0
    full = make("gisp", 0, n_nodes=10, edge_probability=1, removable_share=1)
    assert (full.n_rows, full.n_cols) == (45, 55)
