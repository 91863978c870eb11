"""Means and gains against numbers worked out by hand."""

from __future__ import annotations

import pytest

from g2milp.downstream.spread import gain, spread


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
