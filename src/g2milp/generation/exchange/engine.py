"""Degree-preserving exchanges between masked rows: the classical move, under a family's invariants.

Two kinds of move are tried, `effort` times an entry of the masked rows:

* an *exchange*: two entries (r, c), (s, d) of one block, with columns of like degree, become
  (r, d), (s, c): the degrees of all rows and columns stay, and nearly which degrees meet; where
  c = d the two coefficients change places;
* a *permutation*: two coefficients of one row and column group change places.

A move that breaks an invariant, or puts a column into a row twice, is refused; with `scores` an
exchange is also accepted or refused by how well the columns fit the rows. The moves are decided by
uniform numbers drawn beforehand: native and Python version do the same, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.exchange import reference
from g2milp.generation.exchange.groups import (
    Groups,
    column_groups,
    degree_classes,
    one_group,
    row_groups,
)
from g2milp.generation.exchange.invariants import RULES, Invariants
from g2milp.generation.exchange.peeling import peel, roles
from g2milp.generation.exchange.scores import NOBODY, Judge, Scores, thresholds
from g2milp.instance.edit import RowPatch

try:
    from g2milp.generation.exchange import _exchange as native
except ImportError:  # built without a compiler
    native = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.generation.exchange.structure import Structure
    from g2milp.instance.milp import Milp

FREE = RULES.index("free")


@dataclass(frozen=True, eq=False)
class Problem:
    """One instance as the inner loop sees it; `indices` and `values` are changed in place.

    Shapes
    ------
    indptr (m + 1,), indices and values (nnz,): the whole instance
    entries (k,): positions of the masked entries; entry_row (nnz,): the row of each entry
    bucket (nnz,): which entries may change places with each other (block and degree class)
    bucket_start (B + 1,), bucket_entries (k,): the masked entries by bucket
    rule (B,): index into `RULES`; row_of, col_of: groups; overlap, antichain (R,): flags of groups
    turn (n,): peeling order of the columns; peeled (R,): flags of groups whose rows keep to it
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]
    entries: NDArray[np.int64]
    entry_row: NDArray[np.int32]
    bucket: NDArray[np.int32]
    bucket_start: NDArray[np.int64]
    bucket_entries: NDArray[np.int64]
    rule: NDArray[np.uint8]
    row_of: NDArray[np.int32]
    col_of: NDArray[np.int32]
    overlap: NDArray[np.uint8]
    antichain: NDArray[np.uint8]
    turn: NDArray[np.int32]
    peeled: NDArray[np.uint8]


@dataclass(frozen=True)
class Moves:
    """How many moves of each kind were made, and how many were refused."""

    exchanged: int
    permuted: int
    refused: int


def exchange(
    milp: Milp,
    masked_rows: NDArray[np.int64],
    rng: np.random.Generator,
    *,
    invariants: Invariants | None,
    typed: bool = True,
    effort: float = 15.0,
    movable: NDArray[np.bool_] | None = None,
    structure: Structure | None = None,
    scores: Scores | None = None,
    temperature: float = 1.0,
    use_native: bool = True,
) -> tuple[RowPatch, Moves]:
    """Exchange entries among the masked rows; sides and degrees stay as they are.

    Parameters
    ----------
    invariants
        The rules to keep; None keeps only the degrees.
    typed
        Exchange within groups of like rows and columns, and among columns of like degree, only.
    effort
        Moves that are tried for each masked entry.
    movable
        Which of the entries of the masked rows, row after row, may move; None lets all.
    structure
        What else to keep, see `structure`; None keeps no more than the invariants.
    scores, temperature
        Accept exchanges by Metropolis and Hastings, see `scores`; None accepts all that are legal.
    """
    problem = _prepare(milp, masked_rows, invariants, structure, typed, movable, rng)
    tries = round(effort * problem.entries.size)
    draws = rng.random((tries, 3))
    judge = NOBODY
    if scores is not None:
        scores.check(masked_rows.size, milp)
        judge = Judge.of(
            scores, masked_rows, milp.n_rows, thresholds(rng.random(tries), temperature)
        )
    if native is not None and use_native:
        made = native.run(
            problem.indptr,
            problem.indices,
            problem.values,
            problem.entries,
            problem.entry_row,
            problem.bucket,
            problem.bucket_start,
            problem.bucket_entries,
            problem.rule,
            problem.row_of,
            problem.col_of,
            problem.overlap,
            problem.antichain,
            problem.turn,
            problem.peeled,
            draws,
            judge.rows,
            judge.cols,
            judge.weights,
            judge.number,
            judge.limits,
            judge.pair_start,
            judge.pair_cols,
            judge.pair_scores,
        )
    else:
        made = reference.run(problem, draws, judge)
    lengths, entries = milp.row_degrees[masked_rows], entries_of(milp, masked_rows)
    patch = RowPatch(
        rows=masked_rows,
        lower=milp.row_lower[masked_rows],
        upper=milp.row_upper[masked_rows],
        indptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        indices=problem.indices[entries],
        values=problem.values[entries],
    )
    return patch, Moves(*made)


