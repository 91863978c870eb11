"""How new is it: what changed against the template, what it is near to, what it equals.

* Rows are compared with the template's as a multiset: two rows that changed places are no change;
  nor is anything where the whole is isomorphic to the template (its columns changed places).
* An instance that is isomorphic to a training instance or a template (same permutation-invariant
  fingerprint) is no new instance at all; `same_as` names which.
* Distances to training instances do not depend on the order of rows or columns either. Each row
  becomes a colour (its sides and coefficients, its columns' costs, bounds and kinds), once more
  with its columns' degrees, and each column one (its data, coefficients, its rows' sides); then

      distance(a, b) = Σ |count_a − count_b| / Σ (count_a + count_b)   over colours, in [0, 1]
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.instance.fingerprint import content_hash, structure_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.instance.milp import Milp

BUCKETS = 2048
"""Colours are counted in this many buckets; collisions can only shorten a distance."""


def changes(template: Milp, milp: Milp) -> dict[str, Any]:
    """Numbers of rows and columns that really changed, and their shares."""
    old, new = row_keys(template), row_keys(milp)
    changed_rows = int(new.size - _common(old, new))
    changed_cols = int(_changed_columns(template, milp))
    gap = distance(sketch(template), sketch(milp))
    if (
        gap == 0
        and changed_rows + changed_cols
        and structure_hash(template) == structure_hash(milp)
    ):
        changed_rows = changed_cols = 0
    return {
        "changed_rows": changed_rows,
        "changed_cols": changed_cols,
        "changed_share": _share(changed_rows, milp.n_rows),
        "distance_to_parent": gap,
    }


class NoveltyGuard:
    """The known instances: training set and templates, as fingerprints."""

    def __init__(
        self, known: Sequence[Dataset], sketches: NDArray[np.float32] | None = None
    ) -> None:
        self._known = known
        self._given = sketches

    def describe(self, milp: Milp) -> dict[str, Any]:
        """Fingerprints of a new instance, the nearest known one, and the one it equals."""
        structure = structure_hash(milp)
        record: dict[str, Any] = {
            "hash": content_hash(milp),
            "structure_hash": structure,
            "same_as": None,
            "nearest": None,
        }
        if self._names:
            gaps = distances(sketch(milp), self.sketches)
            at = int(np.argmin(gaps))
            record["nearest"] = {"name": self._names[at], "distance": round(float(gaps[at]), 6)}
            record["same_as"] = self._equal_to(milp, structure, gaps)
        return record

    def _equal_to(self, milp: Milp, structure: str, gaps: NDArray[np.float64]) -> str | None:
        """Isomorphic instances have distance 0, so only those are fingerprinted."""
        for at in np.flatnonzero(gaps == 0):
            if self._hash_of(int(at)) == structure:
                return self._names[at]
        return None

    def _hash_of(self, at: int) -> str:
        if at not in self._hashes:
            self._hashes[at] = structure_hash(self._member(at))
        return self._hashes[at]

    def _member(self, at: int) -> Milp:
        for dataset in self._known:
            if at < len(dataset):
                return dataset[at]
            at -= len(dataset)
        raise IndexError(at)

    @cached_property
    def _hashes(self) -> dict[int, str]:
        return {}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(name for dataset in self._known for name in dataset.names)

    @cached_property
    def sketches(self) -> NDArray[np.float32]:
        """Sketch of each known instance, (k, 3 · BUCKETS)."""
        if self._given is not None:
            return self._given
        found = [sketch(milp) for dataset in self._known for milp in dataset]
        return np.array(found, np.float32).reshape(-1, 3 * BUCKETS)


def distance(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Distance of two sketches in [0, 1]; 0 for isomorphic instances."""
    return round(float(distances(a, b[None])[0]), 6)


def distances(one: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float64]:
    """Distances of one sketch to many. Shapes: (buckets,), (k, buckets) -> (k,)."""
    total = one.sum() + others.sum(axis=1)
    gap = np.abs(others - one).sum(axis=1)
    shares: NDArray[np.float64] = np.divide(gap, total, out=np.zeros(len(others)), where=total > 0)
    return shares


def sketch(milp: Milp) -> NDArray[np.float32]:
    """Colours counted, the same for every order of rows and columns. (3 · BUCKETS,)."""
    plain = _hashed(milp.objective, milp.col_lower, milp.col_upper, milp.kinds.astype(np.float64))
    profiled = _mixed(plain ^ _mixed(milp.col_degrees.astype(np.uint64)))
    side = _hashed(milp.row_lower, milp.row_upper)
    value = _mixed(_bits(milp.values))
    of_column = np.zeros(milp.n_cols, np.uint64)
    np.add.at(of_column, milp.indices, _mixed(value ^ side[milp.entry_rows]))
    colours = (
        side + _row_sums(milp, _mixed(plain[milp.indices] ^ value)),
        profiled + of_column,
        side + _row_sums(milp, _mixed(profiled[milp.indices] ^ value)),
    )
    return np.concatenate([_counted(colour) for colour in colours])


def _counted(colour: NDArray[np.uint64]) -> NDArray[np.float32]:
    bucket = (_mixed(colour) % np.uint64(BUCKETS)).astype(np.int64)
    return np.bincount(bucket, minlength=BUCKETS).astype(np.float32)


def row_keys(milp: Milp) -> NDArray[np.uint64]:
    """One key a row, equal where columns, coefficients and sides are. (n_rows,)."""
    place = _mixed(milp.indices.astype(np.uint64) + np.uint64(1))
    entry = _mixed(place ^ _mixed(_bits(milp.values)))
    return _mixed(_hashed(milp.row_lower, milp.row_upper) + _row_sums(milp, entry))


def _row_sums(milp: Milp, entry: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Sums modulo 2^64 of the entries of each row, through differences of a running sum."""
    running = np.zeros(entry.size + 1, np.uint64)
    np.cumsum(entry, out=running[1:])
    return running[milp.indptr[1:]] - running[milp.indptr[:-1]]


def _common(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> int:
    """Size of the intersection of two multisets."""
    keys_a, counts_a = np.unique(a, return_counts=True)
    keys_b, counts_b = np.unique(b, return_counts=True)
    _, at_a, at_b = np.intersect1d(keys_a, keys_b, assume_unique=True, return_indices=True)
    return int(np.minimum(counts_a[at_a], counts_b[at_b]).sum())


def _changed_columns(template: Milp, milp: Milp) -> int:
    if template.n_cols != milp.n_cols:
        return milp.n_cols
    changed = np.zeros(milp.n_cols, bool)
    for field in ("objective", "col_lower", "col_upper", "kinds"):
        changed |= getattr(template, field) != getattr(milp, field)
    return int(changed.sum())


def _share(part: int, whole: int) -> float:
    return round(part / whole, 6) if whole else 0.0


def _hashed(*columns: NDArray[np.float64]) -> NDArray[np.uint64]:
    result = np.zeros(columns[0].shape, np.uint64)
    for values in columns:
        result = _mixed(result * np.uint64(0x100000001B3) ^ _bits(values))
    return result


def _bits(values: ArrayLike) -> NDArray[np.uint64]:
    """The bits of floats, with -0 as 0."""
    return (np.ascontiguousarray(values, dtype=np.float64) + 0.0).view(np.uint64)


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finaliser: every input bit reaches every output bit."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
