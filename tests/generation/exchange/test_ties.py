"""Rows that share data: what is found in facility location and auctions, and that it stays."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange import engine
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.invariants import Invariants, discover
from g2milp.generation.exchange.structure import Structure, discover_structure
from g2milp.instance.edit import replace_rows
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make

SIZES = {
    "facility": {"n_customers": 9, "n_facilities": 8},
    "auction": {"n_items": 30, "n_bids": 80},
}


@cache
def family(name: str) -> tuple[tuple[Milp, ...], Invariants, Structure]:
    milps = tuple(make(name, seed=s, **SIZES[name]) for s in range(4))
    invariants = discover(milps)
    structure = discover_structure(milps, invariants)
    assert structure.fine is not None
    return milps, invariants, structure


def exchanged(
    name: str, seed: int, share: float, *, effort: float = 30.0, native: bool = True
) -> tuple[Milp, Milp]:
    milps, invariants, structure = family(name)
    milp = milps[seed % len(milps)]
    rng = np.random.default_rng(seed)
    masked = np.sort(rng.choice(milp.n_rows, round(share * milp.n_rows), replace=False))
    patch, _ = exchange(
        milp,
        masked,
        rng,
        invariants=invariants,
        structure=structure,
        effort=effort,
        use_native=native,
    )
    new = replace_rows(milp, patch)
    for i in np.setdiff1d(np.arange(milp.n_rows), masked).tolist():
        assert new.row(i)[0].tobytes() == milp.row(i)[0].tobytes()
        assert new.row(i)[1].tobytes() == milp.row(i)[1].tobytes()
    return milp, new


def rows_by_kind(milp: Milp) -> dict[str, list[dict[int, float]]]:
    """Rows as {column: coefficient}, by the first word of their name."""
    kinds: dict[str, list[dict[int, float]]] = {}
    for i, name in enumerate(milp.row_names):
        cols, values = milp.row(i)
        row = dict(zip(cols.tolist(), values.tolist(), strict=True))
        kinds.setdefault(name.split("_")[0], []).append(row)
    return kinds


def shared_pairs(milp: Milp) -> int:
    pairs: Counter[tuple[int, int]] = Counter()
    for i in range(milp.n_rows):
        pairs.update(itertools.combinations(milp.row(i)[0].tolist(), 2))
    return sum(times * (times - 1) // 2 for times in pairs.values())


def test_demands_and_capacities_are_found() -> None:
    _, _, structure = family("facility")
    kinds = {(tie.kind, tie.row.split(" of")[0], tie.key.split(" of")[0]) for tie in structure.ties}
    assert kinds == {("by row of", "≤0", "≥1e0"), ("as in", "≥1e2", "≤0")}
    assert len(structure.describe()) > 3


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.2, 1.0))
def test_a_facility_location_stays_one(seed: int, share: float) -> None:
    """Every law of the model, read off the new instance."""
    milp, new = exchanged("facility", seed, share)
    rows = rows_by_kind(new)
    x = [c for c, name in enumerate(new.col_names) if name.startswith("x")]
    served = {c: i for i, row in enumerate(rows["serve"]) for c in row}
    given_by = {c: j for j, row in enumerate(rows["capacity"]) for c in row if c in served}
    assert sorted(served) == sorted(given_by) == x
    assert len({(served[c], given_by[c]) for c in x}) == len(x)
    demand: dict[int, set[float]] = {}
    for c in x:
        demand.setdefault(served[c], set()).add(rows["capacity"][given_by[c]][c])
    assert all(len(values) == 1 for values in demand.values())
    linked = Counter(c for row in rows["open"] for c in row if c in served)
    assert set(linked.values()) == {1}
    for row in rows["open"]:
        (c,) = (c for c in row if c in served)
        (y,) = (c for c in row if c not in served)
        assert y in rows["capacity"][given_by[c]]
    capacities = {c: -v for row in rows["capacity"] for c, v in row.items() if c not in served}
    assert capacities == rows["total"][0]
    assert Counter(new.values.tolist()) == Counter(milp.values.tolist())


def test_the_tied_exchange_moves_something_and_the_typed_one_breaks_it() -> None:
    milp, new = exchanged("facility", 0, 1.0)
    assert new != milp
    milps, invariants, _ = family("facility")
    patch, _ = exchange(
        milps[0], np.arange(milp.n_rows), np.random.default_rng(0), invariants=invariants
    )
    assert shared_pairs(replace_rows(milps[0], patch)) < shared_pairs(milps[0])


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 1.0), st.sampled_from(sorted(SIZES)))
def test_as_many_pairs_stay_shared(seed: int, share: float, name: str) -> None:
    milp, new = exchanged(name, seed, share)
    assert shared_pairs(new) == shared_pairs(milp)
    assert np.array_equal(new.row_degrees, milp.row_degrees)
    assert np.array_equal(new.col_degrees, milp.col_degrees)


@pytest.mark.skipif(engine.native is None, reason="built without a compiler")
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(sorted(SIZES)))
def test_native_equals_python(seed: int, name: str) -> None:
    _, one = exchanged(name, seed, 0.6, effort=10.0)
    _, other = exchanged(name, seed, 0.6, effort=10.0, native=False)
    assert one.indices.tobytes() == other.indices.tobytes()
    assert one.values.tobytes() == other.values.tobytes()


def test_auctions_are_woven_and_change() -> None:
    _, _, structure = family("auction")
    assert not structure.ties
    milp, new = exchanged("auction", 1, 0.5)
    assert new != milp


def test_structure_survives_json_and_refuses_nonsense() -> None:
    _, _, structure = family("facility")
    values = structure.to_dict()
    assert Structure.from_dict(values) == structure
    for broken in (
        values | {"ties": [["a", "b", "c", "sometimes"]]},
        values | {"ties": [["a", "b"]]},
        values | {"fine": {}},
        values | {"peeled": [1]},
        {},
    ):
        with pytest.raises(DamagedArtifact):
            Structure.from_dict(broken)
