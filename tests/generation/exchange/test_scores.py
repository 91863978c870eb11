"""Scored exchanges: the right distribution, the same moves in C++ and Python."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from g2milp.errors import UsageError
from g2milp.generation.exchange import engine
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.scores import Scores
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make

needs_native = pytest.mark.skipif(engine.native is None, reason="built without a compiler")


def drawn_scores(seed: int, k: int, n: int, *, form: str, width: int = 5) -> Scores:
    rng = np.random.default_rng(seed)
    rows, cols = rng.normal(size=(k, width)), rng.normal(size=(n, width))
    weights = rng.normal(size=width).astype(np.float32) if form == "network" else None
    pairs = None
    if form == "pairs":
        given = csr_array(np.where(rng.random((k, n)) < 0.4, rng.normal(size=(k, n)), 0.0))
        given.sort_indices()
        pairs = csr_array((given.data.astype(np.float32), given.indices, given.indptr), (k, n))
    return Scores(rows.astype(np.float32), cols.astype(np.float32), weights, pairs)


def table(scores: Scores) -> np.ndarray:
    """All scores at once, by other means than `Scores.of`."""
    rows, cols = scores.rows.astype(float), scores.cols.astype(float)
    if scores.pairs is not None:
        given = scores.pairs.toarray()
        return np.where(given != 0, given, rows @ cols.T)
    if scores.weights is None:
        return rows @ cols.T
    return np.maximum(rows[:, None] + cols[None], 0.0) @ scores.weights.astype(float)


@pytest.mark.parametrize("form", ["network", "bilinear", "pairs"])
def test_a_score_is_what_the_formula_says(form: str) -> None:
    scores = drawn_scores(1, 4, 6, form=form)
    assert np.allclose(
        [[scores.of(i, j) for j in range(6)] for i in range(4)], table(scores), atol=1e-5
    )


@needs_native
@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000), st.sampled_from(["network", "bilinear", "pairs"]), st.floats(0.05, 5.0)
)
def test_native_equals_python(seed: int, form: str, temperature: float) -> None:
    milp = make("mis", seed=seed, n_nodes=30, affinity=2)
    masked = np.random.default_rng(seed).permutation(milp.n_rows)[: milp.n_rows // 2]
    scores = drawn_scores(seed, masked.size, milp.n_cols, form=form)
    (patch, moves), (other, other_moves) = (
        exchange(
            milp,
            masked,
            np.random.default_rng(seed),
            invariants=None,
            scores=scores,
            temperature=temperature,
            use_native=native,
        )
        for native in (True, False)
    )
    assert moves == other_moves
    assert patch.indices.tobytes() == other.indices.tobytes()


@pytest.mark.parametrize("form", ["network", "bilinear", "pairs"])
def test_arrangements_come_in_proportion_to_their_score(form: str) -> None:
    """All arrangements of two ones a row, (2, 2, 1, 1) a column, against exp(Σ s / T)."""
    n_rows, n_cols, wanted = 3, 4, (2, 2, 1, 1)
    pairs = list(itertools.combinations(range(n_cols), 2))
    states = [
        state
        for state in itertools.product(pairs, repeat=n_rows)
        if np.array_equal(np.bincount(np.ravel(state), minlength=n_cols), wanted)
    ]
    milp = Milp.build(
        objective=np.ones(n_cols),
        indptr=np.arange(n_rows + 1) * 2,
        indices=np.ravel(states[0]),
        values=np.ones(2 * n_rows),
        row_lower=np.full(n_rows, -np.inf),
        row_upper=np.ones(n_rows),
    )
    scores = drawn_scores(3, n_rows, n_cols, form=form)
    s, temperature = table(scores), 1.5
    weight = np.array(
        [
            np.exp(sum(s[r, list(cols)].sum() for r, cols in enumerate(x)) / temperature)
            for x in states
        ]
    )
    chances = weight / weight.sum()
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    total = 4000
    for seed in range(total):
        patch, _ = exchange(
            milp,
            np.arange(n_rows),
            np.random.default_rng(seed),
            invariants=None,
            typed=False,
            effort=25.0,
            scores=scores,
            temperature=temperature,
        )
        found[tuple(tuple(sorted(cols)) for cols in patch.indices.reshape(n_rows, 2).tolist())] += 1
    assert set(found) <= set(states)
    seen = np.array([found[state] for state in states])
    chi_square = float(((seen - total * chances) ** 2 / (total * chances)).sum())
    freedom = len(states) - 1
    assert chances.max() > 3 * chances.min()
    assert chi_square < freedom + 4 * np.sqrt(2 * freedom)


def test_the_score_rises_as_the_temperature_falls() -> None:
    milp = make("setcover", seed=0, n_rows=40, n_cols=60, density=0.1)
    masked = np.arange(0, 40, 2)
    scores = drawn_scores(0, masked.size, milp.n_cols, form="network")
    s = table(scores)
    sums = []
    for temperature in (100.0, 1.0, 0.01):
        patch, _ = exchange(
            milp,
            masked,
            np.random.default_rng(0),
            invariants=None,
            scores=scores,
            temperature=temperature,
        )
        numbers = np.repeat(np.arange(masked.size), np.diff(patch.indptr))
        sums.append(float(s[numbers, patch.indices].sum()))
    assert sums[0] < sums[1] < sums[2]


def test_scores_that_do_not_fit_are_refused() -> None:
    milp = make("mis", seed=0, n_nodes=20, affinity=2)
    masked, rng = np.arange(4), np.random.default_rng(0)
    fine = drawn_scores(0, 4, milp.n_cols, form="network")
    broken = Scores(np.full_like(fine.rows, np.nan), fine.cols, fine.weights)
    for scores in (drawn_scores(0, 3, milp.n_cols, form="network"), broken):
        with pytest.raises(UsageError):
            exchange(milp, masked, rng, invariants=None, scores=scores)
    for temperature in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(UsageError):
            exchange(milp, masked, rng, invariants=None, scores=fine, temperature=temperature)


def test_what_may_not_move_stays() -> None:
    milp = make("setcover", seed=0, n_rows=40, n_cols=60, density=0.1)
    masked = np.arange(0, 40, 2)
    entries = int(milp.row_degrees[masked].sum())
    movable = np.random.default_rng(1).random(entries) < 0.5
    patch, moves = exchange(
        milp, masked, np.random.default_rng(0), invariants=None, typed=False, movable=movable
    )
    before = np.concatenate([milp.row(int(i))[0] for i in masked])
    assert np.array_equal(patch.indices[~movable], before[~movable])
    assert moves.exchanged > 0
    assert (patch.indices[movable] != before[movable]).mean() > 0.5
