from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.generation.certificates.elimination import solve_sparse
from g2milp.generation.certificates.planted import planted, violation_of
from g2milp.generation.certificates.refinement import exact_point
from g2milp.instance.milp import Milp


def network(seed: int) -> tuple[Milp, np.ndarray]:
    """Flow conservation with odd coefficients and a float point that meets it up to rounding."""
    rng = np.random.default_rng(seed)
    m, n = 6, 14
    dense = np.where(rng.random((m, n)) < 0.4, rng.choice([1.0, -1.0, 0.7, 1 / 3], (m, n)), 0.0)
    x = rng.random(n) * 5
    side = dense @ x
    rows, cols = np.nonzero(dense)
    milp = Milp.build(
        objective=np.ones(n),
        indptr=np.concatenate([[0], np.cumsum((dense != 0).sum(axis=1))]),
        indices=cols,
        values=dense[rows, cols],
        row_lower=side,
        row_upper=side,
        col_upper=np.full(n, 10.0),
    )
    return milp, x + rng.normal(size=n) * 1e-10


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_a_float_point_of_equalities_becomes_exact(seed):
    milp, x = network(seed)
    point = exact_point(milp, x)
    assert point is not None
    assert violation_of(milp, point) == 0
    assert np.allclose([float(v) for v in point], x, atol=1e-4)


def test_where_no_exact_point_exists_the_level_says_so():
    # x integer, 0.1 x = 0.3 has no solution in float64: 3 · 0.1 ≠ 0.3
    milp = Milp.build(
        objective=[1.0],
        indptr=[0, 1],
        indices=[0],
        values=[0.1],
        row_lower=[0.3],
        row_upper=[0.3],
        kinds=[1],
    )
    found = planted(milp, np.array([3.0]), "given")
    assert found is not None
    assert found.level == "tolerance"
    assert 0 < found.max_violation < Fraction(1, 10**15)
    assert planted(milp, np.array([4.0]), "given") is None
    assert planted(milp, np.array([np.nan]), "given") is None


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_elimination_solves_what_has_a_solution(seed):
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(1, 7)), int(rng.integers(1, 8))
    dense = rng.integers(-2, 3, (m, n))
    x = rng.integers(-5, 6, n)
    rows = [{j: Fraction(int(a)) for j, a in enumerate(row) if a} for row in dense]
    rhs = [Fraction(int(v)) for v in dense @ x]
    start = {j: Fraction(int(v)) for j, v in enumerate(rng.integers(-5, 6, n))}
    solved = solve_sparse(rows, rhs, start, lambda j: 1.0)
    assert solved is not None
    value = {**start, **solved}
    for row, side in zip(rows, rhs, strict=True):
        assert sum((a * value[j] for j, a in row.items()), Fraction(0)) == side


def test_elimination_sees_a_contradiction():
    one = Fraction(1)
    rows = [{0: one, 1: one}, {0: 2 * one, 1: 2 * one}]
    assert solve_sparse(rows, [one, one], {0: one, 1: one}, lambda j: 1.0) is None
