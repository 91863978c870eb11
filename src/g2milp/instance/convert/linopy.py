"""linopy models to `Milp`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.instance.convert.loading import load, not_a_milp, usable_names, with_infinities
from g2milp.instance.milp import Kind, Milp

if TYPE_CHECKING:
    from collections.abc import Iterable

_KINDS = {
    "C": Kind.CONTINUOUS,
    "B": Kind.INTEGER,
    "I": Kind.INTEGER,
    "S": Kind.SEMI_CONTINUOUS,
}


def from_linopy(model: Any) -> Milp:
    """The instance that a `linopy.Model` describes, with names such as ``flow[north,3]``."""
    load("linopy", "linopy")
    arrays = model.matrices
    if arrays.Q is not None and arrays.Q.nnz:
        raise not_a_milp("linopy", "a quadratic objective")
    if getattr(arrays, "indicator_A", None) is not None and arrays.indicator_A.shape[0]:
        raise not_a_milp("linopy", "indicator constraints")
    if len(getattr(model.variables, "sos", ())):
        raise not_a_milp("linopy", "special ordered sets")
    n_rows, n_cols = len(arrays.clabels), len(arrays.vlabels)
    kinds = [_KINDS[letter] for letter in arrays.vtypes.tolist()]
    sense = np.asarray(arrays.sense, dtype="U1") if n_rows else np.zeros(0, "U1")
    sides = np.asarray(arrays.b, dtype=float) if n_rows else np.zeros(0)
    matrix = arrays.A.tocsr() if n_rows else None
    if matrix is not None:
        matrix.sum_duplicates()
    return Milp.build(
        sense="max" if model.objective.sense == "max" else "min",
        objective=arrays.c,
        col_lower=with_infinities(arrays.lb),
        col_upper=with_infinities(arrays.ub),
        kinds=kinds,
        col_names=usable_names(_names(model.variables, arrays.vlabels), "c", n_cols),
        row_lower=with_infinities(np.where(sense == "<", -np.inf, sides)),
        row_upper=with_infinities(np.where(sense == ">", np.inf, sides)),
        row_names=usable_names(_names(model.constraints, arrays.clabels), "r", n_rows),
        indptr=[0] if matrix is None else matrix.indptr,
        indices=[] if matrix is None else matrix.indices,
        values=[] if matrix is None else matrix.data,
    )


def _names(container: Any, labels: Iterable[int]) -> list[str]:
    names = []
    for label in labels:
        name, coordinates = container.get_label_position(int(label))
        inside = ",".join(str(value) for value in coordinates.values())
        names.append(f"{name}[{inside}]" if inside else str(name))
    return names
