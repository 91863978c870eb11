"""What rows and columns share, against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from g2milp.models.contrast.shared import at_pairs, paths_per_row, shared


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dense = (rng.random((7, 9)) < 0.4).astype(float)
    group = rng.integers(0, 2, 7).astype(np.int32)
    rows = np.array([0, 3, 6])
    pattern, features = shared(csr_array(dense), rows, group)
    row, col = (x.ravel() for x in np.meshgrid(np.arange(3), np.arange(9), indexing="ij"))
    found = at_pairs(pattern, features, row, col).reshape(3, 9, 4)
    for k, r in enumerate(rows):
        for c in range(9):
            own = other = 0
            for with_c in np.flatnonzero(dense[r]):
                for s in np.flatnonzero(dense[:, with_c] * dense[:, c]):
                    own += s != r and group[s] == group[r]
                    other += s != r and group[s] != group[r]
            entries = max(dense[r].sum(), 1)
            wanted = [np.log1p(own), np.log1p(other), own / entries, other / entries]
            np.testing.assert_allclose(found[k, c], wanted, rtol=1e-6)


def test_nothing_is_shared_in_an_empty_graph() -> None:
    pattern, features = shared(csr_array((3, 4)), np.arange(3), np.zeros(3, np.int32))
    assert features.shape == (0, 4)
    assert not at_pairs(pattern, features, np.array([0, 2]), np.array([1, 3])).any()


def test_paths_are_what_counting_costs() -> None:
    dense = np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]])
    matrix = csr_array(dense)
    walks = (dense @ dense.T @ dense).sum() / 3
    assert paths_per_row(matrix.indptr.astype(np.int64), matrix.indices, 3) == walks
    assert paths_per_row(np.zeros(1, np.int64), np.zeros(0, np.int32), 3) == 0.0
