"""Means and gains against numbers worked out by hand."""

from __future__ import annotations

import pytest

from g2milp.downstream.spread import gain, ratio_interval, spread


def test_the_interval_is_that_of_students_t():
    told = spread([1.0, 2.0, 3.0, 4.0, 5.0])
    assert told["mean"] == 3.0
    assert told["std"] == pytest.approx(2.5**0.5)
    # t(0.975, 4) = 2.776, times sqrt(2.5 / 5)
    assert told["interval"] == pytest.approx([3 - 1.963, 3 + 1.963], abs=1e-3)


def test_one_value_has_no_interval():
    assert spread([2.0]) == {"n": 1, "mean": 2.0, "std": None, "interval": None}


def test_improvement_is_the_papers_and_paired():
    told = gain([0.0236, 0.0200], [0.0073, 0.0300])
    assert told["mean"] == pytest.approx((0.690678 - 0.5) / 2, abs=1e-6)
    assert told["of_means"] == pytest.approx((0.0436 - 0.0373) / 0.0436)
    assert told["better"] == 1
    assert told["difference"]["mean"] == pytest.approx(0.00315)


def test_no_error_at_all_leaves_nothing_to_improve():
    assert gain([0.0, 0.0], [0.1, 0.0])["mean"] == 0.0


def test_the_interval_of_a_ratio_is_that_of_the_paired_test():
    """At its ends, and only there, Student's paired test is just undecided."""
    from scipy.stats import ttest_rel

    first, second = [1.0, 1.3, 0.9, 1.6, 1.2], [0.8, 1.2, 0.6, 1.1, 1.15]
    low, high = ratio_interval(first, second)
    assert low < sum(second) / sum(first) < high
    for theta, undecided in ((low, 0.05), (high, 0.05)):
        shrunk = [theta * x for x in first]
        assert ttest_rel(shrunk, second).pvalue == pytest.approx(undecided)
    told = gain(first, second)
    assert told["of_means_interval"] == pytest.approx([1 - high, 1 - low])
    assert told["of_means_interval"][0] < told["of_means"] < told["of_means_interval"][1]


def test_the_interval_of_a_ratio_covers_as_often_as_it_says():
    import numpy as np

    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        shared = rng.normal(size=5)
        first = 5 + shared + rng.normal(size=5)
        second = 4 + 0.8 * shared + rng.normal(size=5)
        low, high = ratio_interval(first, second)
        covered += low <= 0.8 <= high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_ratio_to_what_may_be_zero_has_no_interval():
    assert ratio_interval([1.0, -1.0, 0.5], [1.0, 2.0, 3.0]) is None
    assert ratio_interval([1.0], [2.0]) is None
    same = ratio_interval([2.0, 2.0], [1.0, 1.0])
    assert same == pytest.approx([0.5, 0.5])
