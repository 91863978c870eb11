"""Coefficient density: |E| / (|V|·|W|)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.moments import share

if TYPE_CHECKING:
    from g2milp.evaluation.structure.view import View


def _density(view: View) -> float:
    return share(view.milp.n_nonzeros, view.milp.n_rows * view.milp.n_cols)


def _upper_density(view: View) -> float:
    form = view.upper
    return share(form.indices.size, form.n_rows * form.n_cols)


STATISTICS = (
    Statistic("density", "size", "Non-zeros / (rows · columns).", _density),
    Statistic(
        "coef_dens",
        "size",
        "Non-zeros / (rows · columns) of the ≤ form.",
        _upper_density,
        "coef_dens",
    ),
)
