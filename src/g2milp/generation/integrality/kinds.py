"""Which types a masked column may be given: those that its family has in such a place.

A network puts some probability on every type, an early one much on wrong ones. A column may become
of a class that the training set has, and that its rows have there with such coefficients: where
the columns of a covering row were binary, none becomes continuous.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.integrality.classes import column_classes, column_word, row_classes
from g2milp.generation.integrality.laws import coefficient_word
from g2milp.instance.edit import replace_columns
from g2milp.instance.milp import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.generation.integrality.laws import Laws
    from g2milp.instance.edit import ColumnPatch
    from g2milp.instance.milp import Milp

BINARY, INTEGER, CONTINUOUS = 0, 1, 3
"""Numbers of the types in the features; 2, implicit integers, is an integer to us."""


def admissible_types(milp: Milp, patches: Sequence[ColumnPatch], laws: Laws) -> NDArray[np.bool_]:
    """Whether each masked column may be of each type; at least of the one it has. (columns, types).

    `patches[t]` makes all masked columns of type t.
    """
    cols = patches[0].cols
    place = np.full(milp.n_cols, -1)
    place[cols] = np.arange(cols.size)
    entries = np.flatnonzero(place[milp.indices] >= 0)
    owner, values = place[milp.indices[entries]], milp.values[entries]
    of_row = row_classes(milp)[milp.entry_rows[entries]]
    allowed = np.ones((cols.size, len(patches)), dtype=bool)
    for t, patch in enumerate(patches):
        classes = column_classes(replace_columns(milp, patch))[cols]
        known = [c for c in np.unique(classes).tolist() if column_word(c) in laws.objective]
        allowed[:, t] = np.isin(classes, known)
        pair = of_row * 32 + classes[owner]
        for p in np.unique(pair).tolist():
            law = laws.coefficients.get(coefficient_word(p // 32, p % 32))
            here = pair == p
            fits = np.zeros(here.sum(), bool) if law is None else law.nearly_admits(values[here])
            allowed[owner[here][~fits], t] = False
    nowhere = ~allowed.any(axis=1)
    allowed[nowhere, _types(milp, cols)[nowhere]] = True
    return allowed


def _types(milp: Milp, cols: NDArray[np.int64]) -> NDArray[np.int64]:
    """The present type of columns."""
    integer = np.where(milp.kinds[cols] == Kind.INTEGER, INTEGER, CONTINUOUS)
    return np.where(milp.is_binary[cols], BINARY, integer)
