from __future__ import annotations

import numpy as np
import pytest
from tests.evaluation.instances import milp_of, random_milp

from g2milp.instance.milp import Milp
from g2milp.reports.figures import matrix
from g2milp.reports.figures.matrix import CELLS, LEVELS, cells, changed_rows, matrix_picture


def plain(entries: np.ndarray, upper: np.ndarray) -> Milp:
    """Rows ≤ `upper`, no objective."""
    n = entries.shape[1]
    return milp_of(entries, np.full(len(entries), -np.inf), upper, objective=np.zeros(n))


def diagonal(size: int) -> Milp:
    return plain(np.eye(size), np.ones(size))


@pytest.mark.parametrize("seed", range(20))
def test_a_small_matrix_is_drawn_entry_by_entry(seed: int):
    milp = random_milp(seed)
    if milp.n_rows == 0:
        return
    changed = np.random.default_rng(seed).random(milp.n_rows) < 0.5
    drawn = cells(milp, changed)
    pattern = milp.matrix().toarray() != 0
    assert drawn.shape == pattern.shape
    assert np.array_equal(drawn > 0, pattern)
    assert np.array_equal(drawn > LEVELS, pattern & changed[:, None])


def test_a_large_matrix_is_drawn_in_blocks_and_shows_every_changed_row():
    size = 4 * CELLS
    changed = np.zeros(size, dtype=bool)
    changed[[0, size // 2]] = True
    drawn = cells(diagonal(size), changed)
    assert drawn.shape == (CELLS, CELLS)
    assert np.array_equal(np.flatnonzero(np.diagonal(drawn) > LEVELS), [0, CELLS // 2])
    assert np.count_nonzero(drawn) == CELLS


def test_without_rows_or_entries_there_is_still_a_picture():
    for milp in (plain(np.zeros((0, 3)), np.zeros(0)), random_milp(0)):
        figure = matrix_picture("t", milp, np.zeros(milp.n_rows, dtype=bool))
        assert "constraints" in figure.description
        assert figure.width > 0


def test_changed_rows_are_those_that_the_other_side_does_not_have():
    old = plain(np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1.0]]), np.ones(4))
    new = plain(np.array([[1, 1, 0], [0, 1, 1], [0, 1, 2], [1, 0, 1.0]]), np.ones(4))
    gone, fresh = changed_rows(old, new)
    assert gone.tolist() == [False, True, False, False]  # the second of two equal rows
    assert fresh.tolist() == [False, False, True, False]


def test_a_row_with_another_side_has_changed():
    old = diagonal(3)
    new = plain(np.eye(3), np.array([1.0, 1.0, 2.0]))
    gone, fresh = changed_rows(old, new)
    assert gone.tolist() == fresh.tolist() == [False, False, True]
    assert "1 constraints differ" in matrix_picture("t", new, fresh).description


def test_colours_match_the_palette():
    assert len(matrix.palette()) == 2 * LEVELS + 1
    assert cells(diagonal(2), np.ones(2, dtype=bool)).max() < len(matrix.palette())
