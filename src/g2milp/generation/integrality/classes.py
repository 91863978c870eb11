"""Classes of rows and columns that a template shares with the training set.

The sense of a row, whether it has one entry, and the kinds of its columns; the kind of a column and
which of its bounds are finite. All of it is known of a masked row before it is redrawn: its sense
stays, and the columns that it gets may differ, but not what a class of row consists of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

SENSES = ("<=", ">=", "=", "range", "free")
"""Words of the `RowSense` codes."""
KINDS = ("continuous", "integer", "semi-continuous", "semi-integer", "binary")
BOUNDS = ("free", "above", "below", "both")


def row_classes(milp: Milp) -> NDArray[np.int64]:
    """Class of each row: ``2 · sense + (one entry)``."""
    classes: NDArray[np.int64] = 2 * milp.senses.astype(np.int64) + (milp.row_degrees == 1)
    return classes


def column_classes(milp: Milp) -> NDArray[np.int64]:
    """Class of each column: ``4 · kind + bounds``, binary being a kind of its own."""
    kind = np.where(milp.is_binary, 4, milp.kinds.astype(np.int64))
    bounds = np.isfinite(milp.col_upper) + 2 * np.isfinite(milp.col_lower)
    classes: NDArray[np.int64] = 4 * kind + bounds
    return classes


def row_word(row_class: int) -> str:
    """A row class in words: ``<=`` or ``= single``."""
    return SENSES[row_class // 2] + (" single" if row_class % 2 else "")


def column_word(column_class: int) -> str:
    """A column class in words: ``binary both``."""
    return f"{KINDS[column_class // 4]} {BOUNDS[column_class % 4]}"