def buckets_of(
    milp: Milp,
    invariants: Invariants | None,
    structure: Structure | None,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Which entries of an instance could change places if all rows were masked: (nnz,)."""
    every = np.arange(milp.n_rows, dtype=np.int64)
    return _prepare(milp, every, invariants, structure, True, None, rng).bucket


def _prepare(
    milp: Milp,
    masked_rows: NDArray[np.int64],
    invariants: Invariants | None,
    structure: Structure | None,
    typed: bool,
    movable: NDArray[np.bool_] | None,
    rng: np.random.Generator,
) -> Problem:
    rows = row_groups(milp) if typed else one_group(milp.n_rows)
    cols = column_groups(milp) if typed else one_group(milp.n_cols)
    kept = invariants or Invariants()
    # Rows of one entry overlap in one column at most, whatever happens: for them it is the
    # antichain that means something. Longer rows with single overlap are one anyway.
    overlap = np.array([k in kept.single_overlap and not k.endswith("single") for k in rows.keys])
    antichain = np.array([k in kept.antichain for k in rows.keys]) & ~overlap.astype(bool)
    peeled = np.array([structure is not None and k in structure.peeled for k in rows.keys])
    turn = np.zeros(milp.n_cols, np.int32)
    if peeled.any():
        turn, _ = peel(milp, peeled[rows.of], rng.random(milp.n_cols))
    entries = entries_of(milp, masked_rows)
    block = rows.of[milp.entry_rows[entries]].astype(np.int64) * len(cols.keys)
    block += cols.of[milp.indices[entries]]
    of_entry, n_classes = _classes(milp, entries, typed, peeled[rows.of], turn)
    if movable is not None:
        entries, block, of_entry = entries[movable], block[movable], of_entry[movable]
    known, of_known = np.unique(block * n_classes + of_entry, return_inverse=True)
    of_known = of_known.reshape(-1)
    bucket = np.full(milp.n_nonzeros, -1, np.int32)
    bucket[entries] = of_known
    counts = np.bincount(of_known, minlength=known.size)
    return Problem(
        indptr=milp.indptr,
        indices=milp.indices.copy(),
        values=milp.values.copy(),
        entries=entries,
        entry_row=milp.entry_rows,
        bucket=bucket,
        bucket_start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        bucket_entries=entries[np.argsort(of_known, kind="stable")],
        rule=_rules(rows, cols, kept)[known // n_classes],
        row_of=rows.of,
        col_of=cols.of,
        overlap=overlap.astype(np.uint8),
        antichain=antichain.astype(np.uint8),
        turn=turn,
        peeled=peeled.astype(np.uint8),
    )


def _classes(
    milp: Milp,
    entries: NDArray[np.int64],
    typed: bool,
    peeled: NDArray[np.bool_],
    turn: NDArray[np.int32],
) -> tuple[NDArray[np.int64], int]:
    """What two entries must agree in besides their block: roles in peeled rows, else degrees."""
    degrees = degree_classes(milp.col_degrees) if typed else np.zeros(milp.n_cols, np.int64)
    of_entry = degrees[milp.indices[entries]]
    n_classes = int(degrees.max(initial=0)) + 1
    there = peeled[milp.entry_rows[entries]]
    if there.any():
        of_entry[there], n_roles = roles(milp, entries[there], turn)
        n_classes = max(n_classes, n_roles)
    return of_entry, n_classes


def _rules(rows: Groups, cols: Groups, kept: Invariants) -> NDArray[np.uint8]:
    rules = [
        RULES.index(kept.blocks.get((row, col), "free")) for row in rows.keys for col in cols.keys
    ]
    return np.array(rules, np.uint8)


def entries_of(milp: Milp, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions of all entries of `rows`, row after row."""
    lengths = milp.row_degrees[rows]
    start = np.repeat(milp.indptr[rows], lengths)
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    positions: NDArray[np.int64] = start + within
    return positions
