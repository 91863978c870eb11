"""`Milp` and gurobipy models.

Gurobi has no rows with two sides: such a row becomes two constraints, the second one tagged as the
lower side of the first, and `from_gurobi` makes one row of them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import UnavailableError
from g2milp.instance.convert.loading import load, not_a_milp, usable_names, with_infinities
from g2milp.instance.milp import Kind, Milp

if TYPE_CHECKING:
    from numpy.typing import NDArray

_EXTRA = "'g2milp[gurobi]'"
_LETTERS = np.array(["C", "I", "S", "N"])
_KINDS = {
    "C": Kind.CONTINUOUS,
    "B": Kind.INTEGER,
    "I": Kind.INTEGER,
    "S": Kind.SEMI_CONTINUOUS,
    "N": Kind.SEMI_INTEGER,
}
_TAG = "g2milp lower side of the row before"
_NOT_LINEAR = {
    "NumQConstrs": "quadratic constraints",
    "NumSOS": "special ordered sets",
    "NumGenConstrs": "general constraints",
    "IsQP": "a quadratic objective",
    "NumPWLObjVars": "a piecewise linear objective",
}


def to_gurobi(milp: Milp, env: Any = None) -> Any:
    """A silent `gurobipy.Model` that holds `milp`, names included.

    Without `env` it lives in an environment of its own, which a restricted licence limits to 2,000
    rows and columns. Gurobi rounds the bounds of integer columns inwards (no solution is lost).
    """
    gurobipy = load("gurobipy", _EXTRA)
    try:
        if env is None:
            env = gurobipy.Env(params={"OutputFlag": 0})
        model = gurobipy.Model(milp.name, env=env)
        model.Params.OutputFlag = 0
        columns = model.addMVar(
            milp.n_cols,
            lb=milp.col_lower,
            ub=milp.col_upper,
            obj=milp.objective,
            vtype=_LETTERS[milp.kinds],
            name=list(milp.col_names),
        )
        model.ModelSense = -1 if milp.sense == "max" else 1
        model.ObjCon = milp.offset
        _add_rows(milp, model, columns)
        model.update()
    except gurobipy.GurobiError as error:
        raise UnavailableError(f"Gurobi refuses the model: {error}") from error
    return model


def _add_rows(milp: Milp, model: Any, columns: Any) -> None:
    ranged = np.isfinite(milp.row_lower) & np.isfinite(milp.row_upper) & ~milp.is_equality
    order = np.repeat(np.arange(milp.n_rows), np.where(ranged, 2, 1))
    second = np.concatenate([[False], order[1:] == order[:-1]]) if order.size else order == 1
    upper_only = np.isfinite(milp.row_upper[order]) & ~second
    sense = np.where(milp.is_equality[order], "=", np.where(upper_only, "<", ">"))
    free = ~np.isfinite(milp.row_upper[order]) & ~np.isfinite(milp.row_lower[order])
    sides = np.where(sense == ">", milp.row_lower[order], milp.row_upper[order])
    sides[free] = -np.inf
    names = [
        milp.row_names[i] + ("_lower" if again else "")
        for i, again in zip(order.tolist(), second.tolist(), strict=True)
    ]
    if order.size:
        rows = model.addMConstr(milp.matrix()[order], columns, sense, sides, name=names)
        model.update()
        for row in np.flatnonzero(second).tolist():
            rows[row].CTag = f"{_TAG} ({row})"  # a tag may be used once


def from_gurobi(model: Any) -> Milp:
    """The instance that a `gurobipy.Model` holds."""
    gurobipy = load("gurobipy", _EXTRA)
    model.update()
    for attribute, what in _NOT_LINEAR.items():
        if model.getAttr(attribute):
            raise not_a_milp("Gurobi", what)
    if model.NumObj > 1:
        raise not_a_milp("Gurobi", "several objectives")
    variables, rows = model.getVars(), model.getConstrs()
    matrix = model.getA().tocsr() if rows else None
    sense = np.array(model.getAttr("Sense", rows))
    sides = np.array(model.getAttr("RHS", rows), dtype=float)
    lower = with_infinities(np.where(sense == "<", -np.inf, sides))
    upper = with_infinities(np.where(sense == ">", np.inf, sides))
    tags = model.getAttr(gurobipy.GRB.Attr.CTag, rows)
    second = np.array([i for i, tag in enumerate(tags) if tag.startswith(_TAG)], dtype=np.int64)
    lower[second - 1] = lower[second]
    kept = np.delete(np.arange(len(rows)), second)
    kinds = model.getAttr("VType", variables)
    low, high = _column_sides(model, variables, np.array(kinds))
    names = [model.getAttr("ConstrName", rows)[i] for i in kept] if rows else []
    part = matrix[kept] if matrix is not None else None
    return Milp.build(
        name=model.ModelName,
        sense="max" if model.ModelSense < 0 else "min",
        offset=model.ObjCon,
        objective=model.getAttr("Obj", variables),
        col_lower=low,
        col_upper=high,
        kinds=[_KINDS[letter] for letter in kinds],
        col_names=usable_names(model.getAttr("VarName", variables), "c", len(variables)),
        row_lower=lower[kept],
        row_upper=upper[kept],
        row_names=usable_names(names, "r", len(names)),
        indptr=part.indptr if part is not None else [0],
        indices=part.indices if part is not None else [],
        values=part.data if part is not None else [],
    )


def _column_sides(
    model: Any, variables: list[Any], kinds: NDArray[np.str_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bounds; those of a binary variable never leave [0, 1]."""
    low = with_infinities(np.array(model.getAttr("LB", variables), dtype=float))
    high = with_infinities(np.array(model.getAttr("UB", variables), dtype=float))
    binary = kinds == "B"
    low[binary] = np.maximum(low[binary], 0.0)
    high[binary] = np.minimum(high[binary], 1.0)
    return low, high
