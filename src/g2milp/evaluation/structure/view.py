"""What the statistics look at: one instance with the derived arrays that several of them share.

A statistic of v1 sees real rows. The paper's own statistics see the *≤ form* (Eq. 1) as Ecole gives
it: every finite side of a row is a row, a lower side ``a·x ≥ l`` becomes ``-a·x ≤ -l``, the lower
side comes before the upper one, free rows vanish and a maximised objective is negated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.evaluation.structure.bipartite import clustering_of, combined_adjacency
from g2milp.evaluation.structure.communities import best_modularity
from g2milp.evaluation.structure.conflict_graph import Conflicts, conflicts_of
from g2milp.evaluation.structure.row_hashes import hash_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from g2milp.instance.milp import Milp


@dataclass(frozen=True, eq=False)
class UpperForm:
    """``min c'x`` with rows ``A x ≤ b`` only; `source` is the real row behind each of them."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]
    rhs: NDArray[np.float64]
    objective: NDArray[np.float64]
    source: NDArray[np.int64]

    @property
    def n_rows(self) -> int:
        """Number of finite sides."""
        return self.rhs.size

    @property
    def n_cols(self) -> int:
        """Number of columns."""
        return self.objective.size

    def pattern(self) -> csr_array[Any, Any]:
        """The zero-one matrix of the non-zeros."""
        from scipy.sparse import csr_array

        ones = np.ones(self.indices.size)
        return csr_array((ones, self.indices, self.indptr), shape=(self.n_rows, self.n_cols))


def upper_form(milp: Milp) -> UpperForm:
    """Paper Eq. 1 for statistics: one row ``≤`` for each finite side, lower side first."""
    sides = np.stack([np.isfinite(milp.row_lower), np.isfinite(milp.row_upper)], axis=1)
    source, side = np.nonzero(sides)
    degrees = milp.row_degrees[source]
    indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    start = milp.indptr[source] - indptr[:-1]
    entries = np.repeat(start, degrees) + np.arange(indptr[-1])
    sign = np.where(side == 0, -1.0, 1.0)
    rhs = np.where(side == 0, -milp.row_lower[source], milp.row_upper[source])
    return UpperForm(
        indptr=indptr,
        indices=milp.indices[entries],
        values=milp.values[entries] * np.repeat(sign, degrees),
        rhs=rhs,
        objective=milp.objective if milp.sense == "min" else -milp.objective,
        source=source,
    )


class View:
    """An instance and, each computed at most once, what several statistics need of it."""

    def __init__(self, milp: Milp) -> None:
        self.milp = milp

    @cached_property
    def upper(self) -> UpperForm:
        """The ≤ form."""
        return upper_form(self.milp)

    @cached_property
    def pattern(self) -> csr_array[Any, Any]:
        """The zero-one matrix of the non-zeros of the real rows."""
        from scipy.sparse import csr_array

        milp = self.milp
        ones = np.ones(milp.n_nonzeros)
        return csr_array((ones, milp.indices, milp.indptr), shape=(milp.n_rows, milp.n_cols))

    @cached_property
    def clustering(self) -> tuple[float, float]:
        """Mean Latapy clustering of the rows and of the columns."""
        return clustering_of(self.pattern), clustering_of(self.pattern.T.tocsr())

    @cached_property
    def modularity(self) -> tuple[float, int]:
        """Modularity of the true graph, and the number of communities that have an edge."""
        return best_modularity(combined_adjacency(self.pattern))

    @cached_property
    def conflicts(self) -> Conflicts:
        """Pairs of binary columns that exclude each other by one row."""
        return conflicts_of(self.milp)

    @cached_property
    def row_hashes(self) -> NDArray[np.uint64]:
        """A 64-bit hash of each row: columns, coefficients and sides."""
        return hash_rows(self.milp)
