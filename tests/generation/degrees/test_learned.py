"""Where degrees are free, where they are not, and what of it comes back from a file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from g2milp.errors import DamagedArtifact
from g2milp.generation.degrees.learned import MAX_DEGREE, Degrees
from g2milp.generation.exchange.invariants import discover
from g2milp.generation.exchange.structure import discover_structure
from g2milp.generation.values.learned import Values
from g2milp.instance.edit import ColumnPatch, RowPatch, replace_columns, replace_rows
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make_many

SMALL = {"n_rows": 60, "n_cols": 90, "density": 0.1}


def learned(milps: list[Milp]) -> Degrees:
    values, invariants = Values.learn(milps, discover(milps))
    return Degrees.learn(milps, invariants, discover_structure(milps, invariants), values)


def covers(n: int = 8, **sizes: object) -> list[Milp]:
    return list(make_many("setcover", n, 0, **{**SMALL, **sizes}))


def with_sides(milp: Milp, lower: np.ndarray, upper: np.ndarray | None = None) -> Milp:
    rows = np.arange(milp.n_rows)
    upper = milp.row_upper if upper is None else upper
    return replace_rows(
        milp,
        RowPatch(
            rows=rows,
            lower=lower,
            upper=upper,
            indptr=milp.indptr,
            indices=milp.indices,
            values=milp.values,
        ),
    )


@pytest.fixture(scope="module")
def free() -> Degrees:
    return learned(covers())


def test_degrees_of_set_covers_are_free_and_stay_of_the_family(free):
    assert free
    assert len(free.describe()) == 2
    milps = covers(20)
    rows = np.arange(60)
    made = [free.redrawn(m, rows, np.random.default_rng(k))[0] for k, m in enumerate(milps)]
    for side in ("row_degrees", "col_degrees"):
        old, new = (np.array([getattr(m, side) for m in group]) for group in (milps, made))
        assert (old != new).mean() > 0.6
        assert abs(old.std(axis=1).mean() - new.std(axis=1).mean()) < 4.0 * old.std(
            axis=1
        ).std() / np.sqrt(len(milps))
        assert new.min() >= old.min()


@pytest.mark.parametrize(
    ("family", "sizes"),
    [
        ("mis", {"n_nodes": 60, "affinity": 3}),
        ("mik", {"n_integers": 40, "n_continuous": 4, "n_knapsacks": 5}),
        ("auction", {"n_items": 30, "n_bids": 80}),
        ("facility", {"n_customers": 8, "n_facilities": 8}),
        ("gisp", {"n_nodes": 30}),
    ],
)
def test_what_binds_entries_binds_degrees(family, sizes):
    milps = list(make_many(family, 8, 0, **sizes))
    assert not learned(milps)
    new, moved = learned(milps).redrawn(milps[0], np.arange(5), np.random.default_rng(0))
    assert new is milps[0]
    assert moved == 0


def test_costs_that_follow_degrees_hold_them():
    noise = np.random.default_rng(0)
    milps = [
        replace_columns(
            m,
            ColumnPatch(
                cols=np.arange(m.n_cols),
                objective=10.0 * m.col_degrees + noise.integers(0, 9, m.n_cols),
            ),
        )
        for m in covers()
    ]
    assert not learned(milps)


def test_sides_that_follow_degrees_hold_them():
    assert not learned([with_sides(m, np.ceil(m.row_degrees / 3.0)) for m in covers()])


def test_balances_are_held():
    assert not learned([with_sides(m, m.row_lower, m.row_lower) for m in covers()])


def test_degrees_that_come_from_sizes_are_held():
    assert not learned([*covers(4, density=0.06), *covers(4, density=0.3)])


def test_one_instance_shows_what_is_free(free):
    alone = learned(list(make_many("setcover", 1, 1, **SMALL)))
    assert alone
    assert alone.freedom.blocks.keys() == free.freedom.blocks.keys()


def test_json_round_trip(free):
    again = Degrees.from_json(json.loads(json.dumps(free.as_json())), "here")
    assert again == free
    assert Degrees.from_json(Degrees().as_json(), "here") == Degrees()


def _hostile(good: dict) -> list[object]:
    block = good["blocks"][0]

    def with_shares(shares: object) -> dict:
        return {**good, "blocks": [[block[0], block[1], shares, block[3]]]}

    return [
        None,
        [],
        "much",
        {},
        *({key: v for key, v in good.items() if key != name} for name in good),
        {**good, "blocks": [block[:3]]},
        {**good, "blocks": None},
        {**good, "rows": {}},
        {**good, "cols": {block[1]: [1.5]}},
        {**good, "cols": {block[1]: [2, 2]}},
        {**good, "cols": {block[1]: []}},
        {**good, "rows": {block[0]: [MAX_DEGREE]}},
        {**good, "antichain": [3]},
        {**good, "antichain": "rows"},
        with_shares([[1, 0.0]]),
        with_shares([[1, float("nan")]]),
        with_shares([[1, 2.0]]),
        with_shares([[-1, 0.5]]),
        with_shares([[10**18, 0.5]]),
        with_shares([[1, 0.5], [1, 0.5]]),
        with_shares([[True, 0.5]]),
        with_shares([[1]]),
        with_shares([["1", 0.5]]),
        with_shares("ab"),
        with_shares({"1": 0.5}),
    ]


def test_everything_else_is_refused(free):
    for hostile in _hostile(free.as_json()):
        with pytest.raises(DamagedArtifact, match="degrees"):
            Degrees.from_json(hostile, "statistics.json")
