"""Instances to other packages and back: nothing is lost that the other side can hold."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import InvalidMilp, NotAMilp
from g2milp.instance import convert
from g2milp.instance.milp import Kind, Milp, differing_fields

INF = float("inf")
VALUES = st.one_of(
    st.integers(-50, 50).map(float), st.floats(-1e6, 1e6).filter(lambda v: abs(v) > 1e-6)
)


@st.composite
def milps(draw: st.DrawFn, kinds: int, whole_bounds: bool = False) -> Milp:
    n_rows, n_cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))

    def sides() -> tuple[float, float]:
        low, high = sorted([draw(VALUES), draw(VALUES)])
        return draw(st.sampled_from([(low, high), (-INF, high), (low, INF), (low, low)]))

    rows, cols = [sides() for _ in range(n_rows)], [sides() for _ in range(n_cols)]
    kind = draw(st.lists(st.integers(0, kinds - 1), min_size=n_cols, max_size=n_cols))
    matrix = [draw(VALUES) if draw(st.booleans()) else 0.0 for _ in range(n_rows * n_cols)]
    semi = np.array(kind) >= Kind.SEMI_CONTINUOUS
    if whole_bounds:
        cols = [(np.round(low), np.round(high)) for low, high in cols]
    return Milp.build(
        name=draw(st.sampled_from(["", "model"])),
        sense=draw(st.sampled_from(["min", "max"])),
        offset=draw(VALUES),
        objective=[draw(VALUES) for _ in range(n_cols)],
        col_lower=np.where(semi, 1.0, [low for low, _ in cols]),
        col_upper=np.where(semi, 1e3, [high for _, high in cols]),
        kinds=kind,
        row_lower=[low for low, _ in rows],
        row_upper=[high for _, high in rows],
        row_names=[f"row({i})" for i in range(n_rows)],
        col_names=[f"x[{j}]" for j in range(n_cols)],
        indptr=np.arange(n_rows + 1) * n_cols,
        indices=np.tile(np.arange(n_cols), n_rows),
        values=matrix,
    )


@settings(max_examples=60, deadline=None)
@given(milps(4))
def test_highs_keeps_everything(milp: Milp) -> None:
    assert differing_fields(convert.from_highs(convert.to_highs(milp)), milp) == []


@settings(max_examples=40, deadline=None)
@given(milps(2))
def test_scip_keeps_everything(milp: Milp) -> None:
    pytest.importorskip("pyscipopt")
    assert differing_fields(convert.from_scip(convert.to_scip(milp)), milp) == []


@pytest.fixture(scope="module")
def gurobi_env():
    gurobipy = pytest.importorskip("gurobipy")
    try:
        env = gurobipy.Env(params={"OutputFlag": 0})
    except gurobipy.GurobiError as error:
        pytest.skip(f"no licence: {error}")
    yield env
    env.dispose()


def test_gurobi_keeps_everything(gurobi_env) -> None:
    @settings(max_examples=40, deadline=None)
    @given(milps(4, whole_bounds=True))  # Gurobi rounds the bounds of integer variables
    def check(milp: Milp) -> None:
        model = convert.to_gurobi(milp, gurobi_env)
        assert differing_fields(convert.from_gurobi(model), milp) == []

    check()


def test_gurobi_sees_a_range_as_two_rows(gurobi_env) -> None:
    milp = Milp.build(
        objective=[1.0], indptr=[0, 1, 2], indices=[0, 0], values=[1.0, 2.0],
        row_lower=[1.0, -INF], row_upper=[4.0, INF], row_names=["range", "free"],
    )  # fmt: skip
    model = convert.to_gurobi(milp, gurobi_env)
    assert model.getAttr("ConstrName", model.getConstrs()) == ["range", "range_lower", "free"]
    assert convert.from_gurobi(model) == milp


def test_what_highs_would_drop_is_an_error() -> None:
    milp = Milp.build(
        objective=[1.0],
        indptr=[0, 1],
        indices=[0],
        values=[1e-13],
        row_lower=[0.0],
        row_upper=[1.0],
    )
    with pytest.raises(InvalidMilp, match="does not keep"):
        convert.to_highs(milp)


def test_scip_has_no_semi_continuous_variables() -> None:
    pytest.importorskip("pyscipopt")
    milp = Milp.build(
        objective=[1.0], kinds=[2], indptr=[0], indices=[], values=[], row_lower=[], row_upper=[]
    )
    with pytest.raises(InvalidMilp, match="semi-continuous"):
        convert.to_scip(milp)


def test_quadratic_models_are_named(gurobi_env) -> None:
    import gurobipy

    model = gurobipy.Model(env=gurobi_env)
    x = model.addVar()
    model.setObjective(x * x)
    with pytest.raises(NotAMilp, match="quadratic"):
        convert.from_gurobi(model)


def test_scip_models_with_other_constraints_are_named() -> None:
    pyscipopt = pytest.importorskip("pyscipopt")
    model = pyscipopt.Model()
    x = model.addVar("x")
    model.addCons(x * x <= 1)
    with pytest.raises(NotAMilp, match="nonlinear"):
        convert.from_scip(model)


def test_an_instance_without_rows() -> None:
    milp = Milp.build(
        objective=[1.0, 2.0], indptr=[0], indices=[], values=[], row_lower=[], row_upper=[]
    )
    assert convert.from_highs(convert.to_highs(milp)) == milp


def test_linopy() -> None:
    linopy = pytest.importorskip("linopy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = linopy.Model()
        x = model.add_variables(lower=0, upper=3, name="x", integer=True)
        y = model.add_variables(lower=-INF, name="y")
        z = model.add_variables(binary=True, name="z", coords=[range(2)])
        model.add_constraints(x + 2 * y <= 4, name="first")
        model.add_constraints(z.sum() + x >= 1, name="second")
        model.add_objective(x + 3 * y + z.sum(), sense="max")
        milp = convert.from_linopy(model)
    assert milp.sense == "max"
    assert milp.col_names == ("x", "y", "z[0]", "z[1]")
    assert milp.row_names == ("first", "second")
    assert milp.objective.tolist() == [1, 3, 1, 1]
    assert milp.matrix().toarray().tolist() == [[1, 2, 0, 0], [1, 0, 1, 1]]
    assert milp.row_lower.tolist() == [-INF, 1]
    assert milp.row_upper.tolist() == [4, INF]
    assert milp.col_lower.tolist() == [0, -INF, 0, 0]
    assert milp.col_upper.tolist() == [3, INF, 1, 1]
    assert milp.kinds.tolist() == [1, 0, 1, 1]


def _linopy_can_hold(milp: Milp) -> Milp:
    semi = milp.kinds >= Kind.SEMI_CONTINUOUS
    return Milp.build(
        sense=milp.sense,
        objective=milp.objective,
        col_lower=milp.col_lower,
        col_upper=milp.col_upper,
        kinds=np.where(semi, Kind.SEMI_CONTINUOUS, milp.kinds),
        row_lower=milp.row_lower,
        row_upper=milp.row_upper,
        row_names=milp.row_names,
        col_names=milp.col_names,
        indptr=milp.indptr,
        indices=milp.indices,
        values=milp.values,
    )


@settings(max_examples=25, deadline=None)
@given(milps(4))
def test_linopy_keeps_everything(milp: Milp) -> None:
    pytest.importorskip("linopy")
    milp = _linopy_can_hold(milp)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        back = convert.from_linopy(convert.to_linopy(milp))
    assert differing_fields(back, milp) == []


def test_linopy_keeps_rows_of_very_different_lengths_and_free_ones() -> None:
    pytest.importorskip("linopy")
    lengths = [3000, 1, 0, 2, 3000, 1] + [2] * 40
    milp = Milp.build(
        objective=np.zeros(3000),
        kinds=np.arange(3000) // 1000 % 2,
        row_lower=[-INF, 1.0, -INF, -4.5, 0.0, -INF] + [0.0] * 40,
        row_upper=[INF, INF, 3.0, 4.5, 0.0, 1e-9] + [1.0] * 40,
        indptr=np.concatenate([[0], np.cumsum(lengths)]),
        indices=np.concatenate([np.arange(length) for length in lengths]),
        values=np.full(sum(lengths), 1 / 3),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = convert.to_linopy(milp)
        assert convert.from_linopy(model) == milp
    assert (
        max(model.constraints[name].data["vars"].size for name in model.constraints)
        <= 4 * milp.n_nonzeros
    )


ROW_OF_NOTHING = {"objective": [], "indptr": [0, 0], "row_lower": [0.0], "row_upper": [1.0]}


@pytest.mark.parametrize(
    "change", [{"offset": 1.0}, {"kinds": [3], "col_upper": [9.0]}, {"kinds": [2]}, ROW_OF_NOTHING]
)
def test_what_linopy_cannot_hold_is_an_error(change: dict[str, Any]) -> None:
    pytest.importorskip("linopy")
    empty = {"indptr": [0], "indices": [], "values": [], "row_lower": [], "row_upper": []}
    with pytest.raises(InvalidMilp, match="linopy has no place for"):
        convert.to_linopy(Milp.build(**{"objective": [1.0], **empty, **change}))


def test_scaled_linopy_models_are_refused() -> None:
    linopy = pytest.importorskip("linopy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = linopy.Model()
        x = model.add_variables(lower=0, upper=3, name="x")
        try:
            model.add_objective(1 * x, scaling=3.0)
        except TypeError:
            pytest.skip("this linopy has no scaling")
        with pytest.raises(NotAMilp, match="scaling"):
            convert.from_linopy(model)
