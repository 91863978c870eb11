"""The search reaches what it is asked for, and every step keeps the planted optimum."""

from __future__ import annotations

import numpy as np
import pytest
from tests.baselines.bowly.planted import assert_planted

from g2milp.baselines.bowly.generator import BowlyParameters, sample_encoded
from g2milp.baselines.bowly.search import change_entries, exchange_basis, scale_values, search
from g2milp.errors import UsageError
from g2milp.problems.registry import make

PARAMETERS = BowlyParameters(
    coefficient_mean=3.0,
    coefficient_std=2.0,
    row_attachment=0.2,
    col_attachment=0.2,
    integer_share=0.5,
    typical_upper=3.0,
)


def start(*, integer_valued: bool = False):
    template = make("setcover", seed=0, n_rows=15, n_cols=25, density=0.2)
    rng = np.random.default_rng(4)
    return sample_encoded(template, PARAMETERS, rng, integer_valued=integer_valued)


@pytest.mark.parametrize("move", [exchange_basis, scale_values, change_entries])
@pytest.mark.parametrize("integer_valued", [False, True])
def test_every_neighbour_is_planted(move, integer_valued) -> None:
    encoded = start(integer_valued=integer_valued)
    rng = np.random.default_rng(0)
    for _ in range(25):
        encoded = move(encoded, rng)
        assert_planted(encoded, encoded.decode())


def test_the_search_approaches_its_target() -> None:
    encoded = start()

    def mean_coefficient(milp) -> float:
        return float(milp.values.mean())

    before = mean_coefficient(encoded.decode())
    target = before + 1.0
    found = search(encoded, mean_coefficient, target=target, steps=80, rng=np.random.default_rng(1))
    assert abs(mean_coefficient(found.milp) - target) < 0.25 * abs(before - target)
    distances = [abs(v - target) for v in found.values]
    assert distances == sorted(distances, reverse=True)
    assert_planted(found.encoded, found.milp)


def test_as_large_as_can_be() -> None:
    found = search(
        start(),
        lambda milp: float(np.abs(milp.objective).sum()),
        target=np.inf,
        steps=20,
        rng=np.random.default_rng(2),
    )
    assert list(found.values) == sorted(found.values)
    assert found.values[-1] > found.values[0]


def test_a_search_without_neighbours_is_refused() -> None:
    with pytest.raises(UsageError):
        search(
            start(), lambda m: 0.0, target=0.0, steps=1, rng=np.random.default_rng(0), neighbours=0
        )
