"""The exchanges keep what they promise, and the native loop does what the Python one does."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.generation.exchange import engine
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.groups import column_groups, row_groups
from g2milp.generation.exchange.invariants import Invariants, discover
from g2milp.instance.edit import replace_rows
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make, make_many

needs_native = pytest.mark.skipif(engine.native is None, reason="built without a compiler")


def random_milp(seed: int, *, n_rows: int = 12, n_cols: int = 10) -> Milp:
    rng = np.random.default_rng(seed)
    dense = rng.integers(-3, 4, (n_rows, n_cols)) * (rng.random((n_rows, n_cols)) < 0.4)
    rows, cols = np.nonzero(dense)
    upper = rng.choice([1.0, 10.0, 200.0], n_rows)
    return Milp.build(
        objective=rng.integers(-5, 6, n_cols),
        indptr=np.concatenate([[0], np.cumsum((dense != 0).sum(axis=1))]),
        indices=cols,
        values=dense[rows, cols],
        row_lower=np.where(rng.random(n_rows) < 0.2, upper, -np.inf),
        row_upper=upper,
        col_upper=rng.choice([1.0, 5.0, np.inf], n_cols),
        kinds=rng.integers(0, 2, n_cols),
    )


def redrawn(milp: Milp, seed: int, **how: object) -> tuple[Milp, np.ndarray]:
    rng = np.random.default_rng(seed)
    masked = np.sort(rng.choice(milp.n_rows, max(2, milp.n_rows // 2), replace=False))
    patch, _ = exchange(milp, masked, rng, **how)  # type: ignore[arg-type]
    return replace_rows(milp, patch), masked


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.booleans())
def test_degrees_sides_and_unmasked_rows_stay(seed: int, typed: bool, simple: bool) -> None:
    milp = random_milp(seed)
    invariants = discover([milp]) if simple else None
    new, masked = redrawn(milp, seed, invariants=invariants, typed=typed)
    assert np.array_equal(new.row_degrees, milp.row_degrees)
    assert np.array_equal(new.col_degrees, milp.col_degrees)
    assert np.array_equal(new.row_upper, milp.row_upper)
    assert Counter(new.values.tolist()) == Counter(milp.values.tolist())
    for i in np.setdiff1d(np.arange(milp.n_rows), masked):
        assert new.row(i)[0].tobytes() == milp.row(i)[0].tobytes()
        assert new.row(i)[1].tobytes() == milp.row(i)[1].tobytes()


@needs_native
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.booleans())
def test_native_equals_python(seed: int, typed: bool, simple: bool) -> None:
    milp = random_milp(seed)
    invariants = discover([milp]) if simple else None
    masked = np.arange(milp.n_rows)
    results = [
        exchange(
            milp,
            masked,
            np.random.default_rng(seed),
            invariants=invariants,
            typed=typed,
            use_native=native,
        )
        for native in (True, False)
    ]
    (patch, moves), (other, other_moves) = results
    assert moves == other_moves
    assert patch.indices.tobytes() == other.indices.tobytes()
    assert patch.values.tobytes() == other.values.tobytes()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_discovered_invariants_survive(seed: int) -> None:
    """What `discover` finds in an instance it finds again after the exchange."""
    milp = random_milp(seed, n_rows=16, n_cols=14)
    before = discover([milp])
    new, _ = redrawn(milp, seed, invariants=before, typed=True)
    # Medians of columns may move between groups; judge by the old groups.
    groups, columns = row_groups(milp), column_groups(milp)
    assert np.array_equal(groups.of, row_groups(new).of)
    after = discover([new])
    assert before.single_overlap <= after.single_overlap
    assert before.antichain <= after.antichain
    for g, key in enumerate(groups.keys):
        for c, column_key in enumerate(columns.keys):
            if before.blocks.get((key, column_key)) == "constant":
                inside = (groups.of[new.entry_rows] == g) & (columns.of[new.indices] == c)
                assert np.unique(new.values[inside]).size <= 1


def test_conflict_pairs_of_independent_sets_stand_once() -> None:
    """MIS: 1984 distinct conflict edges before and after, none twice, no duplicate rows."""
    milps = list(make_many("mis", 4, seed=3))
    invariants = discover(milps)
    assert len(invariants.single_overlap) == 1
    for k, milp in enumerate(milps):
        new, _ = redrawn(milp, k, invariants=invariants)
        pairs = Counter(
            (int(c), int(d))
            for i in range(new.n_rows)
            for n, c in enumerate(new.row(i)[0])
            for d in new.row(i)[0][:n]
        )
        assert len(pairs) == 1984
        assert set(pairs.values()) == {1}
        assert new != milp


def test_coefficients_of_the_variable_follow_it() -> None:
    """Each column has one coefficient everywhere (a shared demand), before and after."""
    rng = np.random.default_rng(0)
    demand = rng.integers(11, 99, 30).astype(float)
    cols = np.stack([rng.choice(30, 6, replace=False) for _ in range(20)])
    milp = Milp.build(
        objective=np.ones(30),
        indptr=np.arange(21) * 6,
        indices=cols.ravel(),
        values=demand[cols.ravel()],
        row_lower=np.full(20, -np.inf),
        row_upper=np.full(20, 150.0),
        kinds=np.ones(30),
        col_upper=np.ones(30),
    )
    invariants = discover([milp])
    assert "by column" in invariants.blocks.values()
    new, _ = redrawn(milp, 1, invariants=invariants)
    assert new != milp
    assert np.array_equal(new.values, demand[new.indices])


def test_invariants_survive_json_and_refuse_nonsense() -> None:
    from g2milp.errors import DamagedArtifact

    invariants = discover([make("setcover", seed=0, n_rows=30, n_cols=60, density=0.1)])
    assert Invariants.from_dict(invariants.to_dict()) == invariants
    assert invariants.describe()
    for broken in ({}, {"single_overlap": [1], "antichain": [], "blocks": []}, {"blocks": 3}):
        with pytest.raises(DamagedArtifact):
            Invariants.from_dict(broken)
    values = invariants.to_dict() | {"blocks": [["a", "b", "sometimes"]]}
    with pytest.raises(DamagedArtifact):
        Invariants.from_dict(values)


def test_same_seed_same_bytes() -> None:
    milp = random_milp(7)
    first, _ = redrawn(milp, 5, invariants=None)
    second, _ = redrawn(milp, 5, invariants=None)
    third, _ = redrawn(milp, 6, invariants=None)
    assert first == second
    assert first != third
