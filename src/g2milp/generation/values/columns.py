"""Series: instances with the same rows and the same variables, of which only costs and bounds vary.

There each column has a distribution of its own. A masked column gets objective, lower and upper
bound together from one training instance, drawn for each column by itself: exact where columns
vary independently, and within a column whatever belongs together stays together.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.instance.edit import ColumnPatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

FIELDS = ("objective", "lower", "upper")
PREFIX = "series."
INFINITE = 1e300
"""Stands for a missing bound in files, where numbers are finite."""

MIN_INSTANCES = 3
MAX_NUMBERS = 5_000_000


@dataclass(frozen=True, eq=False)
class Columns:
    """What the columns of a series take on.

    Shapes: cols (q,) those that vary; seen (3, instances, q): objective, lower, upper
    """

    fingerprint: str
    cols: NDArray[np.int64]
    seen: NDArray[np.float64]

    @classmethod
    def learn(cls, milps: Iterable[Milp]) -> Columns | None:
        """None unless the instances are a series whose columns vary."""
        known, rows = "", []
        for milp in milps:
            mine = fingerprint(milp)
            if known and mine != known:
                return None
            known = mine
            rows.append(np.stack([milp.objective, milp.col_lower, milp.col_upper]))
            if len(rows) * rows[0].size > MAX_NUMBERS:
                return None
        if len(rows) < MIN_INSTANCES:
            return None
        seen = np.stack(rows, axis=1)
        cols = np.flatnonzero((seen != seen[:, :1]).any(axis=(0, 1)))
        return cls(known, cols.astype(np.int64), seen[:, :, cols]) if cols.size else None

    def fits(self, milp: Milp) -> bool:
        """Whether an instance is one of the series."""
        return fingerprint(milp) == self.fingerprint

    def redrawn(
        self, milp: Milp, masked: NDArray[np.int64], rng: np.random.Generator
    ) -> ColumnPatch:
        """New objective and bounds of the masked columns; those that never vary stay."""
        cols = np.sort(masked)
        donors = rng.integers(self.seen.shape[1], size=cols.size)
        new = np.stack([milp.objective[cols], milp.col_lower[cols], milp.col_upper[cols]])
        place = np.minimum(np.searchsorted(self.cols, cols), self.cols.size - 1)
        varies = self.cols[place] == cols
        new[:, varies] = self.seen[:, donors[varies], place[varies]]
        return ColumnPatch(
            cols=cols, objective=new[0], kinds=milp.kinds[cols], lower=new[1], upper=new[2]
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Named arrays of finite numbers; `from_arrays` is the inverse."""
        finite = np.clip(self.seen, -INFINITE, INFINITE)
        parts = {PREFIX + name: finite[k] for k, name in enumerate(FIELDS)}
        word = np.frombuffer(bytes.fromhex(self.fingerprint), np.uint8)
        return {**parts, f"{PREFIX}cols": self.cols, f"{PREFIX}fingerprint": word}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], where: str) -> Columns | None:
        """From the arrays of a folder; None if there are none of a series."""
        mine = {n.removeprefix(PREFIX): a for n, a in arrays.items() if n.startswith(PREFIX)}
        if not mine:
            return None
        if set(mine) != {*FIELDS, "cols", "fingerprint"}:
            raise DamagedArtifact(where, "the columns of a series are incomplete")
        cols, word = mine["cols"], mine["fingerprint"]
        shapes = {mine[name].shape for name in FIELDS}
        sound = (
            cols.dtype == np.int64
            and cols.ndim == 1
            and cols.size > 0
            and bool((np.diff(cols) > 0).all())
            and int(cols[0]) >= 0
            and word.dtype == np.uint8
            and word.shape == (32,)
            and len(shapes) == 1
            and all(mine[name].dtype == np.float64 for name in FIELDS)
        )
        shape = shapes.pop()
        if not sound or len(shape) != 2 or shape[0] < 1 or shape[1] != cols.size:
            raise DamagedArtifact(where, "the columns of a series do not fit together")
        seen = np.stack([mine[name] for name in FIELDS])
        seen[np.abs(seen) >= INFINITE] *= np.inf
        if not (seen[1] <= seen[2]).all() or not np.isfinite(seen[0]).all():
            raise DamagedArtifact(where, "the columns of a series hold bounds that cross")
        return cls(word.tobytes().hex(), cols, seen)


def fingerprint(milp: Milp) -> str:
    """SHA-256 over everything that the instances of a series have in common."""
    digest = sha256(milp.sense.encode())
    for array in (
        milp.indptr,
        milp.indices,
        milp.values,
        milp.row_lower,
        milp.row_upper,
        milp.kinds,
    ):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update("\n".join(milp.col_names).encode())
    return digest.hexdigest()
