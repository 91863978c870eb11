from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from g2milp.instance.milp import Kind
from g2milp.problems.mik import expected_sizes
from g2milp.problems.registry import make, make_many

if TYPE_CHECKING:
    from pathlib import Path


def test_mean_sizes_are_the_published_ones() -> None:
    """346 rows and 413 columns: exactly in expectation, and nearly so over many instances."""
    assert expected_sizes() == pytest.approx((346, 413), abs=0.5)
    sizes = np.array([(m.n_rows, m.n_cols) for m in make_many("mik", 300, 0)])
    assert sizes.mean(axis=0) == pytest.approx([346, 413], abs=25)


def test_an_instance_has_the_structure_its_name_says() -> None:
    milp = make("mik", 0, n_integers=250, n_continuous=20, n_knapsacks=75)
    assert milp.name == "mik.250-20-75.1"
    assert (milp.n_rows, milp.n_cols) == (195, 270)
    shared = 250 - 2 * 75
    assert (milp.row_degrees[:75] == shared + 20 + 2).all()
    assert (milp.row_degrees[75:] == 1).all()
    assert (milp.kinds == Kind.CONTINUOUS).sum() == 20
    assert set(milp.row_upper[:75]) <= set(range(951, 1000, 2))
    assert set(milp.row_upper[75 : 75 + shared]) <= {1, 2, 3, 4}


def test_any_mixture_of_given_and_drawn_sizes() -> None:
    for params in ({"n_integers": 30}, {"n_continuous": 0}, {"n_knapsacks": 1}):
        milp = make("mik", 0, **params)
        n, c, m, _ = map(int, re.findall(r"[0-9]+", milp.name))
        assert (milp.n_rows, milp.n_cols) == (n - m + c, n + c)


@pytest.mark.parametrize("name", ["mik-250-1-100-1", "mik-250-20-75-3", "mik-250-20-75-4"])
def test_against_a_real_file(shared_data: Path, name: str) -> None:
    """Same shape, same kinds of columns, and distributions that are close."""
    from g2milp.instance.io.files import read

    real = read(shared_data / "mik" / f"{name}.mps.gz")
    n, c, m, _ = map(int, re.findall(r"[0-9]+", name))
    ours = make("mik", 0, n_integers=n, n_continuous=c, n_knapsacks=m)
    assert (ours.n_rows, ours.n_cols) == (real.n_rows, real.n_cols)
    assert ours.n_nonzeros == pytest.approx(real.n_nonzeros, rel=0.005)
    for ours_count, real_count in zip(
        np.bincount(ours.kinds, minlength=4), np.bincount(real.kinds, minlength=4), strict=True
    ):
        assert ours_count == real_count
    assert ours.values.mean() == pytest.approx(real.values.mean(), rel=0.05)
    assert ours.objective.mean() == pytest.approx(real.objective.mean(), rel=0.15)
    assert sorted(set(ours.col_upper)) == sorted(set(real.col_upper))
