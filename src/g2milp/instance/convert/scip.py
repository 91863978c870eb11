"""`Milp` and PySCIPOpt models."""

from __future__ import annotations

from typing import Any

import numpy as np

from g2milp.errors import InvalidMilp
from g2milp.instance.convert.loading import load, not_a_milp, usable_names, with_infinities
from g2milp.instance.milp import Kind, Milp

_EXTRA = "'g2milp[scip]'"
_KINDS = {
    "BINARY": Kind.INTEGER,
    "INTEGER": Kind.INTEGER,
    "IMPLINT": Kind.INTEGER,
    "CONTINUOUS": Kind.CONTINUOUS,
}


def to_scip(milp: Milp) -> Any:
    """A silent `pyscipopt.Model` that holds `milp`, names and ranges included."""
    pyscipopt = load("pyscipopt", _EXTRA)
    if np.any(milp.kinds >= Kind.SEMI_CONTINUOUS):
        raise InvalidMilp(f"{milp.name!r}: SCIP has no semi-continuous variables")
    model = pyscipopt.Model(milp.name)
    model.hideOutput()
    columns = [
        model.addVar(
            name=name,
            vtype="I" if kind == Kind.INTEGER else "C",
            lb=None if lower == -np.inf else lower,
            ub=None if upper == np.inf else upper,
            obj=cost,
        )
        for name, kind, lower, upper, cost in zip(
            milp.col_names,
            milp.kinds.tolist(),
            milp.col_lower.tolist(),
            milp.col_upper.tolist(),
            milp.objective.tolist(),
            strict=True,
        )
    ]
    if milp.sense == "max":
        model.setMaximize()
    if milp.offset:
        model.addObjoffset(milp.offset)
    infinity = model.infinity()
    terms = [pyscipopt.scip.Term(column) for column in columns]
    for i, name in enumerate(milp.row_names):
        indices, values = milp.row(i)
        entries = {terms[j]: v for j, v in zip(indices.tolist(), values.tolist(), strict=True)}
        lower, upper = milp.row_lower[i].item(), milp.row_upper[i].item()
        row = pyscipopt.scip.ExprCons(
            pyscipopt.scip.Expr(entries), lhs=max(lower, -infinity), rhs=min(upper, infinity)
        )
        model.addCons(row, name=name)
    return model


def from_scip(model: Any) -> Milp:
    """The original problem of a `pyscipopt.Model`, its variables in the order they were added."""
    variables = sorted(model.getVars(transformed=False), key=lambda variable: variable.getIndex())
    place = {variable.ptr(): j for j, variable in enumerate(variables)}
    indptr, indices = [0], list[int]()
    values, lower, upper = list[float](), list[float](), list[float]()
    names = list[str]()
    for row in model.getConss(transformed=False):
        if row.getConshdlrName() != "linear":
            raise not_a_milp("SCIP", f"a constraint of the type {row.getConshdlrName()!r}")
        entries: dict[int, float] = {}  # a variable may stand twice in a row
        members = model.getConsVars(row)
        for variable, value in zip(members, model.getConsVals(row), strict=True):
            column = place[variable.ptr()]
            entries[column] = entries.get(column, 0.0) + value
        indices += entries.keys()
        values += entries.values()
        indptr.append(len(indices))
        lower.append(model.getLhs(row))
        upper.append(model.getRhs(row))
        names.append(row.name)
    return Milp.build(
        name=model.getProbName(),
        sense="max" if model.getObjectiveSense() == "maximize" else "min",
        offset=model.getObjoffset(original=True),
        objective=[variable.getObj() for variable in variables],
        col_lower=with_infinities(np.array([v.getLbOriginal() for v in variables], float)),
        col_upper=with_infinities(np.array([v.getUbOriginal() for v in variables], float)),
        kinds=[_KINDS[variable.vtype()] for variable in variables],
        col_names=usable_names([v.name for v in variables], "c", len(variables)),
        row_lower=with_infinities(np.array(lower, float)),
        row_upper=with_infinities(np.array(upper, float)),
        row_names=usable_names(names, "r", len(names)),
        indptr=indptr,
        indices=indices,
        values=values,
    )
