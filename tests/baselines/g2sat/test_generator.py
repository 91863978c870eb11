"""G2SAT: learning, what it keeps of the template, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from g2milp.baselines.g2sat.generator import G2SAT
from g2milp.baselines.g2sat.learning import learn
from g2milp.errors import DamagedArtifact, UsageError
from g2milp.problems.registry import make_many
from g2milp.testing import tiny_milps, training_milps


def test_the_loss_falls() -> None:
    """Independent sets: clauses of a clique belong together, which costs and degrees tell."""
    milps = list(make_many("mis", 2, seed=0, n_nodes=12))
    _, losses = learn(milps, 480, 16, seed=0)
    assert len(losses) == 30
    assert np.mean(losses[-6:]) < 0.95 * np.mean(losses[:6])


def test_learning_is_repeatable() -> None:
    first, second = (learn(training_milps(), 64, 32, seed=3) for _ in range(2))
    assert first[1] == second[1]


def test_nothing_to_split_is_no_failure() -> None:
    scorer, losses = learn([tiny_milps()["empty row"]], 8, 8, seed=0)
    assert losses == []
    assert not scorer.training


def test_variables_and_coefficients_are_the_templates() -> None:
    data = list(make_many("mik", 2, seed=0, n_integers=12, n_continuous=2, n_knapsacks=3))
    (sample,) = G2SAT(training_pairs=16).fit(data).sample(1, seed=2).samples
    template = data[int(sample.template_name)]
    made = sample.milp
    for name in ("objective", "col_lower", "col_upper", "kinds"):
        assert np.array_equal(getattr(made, name), getattr(template, name))
    assert np.array_equal(made.col_degrees, template.col_degrees)
    assert made.n_rows == template.n_rows
    for j in range(made.n_cols):  # each coefficient stays with its variable
        assert sorted(made.values[made.indices == j]) == sorted(
            template.values[template.indices == j]
        )


def test_wrong_settings_and_states_are_refused() -> None:
    with pytest.raises(UsageError):
        G2SAT(training_pairs=0)
    arrays, values = G2SAT(training_pairs=8).fit(training_milps())._state()
    with pytest.raises(DamagedArtifact):
        G2SAT._from_state(arrays, {})
    name = next(iter(arrays))
    with pytest.raises(DamagedArtifact):
        G2SAT._from_state({k: v for k, v in arrays.items() if k != name}, values)


def test_sides_of_like_rows_or_sums() -> None:
    milps = list(make_many("mis", 3, seed=0, n_nodes=20))
    like, sums = (
        G2SAT(training_pairs=64, sides=sides).fit(milps).sample(2, seed=1)
        for sides in ("like", "sum")
    )
    for one, other in zip(like, sums, strict=True):
        assert np.array_equal(one.indices, other.indices)
        assert np.all(one.row_upper == 1.0)
        assert np.array_equal(other.row_upper, other.row_degrees.astype(float))
        assert np.all(other.row_lower == -np.inf)
    with pytest.raises(UsageError, match="sides"):
        G2SAT(sides="mean")
