r"""How well columns fit masked rows, as what accepts an exchange: Metropolis and Hastings.

    s_rc = w · relu(u_r + v_c)        two layers of a network, the first split (`PairHead`)
    s_rc = u_r · v_c                  bilinear, without `weights`

    (r, c), (s, d) → (r, d), (s, c) is accepted with probability min(1, exp(Δ / T)),
    Δ = s_rd + s_sc − s_rc − s_sd

so that the exchanges draw, among all arrangements that they can reach, one in proportion to
exp(Σ s_rc / T) over the masked entries. A part of s that depends on the row or on the column only
cancels. k rows and n columns cost (k + n) · h numbers; s is computed where a move asks for it.

The numbers are float32 and are summed as float64, one after the other: their products are exact
there, so that every compiler and the Python version get the same sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


@dataclass(frozen=True, eq=False)
class Scores:
    """Factors of the scores of (masked row, column) pairs.

    Shapes
    ------
    rows (k, h): u of each masked row, in the order of `masked_rows`; cols (n, h): v of each column;
    weights (h,), or None for the bilinear form; pairs: a score each in place of the formula's, for
    the (masked row number, column) pairs of a pattern (k, n) with ascending columns
    """

    rows: NDArray[np.float32]
    cols: NDArray[np.float32]
    weights: NDArray[np.float32] | None = None
    pairs: csr_array | None = None

    def check(self, n_masked: int, milp: Milp) -> None:
        """Raise `UsageError` unless the shapes belong to these masked rows and all is finite."""
        width = self.rows.shape[-1]
        shapes = (self.rows.shape, self.cols.shape)
        if shapes != ((n_masked, width), (milp.n_cols, width)) or (
            self.weights is not None and self.weights.shape != (width,)
        ):
            raise UsageError(
                f"scores of shapes {shapes} do not belong to {n_masked} masked rows and "
                f"{milp.n_cols} columns"
            )
        parts = (self.rows, self.cols) if self.weights is None else (self.rows, self.weights)
        given = () if self.pairs is None else (self.pairs.data,)
        if self.pairs is not None and self.pairs.shape != (n_masked, milp.n_cols):
            raise UsageError(f"scores of {self.pairs.shape} pairs do not belong to these rows")
        if not all(bool(np.isfinite(part).all()) for part in (*parts, self.cols, *given)):
            raise UsageError("scores must be finite")

    def of(self, row: int, col: int) -> float:
        """The score of masked row number `row` with a column; slow, for the reference and tests."""
        if self.pairs is not None:
            start, end = self.pairs.indptr[row : row + 2]
            place = start + np.searchsorted(self.pairs.indices[start:end], col)
            if place < end and self.pairs.indices[place] == col:
                return float(self.pairs.data[place])
        if self.weights is None:
            left, right = self.rows[row], self.cols[col]
        else:
            left, right = np.maximum(self.rows[row] + self.cols[col], np.float32(0)), self.weights
        total = 0.0
        for a, b in zip(left.tolist(), right.tolist(), strict=True):
            total += a * b
        return total


def thresholds(draws: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """T log u: a move is refused when its Δ lies below; shapes (t,) → (t,)."""
    if not 0.0 < temperature < np.inf:
        raise UsageError(f"temperature must be positive and finite, not {temperature}")
    with np.errstate(divide="ignore"):
        limits: NDArray[np.float64] = temperature * np.log(draws)
    return limits


@dataclass(frozen=True, eq=False)
class Judge:
    """`Scores` as the inner loop sees them; without limits (`NOBODY`) nothing is judged.

    Shapes
    ------
    rows (k, h), cols (n, h), weights (h,) or (0,); number (m,): which masked row a row is, or −1;
    limits (t,): of each move; pair_start (k + 1,) or (0,), pair_cols and pair_scores (p,): `pairs`
    """

    rows: NDArray[np.float32]
    cols: NDArray[np.float32]
    weights: NDArray[np.float32]
    number: NDArray[np.int32]
    limits: NDArray[np.float64]
    pair_start: NDArray[np.int64]
    pair_cols: NDArray[np.int32]
    pair_scores: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        scores: Scores,
        masked_rows: NDArray[np.int64],
        n_rows: int,
        limits: NDArray[np.float64],
    ) -> Judge:
        """Contiguous arrays for the native loop."""
        number = np.full(n_rows, -1, np.int32)
        number[masked_rows] = np.arange(masked_rows.size)
        weights = np.zeros(0) if scores.weights is None else scores.weights
        parts = (scores.rows, scores.cols, weights)
        rows, cols, flat = (np.ascontiguousarray(part, np.float32) for part in parts)
        if scores.pairs is None:
            return cls(rows, cols, flat, number, limits, *NO_PAIRS)
        start, of, given = scores.pairs.indptr, scores.pairs.indices, scores.pairs.data
        pairs = start.astype(np.int64), of.astype(np.int32), given.astype(np.float32)
        return cls(rows, cols, flat, number, limits, *pairs)

    def gain(self, r: int, c: int, s: int, d: int) -> float:
        """Δ of (r, c), (s, d) → (r, d), (s, c), in the order of sums of the native loop."""
        pairs = None
        if self.pair_start.size:
            shape = (len(self.rows), len(self.cols))
            pairs = csr_array((self.pair_scores, self.pair_cols, self.pair_start), shape=shape)
        scores = Scores(self.rows, self.cols, self.weights if self.weights.size else None, pairs)
        i, j = int(self.number[r]), int(self.number[s])
        return ((scores.of(i, d) + scores.of(j, c)) - scores.of(i, c)) - scores.of(j, d)


NO_PAIRS = (np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))

NOBODY = Judge(
    np.zeros((0, 0), np.float32),
    np.zeros((0, 0), np.float32),
    np.zeros(0, np.float32),
    np.zeros(0, np.int32),
    np.zeros(0),
    *NO_PAIRS,
)
