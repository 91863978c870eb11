from __future__ import annotations

import numpy as np
import pytest

from g2milp.instance.milp import Kind, RowSense
from g2milp.testing import assert_milp_equal, permuted, random_milp, tiny_milps


def test_random_instances_have_every_kind_of_row_and_column() -> None:
    milp = random_milp(np.random.default_rng(0), n_rows=200, n_cols=200)
    assert set(milp.kinds) == {int(kind) for kind in Kind}
    assert set(milp.senses) == {int(sense) for sense in RowSense}
    assert_milp_equal(milp, random_milp(np.random.default_rng(0), n_rows=200, n_cols=200))


def test_tiny_instances_differ() -> None:
    milps = list(tiny_milps().values())
    assert all(a != b for i, a in enumerate(milps) for b in milps[:i])


def test_a_permutation_and_its_inverse() -> None:
    rng = np.random.default_rng(0)
    milp = random_milp(rng)
    rows, cols = rng.permutation(milp.n_rows), rng.permutation(milp.n_cols)
    other = permuted(milp, rows, cols)
    assert_milp_equal(permuted(other, np.argsort(rows), np.argsort(cols)), milp)
    assert other.row_names[0] == milp.row_names[rows[0]]


def test_every_difference_is_said() -> None:
    milp = tiny_milps()["range"]
    with pytest.raises(AssertionError, match="col_names: 2 entries instead of 3"):
        assert_milp_equal(milp, tiny_milps()["knapsack"])
    with pytest.raises(AssertionError, match=r"row_lower\[0\] \(row 'r0'\): 1.0 instead of -inf"):
        assert_milp_equal(milp, tiny_milps()["free row"])
