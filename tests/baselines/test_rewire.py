"""Rewire: what it keeps, what it changes, what it says of the rules that it found."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.baselines.rewire import Rewire
from g2milp.errors import DamagedArtifact, NotFitted, UsageError
from g2milp.generation.exchange.invariants import Invariants
from g2milp.generation.exchange.peeling import peel
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make_many
from g2milp.testing import random_milp

FAMILIES = {
    "mis": {"n_nodes": 60},
    "setcover": {"n_rows": 30, "n_cols": 50, "density": 0.15},
    "mik": {"n_integers": 30, "n_continuous": 3, "n_knapsacks": 5},
}


@pytest.fixture(scope="module")
def data() -> dict[str, list[Milp]]:
    return {name: list(make_many(name, 3, seed=0, **how)) for name, how in FAMILIES.items()}


@pytest.mark.parametrize("settings", [{}, {"typed": False}, {"typed": False, "simple": False}])
@pytest.mark.parametrize("family", FAMILIES)
def test_degrees_sides_and_coefficients_stay(
    family: str, settings: dict[str, bool], data: dict[str, list[Milp]]
) -> None:
    generator = Rewire(**settings).fit(data[family])
    for sample in generator.sample(4, seed=1, mask_ratio=0.5).samples:
        template, made = data[family][int(sample.template_name)], sample.milp
        assert np.array_equal(made.row_degrees, template.row_degrees)
        assert np.array_equal(made.col_degrees, template.col_degrees)
        assert np.array_equal(made.row_upper, template.row_upper)
        assert np.array_equal(np.sort(made.values), np.sort(template.values))
        assert sample.record["changed_rows"] > 0
        assert set(sample.record["notes"]) == {"exchanges", "permutations", "refused"}


def test_exchanges_are_counted_only_where_something_changed() -> None:
    """Two rows of one column each: whatever is exchanged, the instance is isomorphic."""
    milp = Milp.build(
        objective=[1.0, 1.0],
        indptr=[0, 1, 2],
        indices=[0, 1],
        values=[1.0, 1.0],
        row_lower=[-np.inf] * 2,
        row_upper=[1.0, 1.0],
        col_upper=[1.0, 1.0],
    )
    for sample in Rewire(simple=False).fit([milp]).sample(6, mask_ratio=1.0).samples:
        assert sample.record["changed_rows"] == 0
        assert sample.record["same_as"] == "0"


def test_swaps_that_give_an_isomorphic_instance_are_no_change() -> None:
    """Ten pairs of equal columns: exchanged a hundred times they are ten pairs again."""
    milp = Milp.build(
        objective=np.ones(20),
        indptr=np.arange(0, 21, 2),
        indices=np.arange(20),
        values=np.ones(20),
        row_lower=np.full(10, -np.inf),
        row_upper=np.ones(10),
        col_upper=np.ones(20),
    )
    for sample in Rewire().fit([milp]).sample(3, mask_ratio=1.0).samples:
        assert sample.record["notes"]["exchanges"] > 20
        assert sample.record["changed_rows"] == 0
        assert sample.record["same_as"] == "0"


def test_independent_sets_stay_simple(data: dict[str, list[Milp]]) -> None:
    """No conflict stands twice, as in training; without the rules some do."""

    def repeated(milps: list[Milp]) -> int:
        count = 0
        for milp in milps:
            rows = milp.matrix().astype(bool).astype(int)
            shared = (rows @ rows.T).tocoo()
            apart = shared.coords[0] < shared.coords[1]
            count += int((shared.data[apart] > 1).sum())
        return count

    assert repeated(data["mis"]) == 0
    cases = (({}, False), ({"typed": False}, False), ({"simple": False}, True))
    for settings, expected in cases:
        made = Rewire(**settings).fit(data["mis"]).sample(8, seed=0, mask_ratio=0.5)
        assert (repeated(list(made)) > 0) is expected


def test_like_is_exchanged_with_like(data: dict[str, list[Milp]]) -> None:
    """In knapsacks the binary jump column of a row stays one, whatever is exchanged."""
    for sample in Rewire().fit(data["mik"]).sample(4, seed=0, mask_ratio=1.0).samples:
        made = sample.milp
        binary = made.is_binary
        of_row = np.bincount(made.entry_rows[binary[made.indices]], minlength=made.n_rows)
        template = data["mik"][int(sample.template_name)]
        before = np.bincount(
            template.entry_rows[template.is_binary[template.indices]], minlength=template.n_rows
        )
        assert np.array_equal(of_row, before)


def test_rules_are_told(data: dict[str, list[Milp]]) -> None:
    with pytest.raises(NotFitted):
        Rewire().describe()
    told = Rewire().fit(data["mis"]).describe()
    assert any("share" in line for line in told)
    assert any("coefficients are equal" in line for line in told)
    untyped = Rewire(typed=False).fit(data["mis"]).describe()
    assert untyped == [
        "rows 'any': two of them never share two variables",
        "rows 'any', columns 'any': all coefficients are equal",
    ]
    bounds = Rewire().fit(data["mik"]).describe()
    assert any("single': no variable stands in two" in line for line in bounds)
    assert Rewire(simple=False).fit(data["mis"]).describe() == []


def test_one_instance_suffices(data: dict[str, list[Milp]]) -> None:
    (sample,) = Rewire().fit(data["mis"][:1]).sample(1, mask_ratio=0.3).samples
    assert sample.record["changed_rows"] > 0


def test_any_instance_is_rewired_without_harm() -> None:
    rng = np.random.default_rng(5)
    data = [random_milp(rng, n_rows=30, n_cols=20) for _ in range(3)]
    for milp in Rewire().fit(data).sample(6, mask_ratio=1.0):
        milp.check_numbers()


def test_more_effort_more_moves(data: dict[str, list[Milp]]) -> None:
    moved = []
    for effort in (0.1, 20.0):
        (sample,) = Rewire(effort=effort).fit(data["setcover"]).sample(1, mask_ratio=0.5).samples
        moved.append(sample.record["notes"]["exchanges"])
    assert moved[1] > 10 * moved[0]


@pytest.mark.parametrize("effort", [0.0, -1.0, 1e9, float("nan")])
def test_impossible_effort_is_refused(effort: float) -> None:
    with pytest.raises(UsageError):
        Rewire(effort=effort)


def test_states_are_checked(data: dict[str, list[Milp]]) -> None:
    arrays, values = Rewire().fit(data["mis"])._state()
    again = Rewire._from_state(arrays, values)
    assert again.invariants_ == Invariants.from_dict(values["invariants"])
    for name in ("typed", "effort", "invariants"):
        with pytest.raises(DamagedArtifact):
            Rewire._from_state(arrays, {k: v for k, v in values.items() if k != name})
    with pytest.raises(DamagedArtifact):
        Rewire._from_state(arrays, {**values, "invariants": {"blocks": 3}})


def unevenness(milp: Milp) -> float:
    """Sum of squared rests of the peeling: small where the conflict graph grew node by node."""
    _, rests = peel(milp, np.ones(milp.n_rows, bool), np.zeros(milp.n_cols))
    return float(np.square(rests.astype(float)).sum())


def test_the_order_of_conflict_graphs_stays_unless_switched_off(tmp_path) -> None:
    milps = list(make_many("mis", 6, seed=0, n_nodes=120))
    kept, free = (Rewire(order=order).fit(milps) for order in (True, False))
    assert any("comes apart in an order" in rule for rule in kept.describe())
    assert not any("comes apart in an order" in rule for rule in free.describe())
    kept.save(tmp_path / "run")
    assert Rewire.load(tmp_path / "run").describe() == kept.describe()
    for generator, stays in ((kept, True), (free, False)):
        for sample in generator.sample(4, seed=1, mask_ratio=0.5).samples:
            before = unevenness(milps[int(sample.template_name)])
            assert (unevenness(sample.milp) <= before) == stays
