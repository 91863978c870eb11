"""Splitting constraints into single entries, and the histories that merging is learned from.

G2SAT reads a formula backwards: while a clause of degree above 1 is left, one of the largest (ties
at random) loses a random literal to a new clause. Undoing the last split is a merge of two clauses
that belong together: the positive example. Here a clause is a row, a literal an entry of it, which
keeps its coefficient; there are no negated literals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


@dataclass(frozen=True, eq=False)
class SplitHistory:
    """The order in which entries leave their rows.

    Shapes
    ------
    variable, row : (nnz,), of each entry; detached : (k,), entries in the order of their leaving
    """

    variable: NDArray[np.int64]
    row: NDArray[np.int64]
    detached: NDArray[np.int64]
    n_rows: int
    n_cols: int

    def clauses_after(self, splits: int) -> NDArray[np.int64]:
        """The clause of each entry after so many splits.

        New clauses are numbered from n_rows on.
        """
        clause = self.row.copy()
        clause[self.detached[:splits]] = self.n_rows + np.arange(splits)
        return clause

    def example(
        self, splits: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], tuple[int, int, int]]:
        """Clauses after `splits` ≥ 1 splits and (u, v, w): u, v belong together, v, w do not.

        w is a clause without the variable of v, chosen at random among the others.
        """
        clause = self.clauses_after(splits)
        last = self.detached[splits - 1]
        u, v = int(self.row[last]), self.n_rows + splits - 1
        barred = set(clause[self.variable == self.variable[last]].tolist()) | {u, v}
        for _ in range(64):
            w = int(clause[rng.integers(clause.size)])
            if w not in barred:
                return clause, (u, v, w)
        others = np.setdiff1d(clause, np.fromiter(barred, np.int64))
        w = int(rng.choice(others)) if others.size else u
        return clause, (u, v, w)


def split_history(milp: Milp, rng: np.random.Generator) -> SplitHistory:
    """Split every row down to one entry.

    The largest row first means level by level: at level d all rows of degree ≥ d lose one entry, in
    random order. An entry of random rank k in a row of degree g leaves at level g − k.
    """
    degree = milp.row_degrees[milp.entry_rows]
    shuffled = np.lexsort((rng.random(milp.n_nonzeros), milp.entry_rows))
    rank = np.empty(milp.n_nonzeros, np.int64)
    rank[shuffled] = np.arange(milp.n_nonzeros) - milp.indptr[milp.entry_rows]
    level = degree - rank
    leaving = np.flatnonzero(level >= 2)
    order = np.lexsort((rng.random(leaving.size), -level[leaving]))
    return SplitHistory(
        variable=milp.indices.astype(np.int64),
        row=milp.entry_rows.astype(np.int64),
        detached=leaving[order],
        n_rows=milp.n_rows,
        n_cols=milp.n_cols,
    )
