from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import InvalidMilp
from g2milp.instance.edit import ColumnPatch, RowPatch, replace_columns, replace_rows
from g2milp.testing import assert_milp_equal, random_milp, tiny_milps

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp


def patch_of(milp: Milp, rows: np.ndarray, donor: Milp, donor_rows: np.ndarray) -> RowPatch:
    parts = [donor.row(i) for i in donor_rows]
    return RowPatch(
        rows=rows,
        lower=donor.row_lower[donor_rows],
        upper=donor.row_upper[donor_rows],
        indptr=np.concatenate([[0], np.cumsum([len(c) for c, _ in parts], dtype=np.int64)]),
        indices=np.concatenate([np.zeros(0, np.int32), *(c for c, _ in parts)]).astype(np.int32),
        values=np.concatenate([np.zeros(0), *(v for _, v in parts)]),
    )


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_replaced_rows_are_the_new_ones_and_the_rest_is_untouched(seed: int) -> None:
    rng = np.random.default_rng(seed)
    milp, donor = random_milp(rng), random_milp(rng)
    rows = rng.permutation(milp.n_rows)[: int(rng.integers(0, milp.n_rows + 1))]
    donor_rows = rng.integers(donor.n_rows, size=rows.size)
    edited = replace_rows(milp, patch_of(milp, rows, donor, donor_rows))
    chosen = dict(zip(rows.tolist(), donor_rows.tolist(), strict=True))
    for i in range(milp.n_rows):
        source, k = (donor, chosen[i]) if i in chosen else (milp, i)
        for new, old in zip(edited.row(i), source.row(k), strict=True):
            assert new.tobytes() == old.tobytes()
        assert edited.row_lower[i] == source.row_lower[k]
        assert edited.row_upper[i] == source.row_upper[k]
    assert edited.objective is milp.objective
    assert edited.row_names == milp.row_names
    back = replace_rows(edited, patch_of(milp, rows, milp, rows))
    assert_milp_equal(back, milp)


def test_an_empty_patch_changes_nothing() -> None:
    milp = random_milp(np.random.default_rng(3))
    none = np.zeros(0, np.int64)
    assert_milp_equal(replace_rows(milp, patch_of(milp, none, milp, none)), milp)
    assert_milp_equal(replace_columns(milp, ColumnPatch(cols=none)), milp)


def test_entries_of_a_patch_may_come_in_any_order() -> None:
    milp = tiny_milps()["range"]
    patch = RowPatch(
        rows=np.array([1]),
        lower=np.array([0.0]),
        upper=np.array([1.0]),
        indptr=np.array([0, 2]),
        indices=np.array([1, 0], np.int32),
        values=np.array([8.0, 9.0]),
    )
    columns, values = replace_rows(milp, patch).row(1)
    assert (columns.tolist(), values.tolist()) == ([0, 1], [9.0, 8.0])


@pytest.mark.parametrize(
    ("rows", "indices", "values", "message"),
    [
        ([0, 0], [0, 0], [1.0, 1.0], "twice by one patch"),
        ([0], [1, 1], [1.0, 1.0], "one column twice"),
        ([0], [0, 7], [1.0, 1.0], "does not exist"),
        ([0], [0, 1], [1.0, 0.0], "explicit zero"),
        ([0], [0, 1], [1.0, np.nan], "NaN"),
    ],
)
def test_impossible_rows_are_refused(
    rows: list[int], indices: list[int], values: list[float], message: str
) -> None:
    count = len(rows)
    patch = RowPatch(
        rows=np.array(rows),
        lower=np.zeros(count),
        upper=np.ones(count),
        indptr=np.linspace(0, len(indices), count + 1).astype(np.int64),
        indices=np.array(indices, np.int32),
        values=np.array(values),
    )
    with pytest.raises(InvalidMilp, match=message):
        replace_rows(tiny_milps()["range"], patch)


def test_columns_are_replaced_field_by_field() -> None:
    milp = tiny_milps()["semi"]
    edited = replace_columns(milp, ColumnPatch(cols=np.array([1]), objective=np.array([4.0])))
    assert edited.objective.tolist() == [1.0, 4.0]
    assert edited.kinds is milp.kinds
    with pytest.raises(InvalidMilp, match="column 1 has the sides"):
        replace_columns(milp, ColumnPatch(cols=np.array([1]), lower=np.array([np.nan])))
