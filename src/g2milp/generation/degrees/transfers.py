r"""Entries of masked rows moved to other columns or other rows: the move that changes degrees.

    (r, c) → (r, d)   accepted by   p(k_c − 1) p(k_d + 1) / p(k_c) p(k_d)
                                    · (k_d + 1) (m − k_c + 1) / (m − k_d) k_c

and likewise (r, c) → (s, c). k are degrees within a block (a row group with a column group), p how
often the family has them, m the number of its rows (or columns). The chain starts at the template
and has the stationary distribution

    P ∝ \prod_c p(k_c) / C(m, k_c) · \prod_r q(l_r) / C(n, l_r)

over all placements of the masked entries: degrees as in the family, and whatever goes with given
degrees equally likely. So every instance gets other degrees, which are distributed as before over
all. The number of entries stays. The uniform numbers are drawn beforehand: native and Python
version do the same, bit for bit.

Refused is what puts a column into a row twice, a row into another that must not contain it, or
gives a row or column as a whole a degree that was never seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.degrees import reference
from g2milp.generation.degrees.problem import Problem, listed
from g2milp.generation.exchange.engine import entries_of
from g2milp.generation.exchange.groups import column_groups, row_groups
from g2milp.instance.edit import RowPatch

try:
    from g2milp.generation.degrees import _degrees as native
except ImportError:  # built without a compiler
    native = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

    Shares: TypeAlias = dict[int, float]
    """How often each degree was seen."""

TRIES = 2.0
"""For each entry that may move; half of them to other columns, half to other rows."""


@dataclass(frozen=True)
class Block:
    """Degrees of the rows and of the columns within a block; those of an empty side stay."""

    rows: Shares
    cols: Shares


@dataclass(frozen=True)
class Freedom:
    """The blocks whose degrees are free, by keys of groups, and what goes for their groups.

    `rows` and `cols` are the degrees of whole rows and columns that were seen in each group, of
    rows in an `antichain` none lies within another.
    """

    blocks: dict[tuple[str, str], Block] = field(default_factory=dict)
    rows: dict[str, frozenset[int]] = field(default_factory=dict)
    cols: dict[str, frozenset[int]] = field(default_factory=dict)
    antichain: frozenset[str] = frozenset()


def transfer(
    milp: Milp,
    masked_rows: NDArray[np.int64],
    rng: np.random.Generator,
    freedom: Freedom,
    *,
    keep: NDArray[np.bool_] | None = None,
    tries: float = TRIES,
    use_native: bool = True,
) -> tuple[RowPatch, int]:
    """The masked rows with some entries moved, and how many moves there were.

    Rows that are marked in `keep`, (k,), take no part.
    """
    open_rows = masked_rows if keep is None else masked_rows[~keep]
    entries, problem = _prepare(milp, open_rows, freedom)
    count = round(tries * problem.row_at.size)
    moved = 0
    if count:
        draws = rng.random((count, 4))
        if native is not None and use_native:
            moved = native.run(*[*problem.arrays(), draws])
        else:
            moved = reference.run(problem, draws)
    return _patch(milp, masked_rows, entries, problem), moved


def _prepare(
    milp: Milp, open_rows: NDArray[np.int64], freedom: Freedom
) -> tuple[NDArray[np.int64], Problem]:
    """The places of the entries that may move, and the problem of moving them."""
    rows, cols = row_groups(milp), column_groups(milp)
    block = np.full((len(rows.keys), len(cols.keys)), -1, np.int32)
    free: list[Block] = []
    for (row, col), degrees in sorted(freedom.blocks.items()):
        if row in rows.keys and col in cols.keys:
            block[rows.keys.index(row), cols.keys.index(col)] = len(free)
            free.append(degrees)
    entries = entries_of(milp, open_rows)
    of_entry = block[rows.of[milp.entry_rows[entries]], cols.of[milp.indices[entries]]]
    entries = entries[of_entry >= 0]
    masked = np.zeros(milp.n_rows, np.uint8)
    masked[open_rows] = 1
    row_law, col_law = (
        listed([_table(shares) for shares in side])
        for side in ([b.rows for b in free], [b.cols for b in free])
    )
    row_seen, col_seen = (
        listed([_table(dict.fromkeys(levels.get(key, ()), 1.0)) for key in groups.keys])
        for groups, levels in ((rows, freedom.rows), (cols, freedom.cols))
    )
    peers = listed([np.sort(open_rows[rows.of[open_rows] == g]) for g in range(len(rows.keys))])
    members = listed([np.flatnonzero(cols.of == g) for g in range(len(cols.keys))])
    return entries, Problem(
        indptr=milp.indptr,
        indices=milp.indices,
        masked=masked,
        row_at=milp.entry_rows[entries].astype(np.int32),
        col_at=milp.indices[entries].copy(),
        row_of=rows.of,
        col_of=cols.of,
        block=block.reshape(-1),
        antichain=np.array([key in freedom.antichain for key in rows.keys], np.uint8),
        heads=np.bincount(rows.of, minlength=len(rows.keys)).astype(np.int64),
        row_law=row_law,
        col_law=col_law,
        row_seen=row_seen,
        col_seen=col_seen,
        peers=(peers[0], peers[1].astype(np.int64)),
        members=(members[0], members[1].astype(np.int64)),
    )


def _table(shares: Shares) -> NDArray[np.float64]:
    """Shares by degree, 0 for those that were not seen."""
    table = np.zeros(max(shares, default=-1) + 1)
    for level, share in shares.items():
        table[level] = share
    return table


def _patch(
    milp: Milp, masked_rows: NDArray[np.int64], entries: NDArray[np.int64], problem: Problem
) -> RowPatch:
    row, col = milp.entry_rows.astype(np.int64), milp.indices.copy()
    row[entries], col[entries] = problem.row_at, problem.col_at
    number = np.full(milp.n_rows, -1, np.int64)
    number[masked_rows] = np.arange(masked_rows.size)
    mine = np.flatnonzero(number[row] >= 0)
    mine = mine[np.lexsort((col[mine], number[row[mine]]))]
    lengths = np.bincount(number[row[mine]], minlength=masked_rows.size)
    return RowPatch(
        rows=masked_rows,
        lower=milp.row_lower[masked_rows],
        upper=milp.row_upper[masked_rows],
        indptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        indices=col[mine],
        values=milp.values[mine],
    )
