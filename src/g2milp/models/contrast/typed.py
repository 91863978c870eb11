"""Which entries of a graph may change places, as the training sees it.

An exchange stays within a *bucket*: like rows, like columns of like degree. What a bucket is, is
known in a higher room (`generation.exchange`), so it is passed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


@dataclass(frozen=True, eq=False)
class Typing:
    """Shapes: bucket (E,) of each entry in the order by row; row_group (m,) groups of like rows."""

    bucket: NDArray[np.int32]
    row_group: NDArray[np.int32]


Typist: TypeAlias = "Callable[[Milp], Typing]"
"""Finds the typing of an instance."""


def one_bucket(milp: Milp) -> Typing:
    """Everything may change places with everything."""
    return Typing(np.zeros(milp.n_nonzeros, np.int32), np.zeros(milp.n_rows, np.int32))
