"""Classifiers and graded distances."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from g2milp.evaluation.two_sample.classifier import area, classifier_test
from g2milp.evaluation.two_sample.distances import graded_distances
from g2milp.evaluation.two_sample.stumps import BoostedStumps


@pytest.mark.parametrize("seed", range(10))
def test_area_equals_sklearn(seed: int):
    rng = np.random.default_rng(seed)
    label = rng.random(50) < 0.4
    score = np.round(rng.normal(label, 1), 1)
    weight = rng.integers(0, 4, 50).astype(float)
    assert area(score, label) == pytest.approx(roc_auc_score(label, score))
    assert area(score, label, weight) == pytest.approx(
        roc_auc_score(label, score, sample_weight=weight)
    )


def names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{i}" for i in range(count)]


@pytest.mark.parametrize("classifier", ["stumps", "forest"])
def test_equal_distributions_are_not_told_apart_and_shifted_ones_are(classifier: str):
    rng = np.random.default_rng(0)
    x, same = rng.normal(size=(150, 6)), rng.normal(size=(150, 6))
    far = same + np.array([0, 0, 2.0, 0, 0, 0])
    features = names("f", 6)
    blind, sharp = (
        classifier_test(features, x, y, names("r", 150), names("g", 150), classifier=classifier)
        for y in (same, far)
    )
    assert 0.35 < blind.auc < 0.65
    assert blind.interval[0] < 0.55
    assert sharp.auc > 0.85
    assert sharp.telltales[0].feature == "f2"
    assert sharp.telltales[0].importance > 0.2


def test_children_in_the_fold_of_their_template_give_nothing_away():
    x = np.random.default_rng(1).normal(size=(60, 4))
    found = classifier_test(
        names("f", 4), x, x.copy(), names("r", 60), names("r", 60), classifier="stumps"
    )
    assert found.auc == pytest.approx(0.5, abs=1e-9)


def test_too_few_groups_are_not_tested():
    x = np.ones((4, 2))
    assert classifier_test(names("f", 2), x, x, names("r", 4), names("g", 4)) is None


def test_stumps_learn_a_cut():
    x = np.linspace(0, 1, 200)[:, None]
    y = (x[:, 0] > 0.3) & (x[:, 0] < 0.8)
    model = BoostedStumps()
    model.fit(x, y)
    assert area(model.predict(x), y) > 0.97


def test_graded_distances_grow_and_are_one_for_real():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(120, 5))
    found = [
        graded_distances(x, rng.normal(shift, 1, (120, 5)), on="statistics")
        for shift in (0.0, 0.5, 2.0)
    ]
    for one, half, two in zip(*found, strict=True):
        assert 0.5 < one.ratio < 1.6
        assert one.p_value > 0.01
        assert one.ratio < half.ratio < two.ratio
        assert two.p_value <= 0.01
