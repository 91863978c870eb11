"""Every certificate is checked by a second verifier, written here, and by enumeration."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from toy_generator import Toy

from g2milp.errors import InputError
from g2milp.generation.certificates.claim import TOLERANCE
from g2milp.generation.certificates.verify import verify_certificate
from g2milp.instance.milp import Kind, Milp


def feasible_milp(seed: int, *, continuous: bool, free: bool) -> Milp:
    """Equalities, ranges, ≤, ≥ and odd coefficients around a hidden point."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(3, 9)), int(rng.integers(2, 6))
    dense = np.where(
        rng.random((m, n)) < 0.6, rng.choice([1, -1, 2, 3, 0.5, 0.1, 1 / 3], (m, n)), 0
    )
    kinds = rng.integers(0, 2, n) if continuous else np.ones(n, int)
    x = np.where(kinds == 1, rng.integers(-2, 3, n), rng.normal(size=n).round(2))
    activity = dense @ x
    slack = rng.choice([0.0, 1.0, 2.5], (2, m))
    sense = rng.integers(0, 4, m)
    lower = np.where(sense == 0, -np.inf, activity - slack[0])
    upper = np.where(sense == 1, np.inf, activity + slack[1])
    if not continuous:  # an equality that is met in exact arithmetic
        equal = (sense == 2) & np.isin(dense, [0, 1, -1, 2, 3, 0.5]).all(axis=1)
        lower, upper = np.where(equal, activity, lower), np.where(equal, activity, upper)
    rows, cols = np.nonzero(dense)
    return Milp.build(
        objective=rng.integers(-3, 4, n) * 1.0,
        indptr=np.concatenate([[0], np.cumsum((dense != 0).sum(axis=1))]),
        indices=cols,
        values=dense[rows, cols],
        row_lower=lower,
        row_upper=upper,
        col_lower=np.full(n, -np.inf if free else -3.0),
        col_upper=np.full(n, 3.0),
        kinds=kinds,
        sense=str(rng.choice(["min", "max"])),
        offset=0.25,
    )


def holds(milp: Milp, point: list[Fraction], allowed: Fraction) -> bool:
    for j, v in enumerate(point):
        if milp.kinds[j] == Kind.INTEGER and v != int(v):
            return False
        if np.isfinite(milp.col_upper[j]) and v > Fraction(milp.col_upper[j]) + allowed:
            return False
        if np.isfinite(milp.col_lower[j]) and v < Fraction(milp.col_lower[j]) - allowed:
            return False
    for i in range(milp.n_rows):
        indices, values = milp.row(i)
        total = sum(
            (Fraction(float(a)) * point[j] for j, a in zip(indices, values, strict=True)),
            Fraction(0),
        )
        if np.isfinite(milp.row_lower[i]) and total < Fraction(milp.row_lower[i]) - allowed:
            return False
        if np.isfinite(milp.row_upper[i]) and total > Fraction(milp.row_upper[i]) + allowed:
            return False
    return True


@settings(max_examples=60, deadline=None)
@example(4785, True, "rows")  # the LP that looks for room gave an integer back as −2 − 4e-16
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(["rows", "cols", "both"]))
def test_certified_instances_are_feasible(seed, continuous, scope):
    milp = feasible_milp(seed, continuous=continuous, free=False)
    toy = Toy().fit([milp])
    for sample in toy.sample_iter(2, seed=seed, mask_ratio=0.5, scope=scope, certify="feasible"):
        claim = sample.record["certificate"]
        allowed = Fraction(0) if claim["level"] == "exact" else TOLERANCE
        assert holds(sample.milp, sample.point, allowed)
        assert verify_certificate(sample.milp, claim, sample.point) is None
        assert sample.record["masked_rows"] == (0 if scope == "cols" else round(0.5 * milp.n_rows))
        value = sum(
            (
                Fraction(float(c)) * v
                for c, v in zip(sample.milp.objective, sample.point, strict=True)
            ),
            Fraction(0),
        )
        assert Fraction(claim["objective"]) == value + Fraction(1, 4)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["rows", "both"]))
