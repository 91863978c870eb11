"""Two fingerprints: of the exact content, and of the structure whatever the order.

`content_hash` is SHA-256 over all numbers in order; it ignores names. `structure_hash` is the same
for every order of rows and columns: colours are refined on the bipartite graph of rows and columns
(Weisfeiler and Leman) until the partition is stable, and the hash is taken over the multiset of
colours. Equal instances always have equal hashes; different ones may share a structure hash only
when colour refinement cannot tell them apart.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

_CONTENT_VERSION = b"g2milp content 1\n"
_STRUCTURE_VERSION = b"g2milp structure 1\n"

MAX_ROUNDS = 50
"""Refinement stops here at the latest; long paths would need as many rounds as they have nodes."""

# Odd constants of two different mixers, one a lane: fractional parts of square and cube roots.
_FACTORS = (np.uint64(0x6A09E667F3BCC909), np.uint64(0x428A2F98D728AE23))
_MULTIPLIERS = (
    (np.uint64(0xBB67AE8584CAA73B), np.uint64(0x3C6EF372FE94F82B)),
    (np.uint64(0x7137449123EF65CD), np.uint64(0xB5C0FBCFEC4D3B2F)),
)
_SHIFTS = (np.uint64(32), np.uint64(29))


def content_hash(milp: Milp) -> str:
    """SHA-256 (hex) over sense, offset, kinds, bounds, sides and matrix, in order; no names."""
    digest = hashlib.sha256(_CONTENT_VERSION)
    digest.update(milp.sense.encode())
    digest.update(np.array([milp.n_rows, milp.n_cols, milp.n_nonzeros], "<i8").tobytes())
    digest.update(np.array([milp.offset], "<f8").tobytes())
    for floats in (
        milp.objective,
        milp.col_lower,
        milp.col_upper,
        milp.row_lower,
        milp.row_upper,
        milp.values,
    ):
        digest.update(np.ascontiguousarray(floats, "<f8").data)
    digest.update(np.ascontiguousarray(milp.kinds, np.uint8).data)
    digest.update(np.ascontiguousarray(milp.indptr, "<i8").data)
    digest.update(np.ascontiguousarray(milp.indices, "<i4").data)
    return digest.hexdigest()


def structure_hash(milp: Milp) -> str:
    """SHA-256 (hex) of the coloured structure: the same for every order of rows and columns."""
    colours = refine(milp)
    digest = hashlib.sha256(_STRUCTURE_VERSION)
    digest.update(milp.sense.encode())
    digest.update(np.array([milp.offset + 0.0], "<f8").tobytes())
    for lanes in (colours.rows, colours.cols):
        digest.update(np.array(lanes.shape[1:], "<i8").tobytes())
        digest.update(lanes[:, np.lexsort(lanes)].astype("<u8").tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, eq=False, kw_only=True)
class Colours:
    """The colours of rows and columns after refinement.

    Shapes
    ------
    rows : (2, n_rows); cols : (2, n_cols), uint64: two independent hashes of one colour
    """

    rows: NDArray[np.uint64]
    cols: NDArray[np.uint64]
    rounds: int


def refine(milp: Milp) -> Colours:
    """Colour refinement in O(rounds · non-zeros).

    A row starts with the hash of its sides, a column with that of objective, bounds and kind. In
    each round a node's new colour is the hash of its own and of the multiset of (coefficient,
    neighbour's colour), a sum modulo 2^64. It ends when no class was split.
    """
    order = np.argsort(milp.indices, kind="stable")
    by_row = _Side(milp.indptr, milp.indices, _bits(milp.values))
    col_ptr = np.concatenate([[0], np.cumsum(milp.col_degrees)])
    by_col = _Side(col_ptr, milp.entry_rows[order], by_row.weights[order])
    rows = _initial((milp.row_lower, milp.row_upper))
    cols = _initial((milp.objective, milp.col_lower, milp.col_upper, milp.kinds.astype(np.float64)))
    classes = _count(rows) + _count(cols)
    for round_ in range(1, MAX_ROUNDS + 1):
        rows = by_row.refined(rows, cols)
        cols = by_col.refined(cols, rows)
        before, classes = classes, _count(rows) + _count(cols)
        if classes == before:
            return Colours(rows=rows, cols=cols, rounds=round_)
    return Colours(rows=rows, cols=cols, rounds=MAX_ROUNDS)


@dataclass(frozen=True, eq=False)
class _Side:
    """The matrix as seen from the rows, or from the columns."""

    pointer: NDArray[np.int64]
    neighbours: NDArray[np.int32]
    weights: NDArray[np.uint64]

    def refined(self, own: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """New colours (2, n) of this side from its own and the other side's."""
        new = np.empty_like(own)
        for lane in range(2):
            mixed = _mixed(other[lane], lane)
            terms = mixed[self.neighbours]
            terms *= self.weights
            terms ^= terms >> _SHIFTS[lane]
            totals = np.zeros(terms.size + 1, np.uint64)
            np.cumsum(terms, out=totals[1:])
            sums = totals[self.pointer[1:]] - totals[self.pointer[:-1]]
            new[lane] = _mixed(own[lane] * _FACTORS[lane] + sums, lane)
        return new


def _initial(fields: tuple[NDArray[np.float64], ...]) -> NDArray[np.uint64]:
    colours = np.zeros((2, fields[0].size), np.uint64)
    for lane in range(2):
        for values in fields:
            colours[lane] = _mixed(colours[lane] * _FACTORS[lane] + _bits(values), lane)
    return colours


def _bits(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    """A well mixed odd number for each float; the two zeros are the same."""
    plain = np.ascontiguousarray(values + 0.0).view(np.uint64)
    return _mixed(plain, 0) | np.uint64(1)


def _mixed(words: NDArray[np.uint64], lane: int) -> NDArray[np.uint64]:
    """A bijection of 64-bit words that spreads every bit (two rounds of multiply and shift)."""
    out = words + _FACTORS[lane]
    for factor in _MULTIPLIERS[lane]:
        out ^= out >> _SHIFTS[lane]
        out *= factor
    out ^= out >> _SHIFTS[lane]
    return out


def _count(lanes: NDArray[np.uint64]) -> int:
    """Number of different colours (the first hash tells them apart but for 1 in 2^64 chances)."""
    return int(np.unique(lanes[0]).size)
