r"""The paper's canonical form (Eq. 1), as a view that forgets nothing.

    \min_x c^\top x   subject to   A x \le b,   l \le x \le u,   x_j \in Z for j in I          (1)

A maximised objective is negated; every finite side of a row becomes one ``≤`` row (the lower side
negated), so an equality or a range becomes two and a free row vanishes. The view remembers which
row and which side each canonical row is, since rows are counted and regenerated as real rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


@dataclass(frozen=True, eq=False, kw_only=True)
class Canonical:
    r"""Arrays of Eq. (1).

    Attributes
    ----------
    objective
        c of the minimisation, negated when the instance maximises.
    negated
        Whether the objective was negated.
    indptr, indices, values
        A in CSR form.
    rhs
        b.
    row
        The row of the instance that each canonical row is a side of.
    upper
        True where it is the row's upper side (as written), False where it is the negated lower one.
    partner
        The canonical row that is the other side of the same row, or -1.
    col_lower, col_upper, kinds
        As in the instance.

    Shapes
    ------
    objective, col_lower, col_upper, kinds : (n,); rhs, row, upper, partner : (k,), where k is the
    number of finite sides. Rows keep their order; of two sides the upper one comes first.
    """

    objective: NDArray[np.float64]
    negated: bool
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]
    rhs: NDArray[np.float64]
    row: NDArray[np.int64]
    upper: NDArray[np.bool_]
    partner: NDArray[np.int64]
    col_lower: NDArray[np.float64]
    col_upper: NDArray[np.float64]
    kinds: NDArray[np.uint8]

    @property
    def n_rows(self) -> int:
        """Number of canonical rows (finite sides)."""
        return self.rhs.size

    @property
    def n_cols(self) -> int:
        """Number of columns."""
        return self.objective.size


def canonical(milp: Milp) -> Canonical:
    """The view of an instance as Eq. (1), in O(non-zeros)."""
    finite = np.column_stack([np.isfinite(milp.row_upper), np.isfinite(milp.row_lower)])
    row, side = np.nonzero(finite)
    upper = side == 0
    sign = np.where(upper, 1.0, -1.0)
    lengths = milp.row_degrees[row]
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    entry = np.arange(indptr[-1]) + np.repeat(milp.indptr[row] - indptr[:-1], lengths)
    partner = np.full(row.size, -1, dtype=np.int64)
    first = np.flatnonzero(row[1:] == row[:-1])
    partner[first], partner[first + 1] = first + 1, first
    return Canonical(
        objective=-milp.objective if milp.sense == "max" else milp.objective,
        negated=milp.sense == "max",
        indptr=indptr,
        indices=milp.indices[entry],
        values=milp.values[entry] * np.repeat(sign, lengths),
        rhs=np.where(upper, milp.row_upper[row], -milp.row_lower[row]),
        row=row.astype(np.int64),
        upper=upper,
        partner=partner,
        col_lower=milp.col_lower,
        col_upper=milp.col_upper,
        kinds=milp.kinds,
    )
