"""The planted optimum is one, in exact arithmetic, and the statistics are those asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.baselines.bowly.planted import assert_planted

from g2milp.baselines.bowly.generator import (
    Bowly,
    BowlyParameters,
    parameters_of,
    sample_encoded,
)
from g2milp.baselines.bowly.pattern import degree_sequence, pattern
from g2milp.datasets.dataset import Dataset
from g2milp.errors import UsageError
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make, make_many


def template(m: int, n: int, k: int, seed: int) -> Milp:
    rng = np.random.default_rng(seed)
    keys = np.sort(rng.choice(m * n, size=min(k, m * n), replace=False))
    return Milp.build(
        objective=np.ones(n),
        indptr=np.concatenate([[0], np.cumsum(np.bincount(keys // n, minlength=m))]),
        indices=keys % n,
        values=np.ones(keys.size),
        row_lower=np.full(m, -np.inf),
        row_upper=np.ones(m),
    )


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 60),
    st.booleans(),
    st.floats(-5, 2000),
    st.floats(0, 900),
    st.integers(0, 1000),
)
def test_the_planted_point_is_optimal(
    m: int, n: int, k: int, integer_valued: bool, mean: float, std: float, seed: int
) -> None:
    parameters = BowlyParameters(
        coefficient_mean=mean,
        coefficient_std=std,
        row_attachment=0.3,
        col_attachment=0.8,
        integer_share=0.5,
        violations=0.7,
        typical_upper=4.0,
    )
    encoded = sample_encoded(
        template(m, n, k, seed),
        parameters,
        np.random.default_rng(seed),
        integer_valued=integer_valued,
    )
    milp = encoded.decode()
    assert_planted(encoded, milp)
    if integer_valued:
        assert np.array_equal(encoded.x, np.round(encoded.x))
        assert np.array_equal(milp.values, np.round(milp.values))
        assert np.isfinite(milp.col_upper).all()


@pytest.mark.parametrize("integer_valued", [False, True])
def test_huge_coefficients_do_not_break_the_promise(integer_valued: bool) -> None:
    """Integers beyond 2⁵³ have no exact sums either: they go on a coarser grid."""
    parameters = BowlyParameters(
        coefficient_mean=1e17,
        coefficient_std=1e18,
        row_attachment=0.3,
        col_attachment=0.8,
        integer_share=0.5,
        typical_upper=4.0,
    )
    for seed in range(5):
        encoded = sample_encoded(
            template(8, 10, 40, seed),
            parameters,
            np.random.default_rng(seed),
            integer_valued=integer_valued,
        )
        assert_planted(encoded, encoded.decode())


def test_degrees_share_the_edges_and_obey_the_cap() -> None:
    rng = np.random.default_rng(0)
    for attachment in (0.0, 0.5, 1.0):
        degrees = degree_sequence(50, 400, attachment, 20, rng)
        assert degrees.sum() == 400
        assert degrees.max() <= 20
    spread = [
        np.std(degree_sequence(300, 6000, p, 10_000, np.random.default_rng(1))) for p in (0.0, 1.0)
    ]
    assert spread[1] > 1.3 * spread[0]


def test_no_row_and_no_column_is_empty_and_density_is_kept() -> None:
    rng = np.random.default_rng(3)
    rows, cols = pattern(
        degree_sequence(40, 200, 0.9, 60, rng), degree_sequence(60, 200, 0.9, 40, rng), rng
    )
    assert set(rows.tolist()) == set(range(40))
    assert set(cols.tolist()) == set(range(60))
    keys = rows * 60 + cols
    assert np.unique(keys).size == keys.size
    assert 200 <= keys.size <= 300


@pytest.mark.parametrize("attachment", [0.0, 0.5, 1.0])
def test_density_is_kept_up_to_full(attachment: float) -> None:
    for share in (0.7, 1.0):
        rng = np.random.default_rng(1)
        wanted = round(share * 50 * 40)
        rows, _ = pattern(
            degree_sequence(50, wanted, attachment, 40, rng),
            degree_sequence(40, wanted, attachment, 50, rng),
            rng,
        )
        assert wanted <= rows.size <= min(wanted + 10, 2000)


def test_parameters_are_read_off_the_training_set() -> None:
    milp = make("setcover", seed=1, n_rows=60, n_cols=120, density=0.1)
    parameters = parameters_of([milp])
    assert parameters.coefficient_mean == pytest.approx(milp.values.mean())
    assert parameters.integer_share == 1.0
    encoded = sample_encoded(milp, parameters, np.random.default_rng(0))
    made = encoded.decode()
    assert (made.n_rows, made.n_cols) == (milp.n_rows, milp.n_cols)
    assert made.n_nonzeros == pytest.approx(milp.n_nonzeros, rel=0.05)


def test_planted_points_are_integral_unless_asked():
    data = Dataset.from_milps(list(make_many("setcover", 2, 0, n_rows=30, n_cols=60, density=0.1)))
    for share in (0.0, 0.5):
        generator = Bowly(violations=share).fit(data)
        assert generator.parameters_.violations == share
        encoded = sample_encoded(data[0], generator.parameters_, np.random.default_rng(0))
        assert np.any(encoded.x != np.rint(encoded.x)) == (share > 0)
    with pytest.raises(UsageError, match="violations"):
        Bowly(violations=1.5)
