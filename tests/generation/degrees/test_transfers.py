"""Transfers have the distribution that they promise, and break no rule."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.generation.degrees import transfers
from g2milp.generation.degrees.transfers import Block, Freedom, transfer
from g2milp.generation.exchange.engine import entries_of
from g2milp.generation.exchange.groups import column_groups, row_groups
from g2milp.generation.exchange.invariants import discover
from g2milp.instance.edit import replace_rows
from g2milp.instance.milp import Milp

needs_native = pytest.mark.skipif(transfers.native is None, reason="built without a compiler")
ROWS, COLS = "≥1e0", "int[0,1]+e0"


def covering(pattern: np.ndarray) -> Milp:
    cols = np.nonzero(pattern)[1]
    return Milp.build(
        objective=np.ones(pattern.shape[1]),
        indptr=np.concatenate([[0], np.cumsum(pattern.sum(axis=1))]),
        indices=cols,
        values=np.ones(cols.size),
        row_lower=np.ones(len(pattern)),
        row_upper=np.full(len(pattern), np.inf),
        col_upper=np.ones(pattern.shape[1]),
        kinds=np.ones(pattern.shape[1], np.uint8),
    )


def mixed(seed: int, n_rows: int = 14, n_cols: int = 12) -> Milp:
    """Rows of two senses and sides, columns of two kinds, coefficients of both signs."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 4, (n_rows, n_cols)) * (rng.random((n_rows, n_cols)) < 0.4)
    dense[:, : n_cols // 3] *= -1
    rows, cols = np.nonzero(dense)
    upper = rng.choice([1.0, 50.0], n_rows)
    return Milp.build(
        objective=rng.integers(1, 9, n_cols),
        indptr=np.concatenate([[0], np.cumsum((dense != 0).sum(axis=1))]),
        indices=cols,
        values=dense[rows, cols],
        row_lower=np.where(rng.random(n_rows) < 0.3, upper, -np.inf),
        row_upper=upper,
        col_upper=rng.choice([1.0, np.inf], n_cols),
        kinds=rng.integers(0, 2, n_cols),
    )


def all_free(milp: Milp, *, antichain: bool = False) -> Freedom:
    """Every degree that its groups have in the instance, as often as any other."""
    rows, cols = row_groups(milp), column_groups(milp)
    shares = dict.fromkeys(range(max(milp.n_rows, milp.n_cols) + 1), 0.01)
    levels = [
        {key: frozenset(degrees[groups.of == g].tolist()) for g, key in enumerate(groups.keys)}
        for groups, degrees in ((rows, milp.row_degrees), (cols, milp.col_degrees))
    ]
    free = {(r, c): Block(shares, shares) for r in rows.keys for c in cols.keys}
    held = discover([milp]).antichain if antichain else frozenset()
    return Freedom(free, *levels, held)


def masked(milp: Milp, seed: int, share: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.permutation(milp.n_rows)[: round(share * milp.n_rows)].astype(np.int64)


@pytest.mark.parametrize("use_native", [False, pytest.param(True, marks=needs_native)])
def test_the_stationary_distribution_is_that_of_the_formula(use_native):
    fixed = [1, 1, 0, 0]
    p = {1: 0.3, 2: 0.1, 3: 0.4, 4: 0.2}
    q = {2: 0.8, 3: 0.15, 4: 0.05}
    weight = {}
    supports = [s for s in product((0, 1), repeat=4) if sum(s) in q]
    for rows in product(supports, repeat=2):
        pattern = np.array([*rows, fixed])
        degrees = pattern.sum(axis=0)
        if pattern.sum() == 7 and all(int(k) in p for k in degrees):
            of_cols = np.prod([p[k] / comb(3, k) for k in degrees.tolist()])
            of_rows = np.prod([q[sum(row)] / comb(4, sum(row)) for row in rows])
            weight[pattern.tobytes()] = float(of_cols * of_rows)
    total = sum(weight.values())
    freedom = Freedom(
        {(ROWS, COLS): Block(q, p)}, {ROWS: frozenset(q)}, {COLS: frozenset(p)}, frozenset()
    )
    milp, rng = covering(np.array([[0, 1, 1, 1], [1, 1, 0, 0], fixed])), np.random.default_rng(0)
    seen: Counter[bytes] = Counter()
    count = 4000
    for _ in range(count):
        patch, _ = transfer(milp, np.array([0, 1]), rng, freedom, tries=6.0, use_native=use_native)
        milp = replace_rows(milp, patch)
        pattern = np.zeros((3, 4), np.int64)
        pattern[milp.entry_rows, milp.indices] = 1
        seen[pattern.tobytes()] += 1
    assert seen.keys() <= weight.keys()
    expected = {key: count * w / total for key, w in weight.items()}
    chi2 = sum((seen[key] - e) ** 2 / e for key, e in expected.items())
    freedoms = len(expected) - 1
    assert freedoms > 10
    assert chi2 < freedoms + 5.0 * np.sqrt(2.0 * freedoms)  # 6 tries leave samples a little alike


@needs_native
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.3, 1.0]), antichain=st.booleans())
def test_native_and_python_do_the_same(seed, share, antichain):
    milp = mixed(seed)
    rows, freedom = masked(milp, seed, share), all_free(milp, antichain=antichain)
    keep = np.random.default_rng(seed).random(rows.size) < 0.2
    native, python = (
        transfer(
            milp, rows, np.random.default_rng(7), freedom, keep=keep, tries=5.0, use_native=how
        )
        for how in (True, False)
    )
    assert native[1] == python[1]
    for name in ("indptr", "indices", "values"):
        assert np.array_equal(getattr(native[0], name), getattr(python[0], name))


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.0, 0.3, 1.0]))
def test_no_rule_is_broken(seed, share):
    milp = mixed(seed)
    rows, freedom = masked(milp, seed, share), all_free(milp, antichain=True)
    keep = np.random.default_rng(seed).random(rows.size) < 0.2
    patch, moved = transfer(milp, rows, np.random.default_rng(1), freedom, keep=keep, tries=5.0)
    new = replace_rows(milp, patch)
    assert new.n_nonzeros == milp.n_nonzeros
    assert all(np.unique(new.row(i)[0]).size == new.row_degrees[i] for i in range(new.n_rows))
    stay = np.ones(milp.n_rows, bool)
    stay[rows[~keep]] = False
    for row in np.flatnonzero(stay).tolist():
        assert np.array_equal(new.row(row), milp.row(row))
    assert freedom.antichain <= discover([new]).antichain | {
        key for key in freedom.antichain if key not in row_groups(new).keys
    }
    for groups, degrees, levels in (
        (row_groups(milp), new.row_degrees, freedom.rows),
        (column_groups(milp), new.col_degrees, freedom.cols),
    ):
        for g, key in enumerate(groups.keys):
            assert set(degrees[groups.of == g].tolist()) <= levels[key]
    assert moved > 0 or share < 1.0
    before, after = (_by_block(m, milp) for m in (milp, new))
    assert before == after


