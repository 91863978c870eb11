"""Peeling orders: found where graphs grew, kept by the exchange, judged by networkx."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange import peeling
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.invariants import discover
from g2milp.generation.exchange.peeling import peel
from g2milp.generation.exchange.structure import Structure, discover_structure
from g2milp.instance.edit import replace_rows
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make

needs_native = pytest.mark.skipif(peeling.native is None, reason="built without a compiler")


def conflict_graph(milp: Milp) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(milp.n_cols))
    for i in range(milp.n_rows):
        cols = milp.row(i)[0].tolist()
        graph.add_edges_from((c, d) for k, c in enumerate(cols) for d in cols[:k])
    return graph


def degeneracy(milp: Milp) -> int:
    return max(nx.core_number(conflict_graph(milp)).values())


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 5))
def test_the_largest_rest_is_the_degeneracy(seed: int, affinity: int) -> None:
    milp = make("mis", seed=seed, n_nodes=40, affinity=affinity)
    luck = np.random.default_rng(seed).random(milp.n_cols)
    turn, rest = peel(milp, np.ones(milp.n_rows, bool), luck)
    graph = conflict_graph(milp)
    assert sorted(turn.tolist()) == list(range(milp.n_cols))
    assert rest.max() == degeneracy(milp)
    later = [sum(turn[d] > turn[c] for d in graph[c]) for c in range(milp.n_cols)]
    assert later == rest.tolist()


@needs_native
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(0.0, 1.0))
def test_native_peels_like_python(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    milp = make("setcover", seed=seed, n_rows=20, n_cols=25, density=0.15)
    rows, luck = rng.random(milp.n_rows) < share, np.round(rng.random(milp.n_cols), 1)
    for mine, other in zip(
        peel(milp, rows, luck), peel(milp, rows, luck, use_native=False), strict=True
    ):
        assert mine.tobytes() == other.tobytes()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.floats(0.1, 1.0))
def test_what_is_peeled_stays_as_thin(seed: int, share: float) -> None:
    """Degeneracy, conflict degrees and unmasked rows stay; the two versions agree."""
    milp = make("mis", seed=seed, n_nodes=60, affinity=3)
    invariants = discover([milp])
    structure = Structure(frozenset(invariants.single_overlap))
    rng = np.random.default_rng(seed)
    masked = np.sort(rng.choice(milp.n_rows, round(share * milp.n_rows), replace=False))
    (patch, moves), (other, _) = (
        exchange(
            milp,
            masked,
            np.random.default_rng(seed),
            invariants=invariants,
            structure=structure,
            use_native=native,
        )
        for native in (True, False)
    )
    assert patch.indices.tobytes() == other.indices.tobytes()
    new = replace_rows(milp, patch)
    assert moves.exchanged > 0
    assert degeneracy(new) <= degeneracy(milp)
    before, after = conflict_graph(milp), conflict_graph(new)
    assert dict(before.degree) == dict(after.degree)
    assert after.number_of_edges() == before.number_of_edges()
    for i in np.setdiff1d(np.arange(milp.n_rows), masked).tolist():
        assert new.row(i)[0].tobytes() == milp.row(i)[0].tobytes()


def test_free_exchanges_thicken_the_core_and_structured_ones_do_not() -> None:
    milps = [make("mis", seed=s, n_nodes=200) for s in range(3)]
    invariants = discover(milps)
    structure = discover_structure(milps, invariants)
    assert structure.peeled == invariants.single_overlap
    assert structure.describe()
    found: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for seed, milp in enumerate(milps):
        for kept in (True, False):
            patch, _ = exchange(
                milp,
                np.arange(milp.n_rows),
                np.random.default_rng(seed),
                invariants=invariants,
                structure=structure if kept else None,
            )
            found[kept][degeneracy(replace_rows(milp, patch))] += 1
    assert found == {True: Counter({4: 3}), False: Counter({5: 3})}


@pytest.mark.parametrize(
    ("family", "sizes"),
    [
        ("setcover", {"n_rows": 40, "n_cols": 60, "density": 0.1}),
        ("mik", {"n_integers": 40, "n_continuous": 3, "n_knapsacks": 8}),
        ("gisp", {"n_nodes": 40}),
    ],
)
def test_families_without_an_order_have_none(family: str, sizes: dict[str, int]) -> None:
    milps = [make(family, seed=s, **sizes) for s in range(4)]
    assert discover_structure(milps, discover(milps)) == Structure()


def test_structure_survives_json_and_refuses_nonsense() -> None:
    structure = Structure(frozenset({"≤1e0"}))
    assert Structure.from_dict(structure.to_dict()) == structure
    for broken in ({}, structure.to_dict() | {"peeled": "≤1e0"}, 3):
        with pytest.raises(DamagedArtifact):
            Structure.from_dict(broken)  # type: ignore[arg-type]
