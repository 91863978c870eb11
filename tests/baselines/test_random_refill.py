"""Random: uniform draws in the learned ranges; random-marginal: the training frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from g2milp.baselines.random_refill import Random, RandomMarginal
from g2milp.errors import DamagedArtifact, UsageError
from g2milp.instance.milp import Milp
from g2milp.testing import random_milp, tiny_milps, training_milps

if TYPE_CHECKING:
    from collections.abc import Callable


def rows_of_two_degrees() -> Milp:
    """Nine rows of degree 1 with side 10, one of degree 9 with side 90, coefficients 1 and 5."""
    degrees = [1] * 9 + [9]
    return Milp.build(
        objective=np.ones(12),
        indptr=np.concatenate([[0], np.cumsum(degrees)]),
        indices=[*range(9), *range(9)],
        values=[5.0] * 9 + [1.0] * 9,
        row_lower=[-np.inf] * 10,
        row_upper=[10.0] * 9 + [90.0],
        col_upper=np.ones(12),
        kinds=np.ones(12),
    )


def drawn(make: Callable[[], Random], n: int = 200) -> list[Milp]:
    return list(make().fit([rows_of_two_degrees()]).sample(n, seed=0, mask_ratio=1.0))


def test_uniform_draws_fill_the_ranges() -> None:
    made = drawn(Random)
    degrees = np.concatenate([m.row_degrees for m in made])
    sides = np.concatenate([m.row_upper for m in made])
    values = np.concatenate([m.values for m in made])
    assert degrees.mean() == pytest.approx(5.0, abs=0.2)
    assert (sides.min(), sides.max()) == (10.0, 90.0)
    assert sides.mean() == pytest.approx(50.0, abs=2.0)
    assert set(values) == {1.0, 2.0, 3.0, 4.0, 5.0}


def test_marginal_draws_have_the_frequencies() -> None:
    made = drawn(RandomMarginal)
    degrees = np.concatenate([m.row_degrees for m in made])
    sides = np.concatenate([m.row_upper for m in made])
    assert set(degrees) == {1, 9}
    assert np.mean(degrees == 9) == pytest.approx(0.1, abs=0.02)
    assert set(sides) == {10.0, 90.0}
    values = np.concatenate([m.values for m in made])
    assert np.mean(values == 1.0) == pytest.approx(0.5, abs=0.05)


def test_columns_are_uniform_and_distinct() -> None:
    made = drawn(Random)
    for milp in made[:20]:
        for i in range(milp.n_rows):
            columns, _ = milp.row(i)
            assert np.unique(columns).size == columns.size
    counts = np.sum([m.col_degrees for m in made], axis=0)
    assert counts.std() / counts.mean() < 0.1


def test_reals_are_drawn_when_asked_for() -> None:
    made = drawn(lambda: Random(integers=False), 5)
    values = np.concatenate([m.values for m in made])
    assert np.any(values != np.round(values))
    assert values.min() >= 1.0
    assert values.max() <= 5.0


def test_every_sense_stays_one() -> None:
    rng = np.random.default_rng(0)
    data = [random_milp(rng, n_rows=30) for _ in range(3)]
    for sample in Random().fit(data).sample(5, mask_ratio=1.0).samples:
        template = data[int(sample.template_name)]
        assert np.array_equal(sample.milp.senses, template.senses)
        assert np.all(sample.milp.values != 0)


def test_unseen_senses_and_options_are_refused() -> None:
    fitted = Random().fit(training_milps())
    with pytest.raises(UsageError, match="did not show"):
        fitted.sample(1, templates=[tiny_milps()["range"]], mask_ratio=1.0)
    with pytest.raises(UsageError, match="steps"):
        Random().fit(training_milps(), steps=3)


def test_a_state_without_its_option_is_refused() -> None:
    arrays, _ = Random().fit(training_milps())._state()
    with pytest.raises(DamagedArtifact):
        Random._from_state(arrays, {})
