"""Kinds and bounds of the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.moments import share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.structure.view import View


def _column_share(view: View, chosen: NDArray[np.bool_]) -> float:
    return share(np.count_nonzero(chosen), view.milp.n_cols)


def _mixed_rows(view: View) -> float:
    milp = view.milp
    integers = np.bincount(
        milp.entry_rows, weights=milp.is_integer[milp.indices], minlength=milp.n_rows
    )
    mixed = (integers > 0) & (integers < milp.row_degrees)
    return share(np.count_nonzero(mixed), milp.n_rows)


STATISTICS = (
    Statistic(
        "ratio_cont_vars",
        "kinds",
        "Share of the columns that are continuous (the authors' code counts the binary ones).",
        lambda v: _column_share(v, ~v.milp.is_integer),
        "ratio_cont_vars",
    ),
    Statistic(
        "ratio_binary",
        "kinds",
        "Share of the columns that are binary.",
        lambda v: _column_share(v, v.milp.is_binary),
    ),
    Statistic(
        "ratio_bounded",
        "kinds",
        "Share of the columns with two finite bounds.",
        lambda v: _column_share(v, np.isfinite(v.milp.col_lower) & np.isfinite(v.milp.col_upper)),
    ),
    Statistic(
        "mixed_rows",
        "kinds",
        "Share of the rows with both integer and continuous columns.",
        _mixed_rows,
    ),
)
