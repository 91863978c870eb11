"""A row patch bent to the laws of its family: whole numbers whole, signs and ranges kept.

What a network predicts is near the data, not of it. Coefficients and sides are moved to the nearest
value that the law of their group admits; the side of an equality or range keeps its pattern.
Entries that a law would turn into 0 become the smallest value of the law that is not 0, else they
are left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.integrality.classes import column_classes, row_word
from g2milp.generation.integrality.laws import Laws, coefficient_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.edit import RowPatch
    from g2milp.instance.milp import Milp


def obeying(template: Milp, patch: RowPatch, laws: Laws) -> RowPatch:
    """The patch with every number moved to the nearest one that the laws admit."""
    rows = patch_classes(template, patch)
    values = _coefficients(template, patch, laws, rows)
    lower, upper = patch.lower.copy(), patch.upper.copy()
    for c in np.unique(rows).tolist():
        of_class = rows == c
        for side, table in ((lower, laws.lower), (upper, laws.upper)):
            law = table.get(row_word(c))
            if law is not None:
                side[of_class] = np.where(
                    np.isfinite(side[of_class]), law.bent(side[of_class]), side[of_class]
                )
    equality = template.is_equality[patch.rows]
    lower = np.where(equality, upper, lower)
    upper = np.maximum(lower, upper)
    return _without_zeros(replace(patch, values=values, lower=lower, upper=upper))


def patch_classes(template: Milp, patch: RowPatch) -> NDArray[np.int64]:
    """Row class of each row of a patch: the sense is the template's, the degree the patch's."""
    single = np.diff(patch.indptr) == 1
    classes: NDArray[np.int64] = 2 * template.senses.astype(np.int64)[patch.rows] + single
    return classes


def _coefficients(
    template: Milp, patch: RowPatch, laws: Laws, rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    values = patch.values.copy()
    pair = np.repeat(rows, np.diff(patch.indptr)) * 32 + column_classes(template)[patch.indices]
    for p in np.unique(pair).tolist():
        law = laws.coefficients.get(coefficient_word(p // 32, p % 32))
        if law is None:
            continue
        group = law.bent(values[pair == p])
        if law.whole:
            smallest = 1.0 if law.high >= 1 else -1.0
            group = np.where((group == 0) & (law.high != law.low), smallest, group)
        values[pair == p] = group
    return values


def _without_zeros(patch: RowPatch) -> RowPatch:
    kept = patch.values != 0
    if kept.all():
        return patch
    row = np.repeat(np.arange(patch.rows.size), np.diff(patch.indptr))[kept]
    counts = np.bincount(row, minlength=patch.rows.size)
    return replace(
        patch,
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        indices=patch.indices[kept],
        values=patch.values[kept],
    )
