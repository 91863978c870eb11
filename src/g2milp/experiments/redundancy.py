"""Rows that an instance could do without: repeated ones, and ones that another row implies alone.

An inequality ``a·x ≤ b`` is dominated by ``c·x ≤ d`` if ``d ≤ b`` and ``a ≤ c`` in every column
that cannot be negative, ``a = c`` in the others. A row is dominated if each of its sides is, by
rows that are not its repetition. Rows are compared as they are, multiples are not looked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from g2milp.evaluation.structure.row_hashes import hash_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

    Ints = NDArray[np.int64]

AT_ONCE = 100_000
"""Pairs that are compared in one go, to bound memory."""


def redundant_rows(milp: Milp) -> tuple[int, int]:
    """How many rows repeat another one, and how many others are dominated by one."""
    full = milp.row_degrees > 0
    hashes = hash_rows(milp)
    repeated = int(full.sum()) - np.unique(hashes[full]).size
    return repeated, int(np.count_nonzero(_dominated(milp, hashes) & full))


def _dominated(milp: Milp, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    above = np.flatnonzero(np.isfinite(milp.row_upper) & (milp.row_degrees > 0))
    below = np.flatnonzero(np.isfinite(milp.row_lower) & (milp.row_degrees > 0))
    rows = np.concatenate([above, below])
    matrix = milp.matrix()
    sides = sparse.csr_array(sparse.vstack([matrix[above], -matrix[below]], format="csr"))
    bounds = np.concatenate([milp.row_upper[above], -milp.row_lower[below]])
    weak, strong = _candidates(sides)
    kept = (bounds[strong] <= bounds[weak]) & (hashes[rows[weak]] != hashes[rows[strong]])
    weak, strong = weak[kept], strong[kept]
    implied = np.zeros(rows.size, bool)
    free = milp.col_lower < 0
    for start in range(0, weak.size, AT_ONCE):
        chosen = slice(start, start + AT_ONCE)
        slack = sparse.coo_array(sides[strong[chosen]] - sides[weak[chosen]])
        wrong = (slack.data < 0) | (free[slack.col] & (slack.data != 0))
        holds = np.ones(slack.shape[0], bool)
        holds[slack.row[wrong]] = False
        implied[weak[chosen][holds]] = True
    open_sides = np.bincount(rows[~implied], minlength=milp.n_rows)
    return np.asarray((open_sides == 0) & (np.bincount(rows, minlength=milp.n_rows) > 0))


def _candidates(sides: sparse.csr_array) -> tuple[Ints, Ints]:
    """Pairs whose signs allow it: positive entries grow in number, negative ones shrink."""
    positive = (sides > 0).astype(np.int32)
    negative = (sides < 0).astype(np.int32)
    ups, downs = positive.sum(axis=1), negative.sum(axis=1)
    fits = (positive @ positive.T).toarray() == ups[:, None]
    fits &= (negative @ negative.T).toarray() == downs[None, :]
    np.fill_diagonal(fits, False)
    weak, strong = np.nonzero(fits)
    return weak, strong