def _by_block(milp: Milp, template: Milp) -> dict[tuple[int, int], list[float]]:
    """The coefficients of each block, by the template's groups."""
    rows, cols = row_groups(template), column_groups(template)
    found: dict[tuple[int, int], list[float]] = {}
    for r, c, v in zip(milp.entry_rows, milp.indices, milp.values, strict=True):
        found.setdefault((int(rows.of[r]), int(cols.of[c])), []).append(float(v))
    return {key: sorted(values) for key, values in found.items()}


def test_degrees_of_an_empty_side_stay():
    milp = covering((np.random.default_rng(0).random((20, 15)) < 0.4).astype(np.int64))
    free = all_free(milp)
    shares = free.blocks[ROWS, COLS].rows
    rows = np.arange(20)
    for block, rows_stay in ((Block({}, shares), True), (Block(shares, {}), False)):
        how = Freedom({(ROWS, COLS): block}, free.rows, free.cols, frozenset())
        patch, moved = transfer(milp, rows, np.random.default_rng(0), how)
        new = replace_rows(milp, patch)
        assert moved
        assert np.array_equal(new.row_degrees, milp.row_degrees) == rows_stay
        assert np.array_equal(new.col_degrees, milp.col_degrees) != rows_stay


def test_degrees_that_were_never_seen_stay():
    milp = covering((np.random.default_rng(0).random((20, 15)) < 0.4).astype(np.int64))
    free = all_free(milp)
    far = Block({90: 0.5, 91: 0.5}, {90: 0.5, 91: 0.5})
    patch, moved = transfer(
        milp,
        np.arange(20),
        np.random.default_rng(0),
        Freedom({(ROWS, COLS): far}, free.rows, free.cols, frozenset()),
    )
    assert moved == 0
    assert np.array_equal(patch.indices, milp.indices[entries_of(milp, patch.rows)])
