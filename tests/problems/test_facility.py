from __future__ import annotations

import numpy as np

from g2milp.instance.milp import Kind
from g2milp.problems.registry import make


def test_sizes_are_the_published_ones() -> None:
    milp = make("facility", 0)
    assert (milp.n_rows, milp.n_cols) == (10_201, 10_100)
    assert (milp.kinds == Kind.INTEGER).sum() == 100


def test_the_model_row_by_row() -> None:
    milp = make("facility", 1, n_customers=4, n_facilities=3, ratio=2)
    name = {label: i for i, label in enumerate(milp.row_names)}
    column = {label: j for j, label in enumerate(milp.col_names)}
    served, ones = milp.row(name["serve_2"])
    assert [milp.col_names[j] for j in served] == ["x_2_0", "x_2_1", "x_2_2"]
    assert set(ones) == {1.0}
    used, demand = milp.row(name["capacity_1"])
    assert [milp.col_names[j] for j in used] == ["x_0_1", "x_1_1", "x_2_1", "x_3_1", "y_1"]
    total, capacity = milp.row(name["total_capacity"])
    assert [milp.col_names[j] for j in total] == ["y_0", "y_1", "y_2"]
    assert -demand[-1] == capacity[1]
    assert milp.row_lower[name["total_capacity"]] == demand[:-1].sum()
    linked, signs = milp.row(name["open_3_2"])
    assert linked.tolist() == [column["x_3_2"], column["y_2"]]
    assert signs.tolist() == [1.0, -1.0]
    assert demand[:-1].min() >= 5
    assert demand[:-1].max() <= 35


def test_all_facilities_together_suffice_even_at_ratio_one() -> None:
    for seed in range(20):
        milp = make("facility", seed, n_customers=7, n_facilities=9, ratio=1)
        i = milp.row_names.index("total_capacity")
        assert milp.row(i)[1].sum() >= milp.row_lower[i]
        assert np.array_equal(milp.row(i)[1], np.floor(milp.row(i)[1]))
