r"""Instances without their names, order and scale, and the key that brings all of it back.

Row i of the result is row ``row_order[i]`` of the original times ``2^row_shift[i]``; column j is
column ``col_order[j]`` in the unit ``x = 2^col_shift[j] · x'``. Only continuous ones change their
unit, and powers of two change no digit, so the key rebuilds the original bit for bit. What is *not*
hidden is the structure: who knows the original can recognise it (see `fingerprint`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.instance.milp import Kind, Milp

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEY_VERSION = 1
MAX_SHIFT = 3
"""Rows and columns are scaled by 2^-3 … 2^3."""

INFINITE = 1e20
NEGLIGIBLE = 1e-9
"""Solvers read larger bounds as infinite and drop smaller coefficients: scaling crosses neither."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Key:
    """What `anonymise` took away.

    Shapes
    ------
    row_order, row_shift : (m,); col_order, col_shift : (n,)
    """

    name: str
    objective_name: str
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    row_order: NDArray[np.int64]
    col_order: NDArray[np.int64]
    row_shift: NDArray[np.int64]
    col_shift: NDArray[np.int64]

    def as_json(self) -> dict[str, Any]:
        """The key as JSON values."""
        return {
            "schema_version": KEY_VERSION,
            "name": self.name,
            "objective_name": self.objective_name,
            "row_names": list(self.row_names),
            "col_names": list(self.col_names),
            "row_order": self.row_order.tolist(),
            "col_order": self.col_order.tolist(),
            "row_shift": self.row_shift.tolist(),
            "col_shift": self.col_shift.tolist(),
        }

    @classmethod
    def from_json(cls, value: Any, *, source: str = "<key>") -> Key:
        """The key from JSON values, which are checked."""
        if not isinstance(value, dict) or value.get("schema_version") != KEY_VERSION:
            raise DamagedArtifact(source, f"this is no anonymisation key of version {KEY_VERSION}")
        try:
            names = {k: tuple(_text(v) for v in value[k]) for k in ("row_names", "col_names")}
            m, n = len(names["row_names"]), len(names["col_names"])
            return cls(
                name=_text(value["name"]),
                objective_name=_text(value["objective_name"]),
                row_names=names["row_names"],
                col_names=names["col_names"],
                row_order=_order(value["row_order"], m),
                col_order=_order(value["col_order"], n),
                row_shift=_shift(value["row_shift"], m),
                col_shift=_shift(value["col_shift"], n),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise DamagedArtifact(source, f"this is no anonymisation key: {error!r}") from error

    def original_point(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """A point of the anonymous instance as a point of the original."""
        point = np.empty(len(self.col_order))
        point[self.col_order] = np.ldexp(x, self.col_shift)
        return point

    def anonymous_point(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """A point of the original as a point of the anonymous instance."""
        return np.ldexp(x[self.col_order], -self.col_shift)


def anonymise(milp: Milp, rng: np.random.Generator, *, scale: bool = True) -> tuple[Milp, Key]:
    """New names, random order and, unless told otherwise, random powers of two; and the key."""
    row_shift = np.zeros(milp.n_rows, dtype=np.int64)
    col_shift = np.zeros(milp.n_cols, dtype=np.int64)
    row_order = rng.permutation(milp.n_rows)
    col_order = rng.permutation(milp.n_cols)
    if scale:
        row_shift += rng.integers(-MAX_SHIFT, MAX_SHIFT, size=milp.n_rows, endpoint=True)
        drawn = rng.integers(-MAX_SHIFT, MAX_SHIFT, size=milp.n_cols, endpoint=True)
        col_shift += np.where(np.equal(milp.kinds, Kind.CONTINUOUS), drawn, 0)
        _withdraw_unsafe(milp, row_shift, col_shift)
    key = Key(
        name=milp.name,
        objective_name=milp.objective_name,
        row_names=milp.row_names,
        col_names=milp.col_names,
        row_order=row_order,
        col_order=col_order,
        row_shift=row_shift[row_order],
        col_shift=col_shift[col_order],
    )
    scaled = _transformed(milp, row_shift, col_shift, row_order, col_order)
    return Milp.build(**scaled), key


def deanonymise(milp: Milp, key: Key) -> Milp:
    """The original instance, bit for bit (or an edited one with its names, order and scale)."""
    if (milp.n_rows, milp.n_cols) != (len(key.row_order), len(key.col_order)):
        raise UsageError(
            f"the key is for {len(key.row_order)} rows and {len(key.col_order)} columns, "
            f"the instance has {milp.n_rows} and {milp.n_cols}"
        )
    back = _transformed(
        milp, -key.row_shift, -key.col_shift, np.argsort(key.row_order), np.argsort(key.col_order)
    )
    return Milp.build(
        **back,
        name=key.name,
        objective_name=key.objective_name,
        row_names=key.row_names,
        col_names=key.col_names,
    )


def _transformed(
    milp: Milp,
    row_shift: NDArray[np.int64],
    col_shift: NDArray[np.int64],
    row_order: NDArray[np.int64],
    col_order: NDArray[np.int64],
) -> dict[str, Any]:
    """The arguments of `Milp.build`, without names: scaled first, then put into the new order."""
    values = np.ldexp(milp.values, row_shift[milp.entry_rows] + col_shift[milp.indices])
    new_row = np.empty(milp.n_rows, dtype=np.int64)
    new_row[row_order] = np.arange(milp.n_rows)
    new_col = np.empty(milp.n_cols, dtype=np.int64)
    new_col[col_order] = np.arange(milp.n_cols)
    rows, cols = new_row[milp.entry_rows], new_col[milp.indices]
    order = np.lexsort((cols, rows))
    return {
        "sense": milp.sense,
        "offset": milp.offset,
        "objective": np.ldexp(milp.objective, col_shift)[col_order],
        "col_lower": np.ldexp(milp.col_lower, -col_shift)[col_order],
        "col_upper": np.ldexp(milp.col_upper, -col_shift)[col_order],
        "kinds": milp.kinds[col_order],
        "row_lower": np.ldexp(milp.row_lower, row_shift)[row_order],
        "row_upper": np.ldexp(milp.row_upper, row_shift)[row_order],
        "indptr": np.concatenate([[0], np.cumsum(milp.row_degrees[row_order])]),
        "indices": cols[order],
        "values": values[order],
    }


def _withdraw_unsafe(
    milp: Milp, row_shift: NDArray[np.int64], col_shift: NDArray[np.int64]
) -> None:
    """Set shifts to 0 (in place) where a number would lose digits or change its meaning."""
    for sides in (milp.row_lower, milp.row_upper):
        row_shift[_unsafe(sides, row_shift)] = 0
    for values, sign in ((milp.objective, 1), (milp.col_lower, -1), (milp.col_upper, -1)):
        col_shift[_unsafe(values, sign * col_shift)] = 0
    while True:
        bad = _unsafe(milp.values, row_shift[milp.entry_rows] + col_shift[milp.indices])
        if not bad.any():
            return
        row_shift[milp.entry_rows[bad]] = 0
        col_shift[milp.indices[bad]] = 0


def _unsafe(values: NDArray[np.float64], shift: NDArray[np.int64]) -> NDArray[np.bool_]:
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(values, shift)
        lossy = np.ldexp(scaled, -shift) != values
    before, after = np.abs(values), np.abs(scaled)
    crosses = (before >= INFINITE) != (after >= INFINITE)
    crosses |= (before < NEGLIGIBLE) != (after < NEGLIGIBLE)
    unsafe: NDArray[np.bool_] = lossy | crosses
    return unsafe


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _order(value: Any, size: int) -> NDArray[np.int64]:
    order = np.array(value, dtype=np.int64).reshape(-1)
    if not np.array_equal(np.sort(order), np.arange(size)):
        raise ValueError("an order is no permutation")
    return order


def _shift(value: Any, size: int) -> NDArray[np.int64]:
    shift = np.array(value, dtype=np.int64).reshape(-1)
    if shift.shape != (size,) or (size and np.abs(shift).max() > MAX_SHIFT):
        raise ValueError("a shift is out of range")
    return shift
