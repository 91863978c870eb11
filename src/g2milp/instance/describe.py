"""What an instance is, in numbers: sizes, kinds of rows and columns, ranges of coefficients.

One linear pass over the arrays; nothing is solved and nothing judged (`diagnose` judges).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from g2milp.instance.milp import Kind, RowSense

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

Range: TypeAlias = tuple[float, float] | None
"""Least and greatest absolute value of the finite non-zero numbers; None where there are none."""


@dataclass(frozen=True, kw_only=True)
class Description:
    """Counts and ranges of one instance.

    Attributes
    ----------
    rows
        By sense: equality, less, greater, range, free. They add up to `n_rows`.
    columns
        By kind: binary, integer, continuous, semi_continuous, semi_integer. They add up to
        `n_cols`.
    row_degree, col_degree
        Least, mean and greatest number of entries.
    """

    name: str
    sense: str
    offset: float
    n_rows: int
    n_cols: int
    n_nonzeros: int
    density: float
    rows: dict[str, int]
    columns: dict[str, int]
    objective_nonzeros: int
    row_degree: tuple[int, float, int]
    col_degree: tuple[int, float, int]
    coefficients: Range
    objective: Range
    sides: Range
    bounds: Range


def describe(milp: Milp) -> Description:
    """Count and measure one instance."""
    cells = milp.n_rows * milp.n_cols
    return Description(
        name=milp.name,
        sense=milp.sense,
        offset=milp.offset,
        n_rows=milp.n_rows,
        n_cols=milp.n_cols,
        n_nonzeros=milp.n_nonzeros,
        density=milp.n_nonzeros / cells if cells else 0.0,
        rows=row_senses(milp),
        columns=column_kinds(milp),
        objective_nonzeros=int(np.count_nonzero(milp.objective)),
        row_degree=_spread(milp.row_degrees),
        col_degree=_spread(milp.col_degrees),
        coefficients=_range(milp.values),
        objective=_range(milp.objective),
        sides=_range(milp.row_lower, milp.row_upper),
        bounds=_range(milp.col_lower, milp.col_upper),
    )


def row_senses(milp: Milp) -> dict[str, int]:
    """How many rows there are of each sense."""
    counts = np.bincount(milp.senses, minlength=len(RowSense))
    return {
        "equality": int(counts[RowSense.EQUAL]),
        "less": int(counts[RowSense.LESS]),
        "greater": int(counts[RowSense.GREATER]),
        "range": int(counts[RowSense.RANGE]),
        "free": int(counts[RowSense.FREE]),
    }


def column_kinds(milp: Milp) -> dict[str, int]:
    """How many columns there are of each kind; binary ones are not counted as integer again."""
    counts = np.bincount(milp.kinds, minlength=len(Kind))
    binary = int(milp.is_binary.sum())
    return {
        "binary": binary,
        "integer": int(counts[Kind.INTEGER]) - binary,
        "continuous": int(counts[Kind.CONTINUOUS]),
        "semi_continuous": int(counts[Kind.SEMI_CONTINUOUS]),
        "semi_integer": int(counts[Kind.SEMI_INTEGER]),
    }


def _spread(degrees: NDArray[np.int64]) -> tuple[int, float, int]:
    if not degrees.size:
        return (0, 0.0, 0)
    return int(degrees.min()), float(degrees.mean()), int(degrees.max())


def _range(*arrays: NDArray[np.float64]) -> Range:
    sizes = np.abs(np.concatenate(arrays))
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    return (float(sizes.min()), float(sizes.max())) if sizes.size else None
