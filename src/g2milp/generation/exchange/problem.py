"""What the inner loop of the exchanges works on: one instance, its masked entries by bucket.

Two entries may change places when they are of one *bucket*: like rows, like columns, and columns of
like degree or, in rows that keep a peeling order, entries of like role.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.exchange.groups import (
    Groups,
    column_groups,
    degree_classes,
    one_group,
    row_groups,
    sized_row_groups,
)
from g2milp.generation.exchange.invariants import RULES, Invariants
from g2milp.generation.exchange.peeling import peel, roles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.generation.exchange.structure import Structure
    from g2milp.generation.exchange.ties import Tie
    from g2milp.instance.milp import Milp


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
    woven: whether each row keeps how many pairs of its columns other rows have too
    tie_of (R,): which tie the rows of a group are the keys of, or −1; tie_start (T, n + 1),
    tie_entries: the entries whose value follows each column of a tie; writable (nnz,): masked rows
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
    woven: bool
    tie_of: NDArray[np.int32]
    tie_start: NDArray[np.int64]
    tie_entries: NDArray[np.int64]
    writable: NDArray[np.uint8]


def prepare(
    milp: Milp,
    masked_rows: NDArray[np.int64],
    invariants: Invariants | None,
    structure: Structure | None,
    typed: bool,
    movable: NDArray[np.bool_] | None,
    rng: np.random.Generator,
) -> Problem:
    """The problem of exchanging the entries of `masked_rows`; `rng` breaks ties of the peeling."""
    fine = structure.fine if structure is not None and typed else None
    rows = sized_row_groups(milp) if fine is not None else row_groups(milp)
    rows = rows if typed else one_group(milp.n_rows)
    cols = column_groups(milp) if typed else one_group(milp.n_cols)
    kept = fine or invariants or Invariants()
    # Rows of one entry overlap in one column at most, whatever happens: for them it is the
    # antichain that means something. Longer rows with single overlap are one anyway.
    overlap = np.array([k in kept.single_overlap and not k.endswith("single") for k in rows.keys])
    antichain = np.array([k in kept.antichain for k in rows.keys]) & ~overlap.astype(bool)
    peeled = np.array([structure is not None and k in structure.peeled for k in rows.keys])
    turn = np.zeros(milp.n_cols, np.int32)
    if peeled.any():
        turn, _ = peel(milp, peeled[rows.of], rng.random(milp.n_cols))
    entries = entries_of(milp, masked_rows)
    writable = np.zeros(milp.n_nonzeros, np.uint8)
    writable[entries] = 1
    block = rows.of[milp.entry_rows].astype(np.int64) * len(cols.keys) + cols.of[milp.indices]
    ties = structure.ties if structure is not None and fine is not None else ()
    tied, tie_of, tie_start, tie_entries = _ties(milp, ties, block, rows, cols)
    of_entry, n_classes = _classes(milp, entries, typed, peeled[rows.of], turn)
    moving = ~tied[entries] if movable is None else movable & ~tied[entries]
    entries, of_entry = entries[moving], of_entry[moving]
    block = block[entries]
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
        woven=fine is not None,
        tie_of=tie_of,
        tie_start=tie_start,
        tie_entries=tie_entries,
        writable=writable,
    )


def buckets_of(
    milp: Milp,
    invariants: Invariants | None,
    structure: Structure | None,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Which entries of an instance could change places if all rows were masked: (nnz,).

    Entries that follow others are alone in their buckets.
    """
    every = np.arange(milp.n_rows, dtype=np.int64)
    bucket = prepare(milp, every, invariants, structure, True, None, rng).bucket
    alone = np.flatnonzero(bucket < 0)
    bucket[alone] = int(bucket.max(initial=-1)) + 1 + np.arange(alone.size)
    return bucket


def _ties(
    milp: Milp, ties: tuple[Tie, ...], block: NDArray[np.int64], rows: Groups, cols: Groups
) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Entries that only follow others, and by key group and column what follows it."""
    tied = np.zeros(milp.n_nonzeros, bool)
    tie_of = np.full(len(rows.keys), -1, np.int32)
    followers: dict[int, list[int]] = {}
    for tie in ties:
        if tie.row in rows.keys and tie.col in cols.keys:
            follower = rows.keys.index(tie.row) * len(cols.keys) + cols.keys.index(tie.col)
            tied |= block == follower
            if tie.kind == "by row of" and tie.key in rows.keys:
                followers.setdefault(rows.keys.index(tie.key), []).append(follower)
    starts, lists, shift = [], [], 0
    for number, (group, blocks) in enumerate(sorted(followers.items())):
        tie_of[group] = number
        places = np.flatnonzero(np.isin(block, blocks))
        order = np.argsort(milp.indices[places], kind="stable")
        counts = np.bincount(milp.indices[places], minlength=milp.n_cols)
        starts.append(np.concatenate([[0], np.cumsum(counts)]) + shift)
        lists.append(places[order])
        shift += places.size
    if not starts:
        return tied, tie_of, np.zeros((0, 0), np.int64), np.zeros(0, np.int64)
    return tied, tie_of, np.stack(starts).astype(np.int64), np.concatenate(lists).astype(np.int64)


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
