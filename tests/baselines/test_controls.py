"""Copies are copies; noise stays small and keeps the structure."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.baselines.controls import Copy, Perturb
from g2milp.errors import DamagedArtifact, UsageError
from g2milp.testing import assert_milp_equal, random_milp, training_milps


def test_a_copy_is_the_template() -> None:
    data = training_milps()
    for sample in Copy().fit(data).sample(4, mask_ratio=0.5).samples:
        assert_milp_equal(sample.milp, data[int(sample.template_name)])
        assert sample.record["changed_rows"] == 0
        assert sample.record["same_as"] is not None


def test_noise_is_small_and_the_structure_stays() -> None:
    rng = np.random.default_rng(1)
    data = [random_milp(rng, n_rows=40, n_cols=30) for _ in range(2)]
    for sample in Perturb(noise=0.05).fit(data).sample(4, mask_ratio=1.0).samples:
        template, made = data[int(sample.template_name)], sample.milp
        assert np.array_equal(made.indices, template.indices)
        assert np.array_equal(made.senses, template.senses)
        # three deviations at most, and an integer moves by half a unit more
        moved = np.abs(made.values - template.values)
        assert np.all(moved <= 0.15 * np.abs(template.values) + 0.5)
        assert np.any(moved > 0)
        whole = template.values == np.round(template.values)
        assert np.array_equal(made.values[whole], np.round(made.values[whole]))
        assert np.all(made.values != 0)
        assert np.all(made.row_lower <= made.row_upper)


def test_no_noise_is_a_copy() -> None:
    data = training_milps()
    for sample in Perturb(noise=0.0).fit(data).sample(2, mask_ratio=1.0).samples:
        assert_milp_equal(sample.milp, data[int(sample.template_name)])


def test_small_integers_move_only_when_asked() -> None:
    """Set covers hold nothing but ones: rounded, noise of a few per cent would be a copy."""
    data = training_milps()
    (copied,) = Perturb(noise=0.05).fit(data).sample(1, mask_ratio=1.0).samples
    assert copied.record["changed_rows"] == 0
    (moved,) = Perturb(noise=0.05, integers=False).fit(data).sample(1, mask_ratio=1.0).samples
    assert moved.record["changed_rows"] == moved.milp.n_rows
    assert np.all(np.abs(moved.milp.values - 1.0) <= 0.15)


@pytest.mark.parametrize("noise", [-0.1, 1.5, float("nan")])
def test_impossible_noise_is_refused(noise: float) -> None:
    with pytest.raises(UsageError):
        Perturb(noise=noise)


def test_wrong_options_and_states_are_refused() -> None:
    with pytest.raises(UsageError):
        Copy().fit(training_milps(), steps=3)
    with pytest.raises(DamagedArtifact):
        Perturb._from_state({}, {})
