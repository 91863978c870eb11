"""What changed between two instances, row by row and column by column.

Rows and columns are matched by name where the names fit, otherwise by position. "Fit" means that at
least half of the smaller side's names occur in the other instance.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from g2milp.evaluation.structure.registry import statistics_of
from g2milp.evaluation.suites import SUITES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

HEADER = ("name", "sense", "offset", "objective_name")
COLUMN_FIELDS = ("objective", "col_lower", "col_upper", "kinds")


@dataclass(frozen=True)
class Change:
    """A value before and after; None where there was none."""

    what: str
    before: float | int | str | None
    after: float | int | str | None


@dataclass(frozen=True)
class LineChange:
    """A row or column that was added, removed or changed.

    `changes` are those of sides, bounds, objective and kind; `entries` those of coefficients, by
    the name of the other side (rows only: a coefficient is listed once).
    """

    name: str
    how: Literal["added", "removed", "changed"]
    changes: tuple[Change, ...]
    entries: tuple[Change, ...]


@dataclass(frozen=True)
class Comparison:
    """Everything in which two instances differ."""

    equal: bool
    isomorphic: bool
    matched_by: dict[str, str]
    header: tuple[Change, ...]
    rows: tuple[LineChange, ...]
    columns: tuple[LineChange, ...]
    rows_kept: int
    columns_kept: int
    entries_kept: int
    statistics: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return asdict(self)


def compare(a: Milp, b: Milp) -> Comparison:
    """Compare two instances."""
    from g2milp.instance.fingerprint import structure_hash

    col_pairs, cols_by = _match(a.col_names, b.col_names)
    row_pairs, rows_by = _match(a.row_names, b.row_names)
    columns = _column_changes(a, b, col_pairs)
    rows, entries_kept = _row_changes(a, b, row_pairs, col_pairs)
    old, new = (statistics_of(m, SUITES["v1"].statistics) for m in (a, b))
    return Comparison(
        equal=a == b,
        isomorphic=structure_hash(a) == structure_hash(b),
        matched_by={"rows": rows_by, "columns": cols_by},
        header=tuple(
            Change(f, getattr(a, f), getattr(b, f))
            for f in HEADER
            if getattr(a, f) != getattr(b, f)
        ),
        rows=rows,
        columns=columns,
        rows_kept=len(row_pairs) - sum(r.how == "changed" for r in rows),
        columns_kept=len(col_pairs) - sum(c.how == "changed" for c in columns),
        entries_kept=entries_kept,
        statistics=tuple(Change(n, old[n], new[n]) for n in old if old[n] != new[n]),
    )


def _match(
    a: tuple[str, ...], b: tuple[str, ...]
) -> tuple[NDArray[np.int64], Literal["name", "position"]]:
    """Pairs (index in a, index in b)."""
    place = {name: j for j, name in enumerate(b)}
    pairs = [(i, place[name]) for i, name in enumerate(a) if name in place]
    if 2 * len(pairs) >= min(len(a), len(b)):
        return np.array(pairs, dtype=np.int64).reshape(-1, 2), "name"
    both = np.arange(min(len(a), len(b)))
    return np.stack([both, both], axis=1), "position"


def _column_changes(a: Milp, b: Milp, pairs: NDArray[np.int64]) -> tuple[LineChange, ...]:
    differing = np.zeros(len(pairs), dtype=np.bool_)
    for name in COLUMN_FIELDS:
        differing |= getattr(a, name)[pairs[:, 0]] != getattr(b, name)[pairs[:, 1]]
    changed = [
        LineChange(
            a.col_names[i],
            "changed",
            tuple(
                Change(name, _plain(getattr(a, name)[i]), _plain(getattr(b, name)[j]))
                for name in COLUMN_FIELDS
                if getattr(a, name)[i] != getattr(b, name)[j]
            ),
            (),
        )
        for i, j in pairs[differing]
    ]
    return (*changed, *_unmatched(a.col_names, b.col_names, pairs))


def _row_changes(
    a: Milp, b: Milp, pairs: NDArray[np.int64], col_pairs: NDArray[np.int64]
) -> tuple[tuple[LineChange, ...], int]:
    """Changed rows, and how many coefficients stayed.

    Columns of `b` get the numbers of their partners in `a`; those without get new ones.
    """
    number = np.full(b.n_cols, -1, dtype=np.int64)
    number[col_pairs[:, 1]] = col_pairs[:, 0]
    alone = number < 0
    number[alone] = a.n_cols + np.arange(int(alone.sum()))
    names = [*a.col_names, *(b.col_names[j] for j in np.flatnonzero(alone))]
    changes, kept = [], 0
    for i, j in pairs:
        old = dict(zip(*(part.tolist() for part in a.row(int(i))), strict=True))
        columns, values = b.row(int(j))
        new = dict(zip(number[columns].tolist(), values.tolist(), strict=True))
        sides = tuple(
            Change(side, _plain(getattr(a, side)[i]), _plain(getattr(b, side)[j]))
            for side in ("row_lower", "row_upper")
            if getattr(a, side)[i] != getattr(b, side)[j]
        )
        entries = tuple(
            Change(names[c], old.get(c), new.get(c))
            for c in sorted({*old, *new})
            if old.get(c) != new.get(c)
        )
        kept += sum(old.get(c) == value for c, value in new.items())
        if sides or entries:
            changes.append(LineChange(a.row_names[i], "changed", sides, entries))
    return (*changes, *_unmatched(a.row_names, b.row_names, pairs)), kept


def _unmatched(
    a: tuple[str, ...], b: tuple[str, ...], pairs: NDArray[np.int64]
) -> list[LineChange]:
    gone = np.setdiff1d(np.arange(len(a)), pairs[:, 0])
    new = np.setdiff1d(np.arange(len(b)), pairs[:, 1])
    return [LineChange(a[i], "removed", (), ()) for i in gone] + [
        LineChange(b[j], "added", (), ()) for j in new
    ]


def _plain(value: Any) -> float | int:
    plain: float | int = value.item() if isinstance(value, np.generic) else value
    return plain
