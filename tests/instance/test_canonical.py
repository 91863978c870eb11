from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.instance.canonical import canonical
from g2milp.testing import random_milp, tiny_milps


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_against_a_plain_loop(seed: int) -> None:
    milp = random_milp(np.random.default_rng(seed))
    expected = []
    for i in range(milp.n_rows):
        columns, values = milp.row(i)
        if milp.row_upper[i] < np.inf:
            expected.append((i, True, columns.tolist(), values.tolist(), milp.row_upper[i]))
        if milp.row_lower[i] > -np.inf:
            expected.append((i, False, columns.tolist(), (-values).tolist(), -milp.row_lower[i]))
    view = canonical(milp)
    ends = [slice(a, b) for a, b in zip(view.indptr[:-1], view.indptr[1:], strict=True)]
    found = [
        (row, upper, view.indices[end].tolist(), view.values[end].tolist(), rhs)
        for row, upper, end, rhs in zip(view.row, view.upper, ends, view.rhs, strict=True)
    ]
    assert found == expected
    for k, other in enumerate(view.partner.tolist()):
        same_row = [j for j in range(view.n_rows) if view.row[j] == view.row[k] and j != k]
        assert same_row == ([other] if other >= 0 else [])
    sign = -1 if milp.sense == "max" else 1
    assert np.array_equal(view.objective, sign * milp.objective)


def test_free_rows_vanish_and_equalities_become_pairs() -> None:
    assert canonical(tiny_milps()["free row"]).row.tolist() == [1]
    view = canonical(tiny_milps()["equality"])
    assert view.row.tolist() == [0, 0, 1, 1]
    assert view.partner.tolist() == [1, 0, 3, 2]
    assert view.rhs.tolist() == [1.0, -1.0, 0.5, -0.5]


def test_instances_without_rows() -> None:
    view = canonical(tiny_milps()["no rows"])
    assert (view.n_rows, view.n_cols, view.indptr.tolist()) == (0, 2, [0])
