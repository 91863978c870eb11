r"""Set covering, after Balas and Ho (1980) with the sizes of Gasse et al. (2019).

    min c'x   subject to   \sum_{j : i \in S_j} x_j \ge 1 for every element i,   x binary

The number of non-zeros is exactly ⌊rows · columns · density⌋. Every column covers at least two
rows and every row is covered at least once; beyond that the column of each non-zero is uniform and
the rows of a column are a uniform random subset. Costs are whole numbers, uniform in 1..max_cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from g2milp.errors import UsageError
from g2milp.instance.milp import Kind, Milp
from g2milp.problems.parameters import Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class SetCoverParameters(Parameters):
    """Sizes, density and largest cost."""

    n_rows: int = 500
    n_cols: int = 1000
    density: float = 0.05
    max_cost: int = 100

    RANGES: ClassVar[dict[str, tuple[float, float]]] = {
        "n_rows": (2, 10**7),
        "n_cols": (1, 10**7),
        "density": (0, 1),
        "max_cost": (1, 2**31),
    }

    def check(self) -> None:
        """There must be room for two entries a column and one a row."""
        need = max(2 * self.n_cols, self.n_rows)
        if self.n_nonzeros < need:
            raise UsageError(
                f"density {self.density:g} gives {self.n_nonzeros} non-zeros; two in every column "
                f"and one in every row need {need}",
                hint=f"Use a density of at least {need / (self.n_rows * self.n_cols):.3g}.",
            )

    @property
    def n_nonzeros(self) -> int:
        """⌊rows · columns · density⌋, without the rounding noise of the product."""
        return int(self.n_rows * self.n_cols * self.density + 1e-9)


PARAMETERS = SetCoverParameters


def make(parameters: SetCoverParameters, rng: np.random.Generator) -> Milp:
    """Draw one instance."""
    n_rows, n_cols = parameters.n_rows, parameters.n_cols
    counts = _column_counts(parameters, rng)
    cols = np.repeat(np.arange(n_cols), counts)
    rows = _distinct_rows(cols, counts, n_rows, rng)
    order = np.lexsort((cols, rows))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))])
    return Milp.build(
        name=f"setcover-{n_rows}-{n_cols}",
        objective=rng.integers(1, parameters.max_cost, size=n_cols, endpoint=True),
        objective_name="cost",
        indptr=indptr,
        indices=cols[order],
        values=np.ones(cols.size),
        row_lower=np.ones(n_rows),
        row_upper=np.full(n_rows, np.inf),
        col_upper=np.ones(n_cols),
        kinds=np.full(n_cols, Kind.INTEGER),
        row_names=[f"element_{i}" for i in range(n_rows)],
        col_names=[f"set_{j}" for j in range(n_cols)],
    )


def _column_counts(parameters: SetCoverParameters, rng: np.random.Generator) -> NDArray[np.int64]:
    """Entries of each column: two, and the rest uniform; none has more than there are rows."""
    n_rows, n_cols = parameters.n_rows, parameters.n_cols
    counts = np.full(n_cols, 2, dtype=np.int64)
    left = parameters.n_nonzeros - 2 * n_cols
    while left:
        open_cols = np.flatnonzero(counts < n_rows)
        drawn = open_cols[rng.integers(open_cols.size, size=left)]
        counts += np.bincount(drawn, minlength=n_cols)
        left = int(np.maximum(counts - n_rows, 0).sum())
        np.minimum(counts, n_rows, out=counts)
    return counts


def _distinct_rows(
    cols: NDArray[np.int64], counts: NDArray[np.int64], n_rows: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """A row for each entry, distinct within a column, every row used.

    The first `n_rows` entries of a random order of the columns take a permutation of the rows, so
    that each is covered; all others are drawn anew until they differ, which leaves each column's
    set of rows uniform. Crowded columns, where that would be slow, take a permutation's beginning.
    """
    starts = np.cumsum(counts) - counts
    rows = rng.integers(n_rows, size=cols.size)
    column_order = rng.permutation(counts.size)
    ends = np.cumsum(counts[column_order])
    fixed = np.zeros(cols.size, dtype=bool)
    covering = rng.permutation(n_rows)
    taken = 0
    for column, end in zip(column_order, ends, strict=True):
        part = min(n_rows, int(end)) - taken
        span = slice(starts[column], starts[column] + part)
        rows[span] = covering[taken : taken + part]
        fixed[span] = True
        taken += part
        if taken == n_rows:
            break
    for column in np.flatnonzero(2 * counts > n_rows):
        span = slice(starts[column], starts[column] + counts[column])
        kept = rows[span][fixed[span]]
        others = np.setdiff1d(np.arange(n_rows), kept, assume_unique=True)
        rows[span][kept.size :] = rng.permutation(others)[: counts[column] - kept.size]
        fixed[span] = True
    while (again := _repeated(cols, rows, fixed, n_rows)).size:
        rows[again] = rng.integers(n_rows, size=again.size)
    return rows


def _repeated(
    cols: NDArray[np.int64], rows: NDArray[np.int64], fixed: NDArray[np.bool_], n_rows: int
) -> NDArray[np.int64]:
    """Entries whose column has an earlier entry (fixed ones first) in the same row."""
    key = cols * n_rows + rows
    order = np.lexsort((~fixed, key))
    same = key[order][1:] == key[order][:-1]
    return np.sort(order[1:][same])
