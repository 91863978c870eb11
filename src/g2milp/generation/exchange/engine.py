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
from g2milp.generation.exchange.problem import buckets_of, entries_of, prepare
from g2milp.generation.exchange.scores import NOBODY, Judge, Scores, thresholds
from g2milp.instance.edit import RowPatch

try:
    from g2milp.generation.exchange import _exchange as native
except ImportError:  # built without a compiler
    native = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.generation.exchange.structure import Structure
    from g2milp.instance.milp import Milp

__all__ = ["Moves", "buckets_of", "entries_of", "exchange"]


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
    problem = prepare(milp, masked_rows, invariants, structure, typed, movable, rng)
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
            problem.woven,
            problem.tie_of,
            problem.tie_start,
            problem.tie_entries,
            problem.writable,
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