def test_the_bound_bounds_every_feasible_point(seed, scope):
    milp = feasible_milp(seed, continuous=False, free=False)
    toy = Toy().fit([milp])
    sample = next(toy.sample_iter(1, seed=seed, mask_ratio=0.4, scope=scope, certify="bounded"))
    new, claim = sample.milp, sample.record["certificate"]
    assert verify_certificate(new, claim, sample.point, sample.dual) is None
    bound = Fraction(claim["bound"])
    grid = [
        range(int(low), int(min(high, low + 6)) + 1)
        for low, high in zip(new.col_lower, new.col_upper, strict=True)
    ]
    for x in itertools.islice(itertools.product(*grid), 3000):
        point = [Fraction(v) for v in x]
        if holds(new, point, Fraction(0)):
            value = sum(
                (Fraction(float(c)) * v for c, v in zip(new.objective, point, strict=True)),
                Fraction(new.offset),
            )
            assert value >= bound if new.sense == "min" else value <= bound


def production() -> Milp:
    """min x + y, x, y free, with rows that bound it: y = 0 is no dual point here."""
    return Milp.build(
        objective=[1.0, 2.0, 0.0],
        indptr=[0, 2, 4, 6],
        indices=[0, 1, 0, 1, 0, 2],
        values=[1.0, 1.0, 1.0, -1.0, 1.0, 1.0],
        row_lower=[1.0, -2.0, -np.inf],
        row_upper=[np.inf, 2.0, 9.0],
        col_lower=[-np.inf, -np.inf, 0.0],
        col_upper=[np.inf, np.inf, 5.0],
        kinds=[0, 1, 1],
    )


def test_boundedness_by_a_dual_point_where_bounds_do_not_give_it():
    toy = Toy().fit([production()])
    for sample in toy.sample_iter(8, mask_ratio=0.34, certify="bounded"):
        claim = sample.record["certificate"]
        assert verify_certificate(sample.milp, claim, sample.point, sample.dual) is None
        assert any(sample.dual)


def test_an_unbounded_template_is_named():
    ray = Milp.build(
        objective=[-1.0],
        indptr=[0, 1],
        indices=[0],
        values=[1.0],
        row_lower=[0.0],
        row_upper=[np.inf],
    )
    with pytest.raises(InputError, match="not provably bounded"):
        Toy().fit([ray]).sample(1, certify="bounded", mask_ratio=0.0)


def test_an_infeasible_template_is_named():
    nothing = Milp.build(
        objective=[1.0],
        indptr=[0, 1],
        indices=[0],
        values=[2.0],
        row_lower=[1.0],
        row_upper=[1.0],
        kinds=[1],
    )
    with pytest.raises(InputError, match="no feasible point"):
        Toy().fit([nothing]).sample(1, certify="feasible", mask_ratio=0.0)


def test_a_given_solution_is_planted_and_a_wrong_one_refused(family):
    toy = Toy().fit(family)
    solutions = {str(k): np.zeros(milp.n_cols) for k, milp in enumerate(family)}
    sample = next(toy.sample_iter(1, certify="feasible", solutions=solutions))
    assert sample.record["certificate"]["origin"] == "given"
    assert not any(sample.point)
    wrong = {name: x + 100 for name, x in solutions.items()}
    with pytest.raises(InputError, match="not feasible"):
        toy.sample(1, certify="feasible", solutions=wrong)
    short = {name: x[:-1] for name, x in solutions.items()}
    with pytest.raises(InputError, match="entries"):
        toy.sample(1, certify="feasible", solutions=short)


def test_sides_stay_in_the_learned_range(family):
    toy = Toy().fit(family)
    top = max(float(m.row_upper.max()) for m in family)
    for sample in toy.sample_iter(12, mask_ratio=1.0, certify="feasible"):
        parent = family[int(sample.template_name)]
        moved = sample.milp.row_upper > parent.row_upper + 2
        assert (sample.milp.row_upper[moved] <= top).all()
