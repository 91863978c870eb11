"""`Milp`: one mixed-integer linear program in memory, lossless and immutable.

    min or max   c'x + offset
    subject to   row_lower ≤ A x ≤ row_upper
                 col_lower ≤   x ≤ col_upper,   x_j integer where its kind says so

A row is one row: an equality has equal sides, a range two finite ones, a free row none. `A` is held
row by row (CSR) with the columns of a row in increasing order, no explicit zeros and float64 values
exactly as they were read.
"""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeVar

import numpy as np

from g2milp.errors import InvalidMilp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray
    from scipy.sparse import csc_array, csr_array

Sense: TypeAlias = Literal["min", "max"]
_Scalar = TypeVar("_Scalar", bound=np.generic)


class Kind(enum.IntEnum):
    """What values a column may take; the codes are those of the `kinds` array."""

    CONTINUOUS = 0
    INTEGER = 1
    SEMI_CONTINUOUS = 2
    SEMI_INTEGER = 3


class RowSense(enum.IntEnum):
    """Which sides a row has; the codes are those of `Milp.senses`."""

    LESS = 0
    GREATER = 1
    EQUAL = 2
    RANGE = 3
    FREE = 4


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Milp:
    """One instance. Build it with `Milp.build`, which sorts, fills in names and checks.

    Attributes
    ----------
    name
        The NAME of the model, possibly empty.
    sense
        ``"min"`` or ``"max"``; the objective is kept as written, never negated.
    offset
        The constant that is added to the objective.
    objective_name
        The name of the objective row in files.
    objective, col_lower, col_upper, kinds, col_names
        One entry a column; `kinds` holds `Kind` codes (uint8).
    row_lower, row_upper, row_names
        One entry a row; a missing side is minus or plus infinity.
    indptr, indices, values
        The matrix in CSR form: row i has the entries ``indptr[i]:indptr[i + 1]``.
    """

    name: str
    sense: Sense
    offset: float
    objective_name: str
    objective: NDArray[np.float64]
    col_lower: NDArray[np.float64]
    col_upper: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    col_names: tuple[str, ...]
    row_lower: NDArray[np.float64]
    row_upper: NDArray[np.float64]
    row_names: tuple[str, ...]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the reader was allowed to decide (`--accept`); no part of the instance."""

    @classmethod
    def build(
        cls,
        *,
        objective: ArrayLike,
        indptr: ArrayLike,
        indices: ArrayLike,
        values: ArrayLike,
        row_lower: ArrayLike,
        row_upper: ArrayLike,
        col_lower: ArrayLike | None = None,
        col_upper: ArrayLike | None = None,
        kinds: ArrayLike | None = None,
        sense: Sense = "min",
        offset: float = 0.0,
        name: str = "",
        objective_name: str = "OBJ",
        row_names: Sequence[str] | None = None,
        col_names: Sequence[str] | None = None,
        notes: Sequence[str] = (),
    ) -> Self:
        """Make a `Milp` from arrays: copied, rows sorted, explicit zeros dropped, checked.

        Columns are continuous in [0, ∞) and names ``r0, r1, …`` and ``c0, c1, …`` unless given.
        """
        cost = _floats(objective, "objective")
        n_cols = cost.size
        lower = _floats(row_lower, "row_lower")
        n_rows = lower.size
        pointer = np.array(indptr, dtype=np.int64)
        column = np.array(indices, dtype=np.int32)
        entry = _floats(values, "values")
        pointer, column, entry = _canonical_csr(pointer, column, entry, n_rows, n_cols)
        milp = cls(
            name=name,
            sense=sense,
            offset=float(offset) + 0.0,
            objective_name=objective_name,
            objective=_frozen(cost),
            col_lower=_frozen(
                np.zeros(n_cols) if col_lower is None else _floats(col_lower, "col_lower")
            ),
            col_upper=_frozen(
                np.full(n_cols, np.inf) if col_upper is None else _floats(col_upper, "col_upper")
            ),
            kinds=_frozen(
                np.zeros(n_cols, np.uint8) if kinds is None else np.array(kinds, dtype=np.uint8)
            ),
            col_names=tuple(col_names) if col_names is not None else default_names("c", n_cols),
            row_lower=_frozen(lower),
            row_upper=_frozen(_floats(row_upper, "row_upper")),
            row_names=tuple(row_names) if row_names is not None else default_names("r", n_rows),
            indptr=_frozen(pointer),
            indices=_frozen(column),
            values=_frozen(entry),
            notes=tuple(notes),
        )
        milp.check_numbers()
        _check_names(milp)
        return milp

    @property
    def n_rows(self) -> int:
        """Number of rows, free ones included."""
        return self.row_lower.size

    @property
    def n_cols(self) -> int:
        """Number of columns."""
        return self.objective.size

    @property
    def n_nonzeros(self) -> int:
        """Number of matrix entries."""
        return self.values.size

    @cached_property
    def row_degrees(self) -> NDArray[np.int64]:
        """Entries in each row."""
        return np.diff(self.indptr)

    @cached_property
    def col_degrees(self) -> NDArray[np.int64]:
        """Entries in each column."""
        return np.bincount(self.indices, minlength=self.n_cols).astype(np.int64)

    @cached_property
    def entry_rows(self) -> NDArray[np.int32]:
        """The row of each entry, the partner of `indices`."""
        return np.repeat(np.arange(self.n_rows, dtype=np.int32), self.row_degrees)

    @property
    def is_integer(self) -> NDArray[np.bool_]:
        """Columns whose values are integers (semi-integer ones included)."""
        return np.isin(self.kinds, (int(Kind.INTEGER), int(Kind.SEMI_INTEGER)))

    @property
    def is_binary(self) -> NDArray[np.bool_]:
        """Integer columns with the bounds 0 and 1."""
        binary: NDArray[np.bool_] = (
            np.equal(self.kinds, Kind.INTEGER)
            & np.equal(self.col_lower, 0)
            & np.equal(self.col_upper, 1)
        )
        return binary

    @property
    def is_equality(self) -> NDArray[np.bool_]:
        """Rows whose two sides are equal."""
        return np.equal(self.row_lower, self.row_upper)

    @cached_property
    def senses(self) -> NDArray[np.uint8]:
        """The `RowSense` code of each row."""
        below, above = np.isfinite(self.row_lower), np.isfinite(self.row_upper)
        cases = [self.is_equality & above, below & above, above, below]
        order = [RowSense.EQUAL, RowSense.RANGE, RowSense.LESS, RowSense.GREATER]
        return _frozen(np.select(cases, order, RowSense.FREE).astype(np.uint8))

    def row(self, i: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Columns and coefficients of row `i`, as views."""
        start, end = self.indptr[i], self.indptr[i + 1]
        return self.indices[start:end], self.values[start:end]

    def matrix(self) -> csr_array[Any, Any]:
        """`A` as a SciPy CSR array that shares this instance's memory."""
        from scipy.sparse import csr_array

        return csr_array((self.values, self.indices, self.indptr), shape=(self.n_rows, self.n_cols))

    def matrix_by_column(self) -> csc_array[Any]:
        """`A` as a SciPy CSC array (a copy)."""
        return self.matrix().tocsc()

    def activity(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """`A x`, in float64."""
        products = self.values * x[self.indices]
        sums = np.bincount(self.entry_rows, weights=products, minlength=self.n_rows)
        return sums.astype(np.float64)

    def __eq__(self, other: object) -> bool:
        """Equal bit for bit: values, order, names, sense, offset (`notes` do not count)."""
        if not isinstance(other, Milp):
            return NotImplemented
        return not differing_fields(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        integers = int(self.is_integer.sum())
        return (
            f"Milp({self.name!r}, {self.sense}, {self.n_rows} rows × {self.n_cols} columns "
            f"({integers} integer), {self.n_nonzeros} non-zeros)"
        )

    def check_numbers(self) -> None:
        """Refuse wrong shapes, NaN and impossible sides; names are not looked at."""
        _check_shapes(self)
        _check_values(self)


COLUMN_FIELDS = ("objective", "col_lower", "col_upper", "kinds", "col_names")
ROW_FIELDS = ("row_lower", "row_upper", "row_names")
MATRIX_FIELDS = ("indptr", "indices", "values")
SCALAR_FIELDS = ("name", "sense", "offset", "objective_name")


def differing_fields(a: Milp, b: Milp) -> list[str]:
    """Names of the fields in which two instances are not bit-identical."""
    return [
        field_name
        for field_name in (*SCALAR_FIELDS, *COLUMN_FIELDS, *ROW_FIELDS, *MATRIX_FIELDS)
        if not _same(getattr(a, field_name), getattr(b, field_name))
    ]


def default_names(letter: str, count: int) -> tuple[str, ...]:
    """The names of unnamed rows and columns: ``c0, c1, …``."""
    return tuple(f"{letter}{i}" for i in range(count))


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return bool(a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, float):
        return np.float64(a).tobytes() == np.float64(b).tobytes()
    return bool(a == b)


def _frozen(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    array.flags.writeable = False
    return array


def _floats(values: ArrayLike, what: str) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1:
        raise InvalidMilp(f"{what} must be one-dimensional, not of shape {array.shape}")
    array += 0.0  # one zero only: -0.0 becomes 0.0
    return array


def _canonical_csr(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    n_rows: int,
    n_cols: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Sort the columns of each row and drop explicit zeros; refuse what is no CSR matrix."""
    if indptr.shape != (n_rows + 1,) or indptr[0] != 0 or np.any(np.diff(indptr) < 0):
        raise InvalidMilp(f"indptr must rise from 0 and have {n_rows + 1} entries")
    if indices.shape != (indptr[-1],) or values.shape != (indptr[-1],):
        raise InvalidMilp("indptr, indices and values do not fit together")
    if indices.size and (indices.min() < 0 or indices.max() >= n_cols):
        raise InvalidMilp(f"a column index lies outside 0..{n_cols - 1}")
    rows = np.repeat(np.arange(n_rows), np.diff(indptr))
    key = rows * np.int64(max(n_cols, 1)) + indices
    step = np.diff(key)
    if np.any(step < 0):
        order = np.argsort(key, kind="stable")
        key, indices, values, rows = key[order], indices[order], values[order], rows[order]
        step = np.diff(key)
    if np.any(step == 0):
        at = int(np.flatnonzero(step == 0)[0])
        raise InvalidMilp(f"row {rows[at]} has two entries for column {indices[at]}")
    kept = values != 0
    if not kept.all():
        indices, values, rows = indices[kept], values[kept], rows[kept]
        indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))]).astype(
            np.int64
        )
    return indptr, indices, values


def _check_shapes(milp: Milp) -> None:
    for field_name in COLUMN_FIELDS:
        size = len(getattr(milp, field_name))
        if size != milp.n_cols:
            raise InvalidMilp(f"{field_name} has {size} entries for {milp.n_cols} columns")
    for field_name in ROW_FIELDS:
        size = len(getattr(milp, field_name))
        if size != milp.n_rows:
            raise InvalidMilp(f"{field_name} has {size} entries for {milp.n_rows} rows")
    if milp.sense not in ("min", "max"):
        raise InvalidMilp(f"sense must be 'min' or 'max', not {milp.sense!r}")
    if milp.kinds.size and milp.kinds.max() > max(Kind):
        raise InvalidMilp(f"{milp.kinds.max()} is no kind of column")


def _check_values(milp: Milp) -> None:
    for field_name in ("objective", "values"):
        if not np.isfinite(getattr(milp, field_name)).all():
            raise InvalidMilp(f"{field_name} holds a NaN or an infinity")
    if not np.isfinite(milp.offset):
        raise InvalidMilp(f"the offset is {milp.offset}")
    for lower, upper, what in (
        (milp.col_lower, milp.col_upper, "column"),
        (milp.row_lower, milp.row_upper, "row"),
    ):
        bad = np.isnan(lower) | np.isnan(upper) | (lower == np.inf) | (upper == -np.inf)
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            raise InvalidMilp(f"{what} {at} has the sides {lower[at]} and {upper[at]}")


def _check_names(milp: Milp) -> None:
    for names, what in ((milp.row_names, "row"), (milp.col_names, "column")):
        if len(set(names)) != len(names):
            twice, _ = Counter(names).most_common(1)[0]
            raise InvalidMilp(f"two {what}s are called {twice!r}")
