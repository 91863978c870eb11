from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.instance.edit import ColumnPatch, RowPatch, replace_columns, replace_rows
from g2milp.instance.fingerprint import content_hash, refine, structure_hash
from g2milp.problems.registry import make
from g2milp.testing import permuted, random_milp, tiny_milps

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp


def shuffled(milp: Milp, rng: np.random.Generator) -> Milp:
    return permuted(milp, rng.permutation(milp.n_rows), rng.permutation(milp.n_cols))


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_structure_ignores_order_and_content_does_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    milp = random_milp(rng)
    other = shuffled(milp, rng)
    assert structure_hash(other) == structure_hash(milp)
    if not np.array_equal(other.objective, milp.objective):
        assert content_hash(other) != content_hash(milp)


@pytest.mark.parametrize("name", ["mis", "setcover", "mik", "gisp"])
def test_structure_of_real_families_ignores_order(name: str) -> None:
    milp = make(name, 0)
    assert structure_hash(shuffled(milp, np.random.default_rng(0))) == structure_hash(milp)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_every_changed_number_changes_both(seed: int) -> None:
    rng = np.random.default_rng(seed)
    milp = random_milp(rng, density=0.5)
    col = np.array([int(rng.integers(milp.n_cols))])
    row = int(rng.integers(milp.n_rows))
    columns, values = milp.row(row)
    changes = [
        replace_columns(milp, ColumnPatch(cols=col, objective=-2 * milp.objective[col] + 1.5)),
        replace_columns(milp, ColumnPatch(cols=col, kinds=(milp.kinds[col] + 1) % 4)),
        replace_columns(milp, ColumnPatch(cols=col, upper=np.array([1e9]))),
        replace_rows(
            milp,
            RowPatch(
                rows=np.array([row]),
                lower=milp.row_lower[[row]],
                upper=np.array([7e7]),
                indptr=np.array([0, columns.size]),
                indices=columns,
                values=values,
            ),
        ),
        replace(milp, sense="min" if milp.sense == "max" else "max"),
        replace(milp, offset=-2 * milp.offset + 1),
    ]
    if values.size:
        patch = RowPatch(
            rows=np.array([row]),
            lower=milp.row_lower[[row]],
            upper=milp.row_upper[[row]],
            indptr=np.array([0, columns.size]),
            indices=columns,
            values=np.append(np.nextafter(values[0], np.inf), values[1:]),
        )
        changes.append(replace_rows(milp, patch))
    for changed in changes:
        assert content_hash(changed) != content_hash(milp)
        assert structure_hash(changed) != structure_hash(milp)


def test_moving_one_entry_changes_the_structure() -> None:
    milp = make("setcover", 0, n_rows=20, n_cols=30, density=0.2)
    columns, values = milp.row(0)
    free = np.setdiff1d(np.arange(30), columns)[0]
    patch = RowPatch(
        rows=np.array([0]),
        lower=milp.row_lower[:1],
        upper=milp.row_upper[:1],
        indptr=np.array([0, columns.size]),
        indices=np.append(columns[1:], free).astype(np.int32),
        values=values,
    )
    assert structure_hash(replace_rows(milp, patch)) != structure_hash(milp)


def test_names_do_not_count() -> None:
    milp = tiny_milps()["knapsack"]
    renamed = replace(milp, name="x", objective_name="y", col_names=("p", "q", "r"))
    assert content_hash(renamed) == content_hash(milp)
    assert structure_hash(renamed) == structure_hash(milp)


def test_the_two_zeros_are_one() -> None:
    milp = tiny_milps()["free column"]
    zero = replace_columns(milp, ColumnPatch(cols=np.array([0]), objective=np.array([0.0])))
    negative = replace_columns(milp, ColumnPatch(cols=np.array([0]), objective=np.array([-0.0])))
    assert structure_hash(zero) == structure_hash(negative)
    assert content_hash(zero) == content_hash(negative)


def test_the_hashes_are_the_same_on_every_machine() -> None:
    """Stored manifests and ledgers depend on these values."""
    milp = tiny_milps()["knapsack"]
    assert content_hash(milp) == CONTENT
    assert structure_hash(milp) == STRUCTURE


def test_refinement_separates_what_a_plain_loop_separates() -> None:
    """An oracle with dictionaries instead of hashes, on graphs with many symmetries."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        milp = random_milp(rng, n_rows=12, n_cols=12, density=0.2, hard_numbers=False)
        milp = replace_columns(
            milp,
            ColumnPatch(
                cols=np.arange(12),
                objective=np.ones(12),
                kinds=np.ones(12, np.uint8),
                lower=np.zeros(12),
                upper=np.ones(12),
            ),
        )
        patch = RowPatch(
            rows=np.arange(12),
            lower=np.full(12, -np.inf),
            upper=np.ones(12),
            indptr=milp.indptr,
            indices=milp.indices,
            values=np.ones(milp.n_nonzeros),
        )
        milp = replace_rows(milp, patch)
        colours = refine(milp)
        rows, cols = plain_refinement(milp)
        assert partition(colours.rows[0].tolist()) == partition(rows)
        assert partition(colours.cols[0].tolist()) == partition(cols)


def partition(colours: list[int]) -> list[int]:
    """The classes, numbered by first appearance."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(colour, len(numbers)) for colour in colours]


def plain_refinement(milp: Milp) -> tuple[list[int], list[int]]:
    rows, cols = [0] * milp.n_rows, [0] * milp.n_cols
    entries = list(zip(milp.entry_rows.tolist(), milp.indices.tolist(), strict=True))
    for _ in range(milp.n_rows + milp.n_cols):
        seen: dict[object, int] = {}
        near: list[list[int]] = [[] for _ in rows]
        for i, j in entries:
            near[i].append(cols[j])
        rows = [
            seen.setdefault((c, tuple(sorted(n))), len(seen))
            for c, n in zip(rows, near, strict=True)
        ]
        seen = {}
        near = [[] for _ in cols]
        for i, j in entries:
            near[j].append(rows[i])
        cols = [
            seen.setdefault((c, tuple(sorted(n))), len(seen))
            for c, n in zip(cols, near, strict=True)
        ]
    return rows, cols


CONTENT = "b6b26a86857b3316bcb35ff805e6a203f7b37fd4a5a20e9ea764af13e1b942c0"
STRUCTURE = "1485e677a0e206f8eab30d9629b620f14580e70ac82b671b32d014e014ddbc29"
