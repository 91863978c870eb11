"""`Milp` and highspy models."""

from __future__ import annotations

from typing import Any

import numpy as np

from g2milp.errors import InvalidMilp
from g2milp.instance.convert.loading import load, not_a_milp, usable_names, with_infinities
from g2milp.instance.milp import Kind, Milp

_SMALLEST, _LARGEST = 1e-12, 1e15
"""HiGHS drops coefficients up to the first (its option's least value), refuses the second."""
_KINDS = {
    "kContinuous": Kind.CONTINUOUS,
    "kInteger": Kind.INTEGER,
    "kSemiContinuous": Kind.SEMI_CONTINUOUS,
    "kSemiInteger": Kind.SEMI_INTEGER,
    "kImplicitInteger": Kind.INTEGER,
}


def to_highs(milp: Milp) -> Any:
    """A silent `highspy.Highs` that holds `milp`, names included.

    Raises
    ------
    InvalidMilp
        A coefficient lies outside of what HiGHS keeps: it would drop it without a word.
    """
    highspy = load("highspy", "highspy")
    size = np.abs(milp.values)
    if size.size and (size.min() <= _SMALLEST or size.max() >= _LARGEST):
        raise InvalidMilp(
            f"{milp.name!r}: HiGHS does not keep coefficients up to {_SMALLEST:g} or from "
            f"{_LARGEST:g}; this instance has {size.min():g} to {size.max():g}"
        )
    lp = highspy.HighsLp()
    lp.model_name_ = milp.name
    lp.num_col_, lp.num_row_ = milp.n_cols, milp.n_rows
    lp.col_cost_, lp.offset_ = milp.objective, milp.offset
    lp.sense_ = highspy.ObjSense.kMaximize if milp.sense == "max" else highspy.ObjSense.kMinimize
    lp.col_lower_, lp.col_upper_ = milp.col_lower, milp.col_upper
    lp.row_lower_, lp.row_upper_ = milp.row_lower, milp.row_upper
    lp.col_names_, lp.row_names_ = list(milp.col_names), list(milp.row_names)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = milp.n_cols, milp.n_rows
    lp.a_matrix_.start_ = milp.indptr.astype(np.int32)
    lp.a_matrix_.index_, lp.a_matrix_.value_ = milp.indices, milp.values
    if milp.kinds.any():
        kinds = {
            kind: getattr(highspy.HighsVarType, name) for name, kind in reversed(_KINDS.items())
        }
        lp.integrality_ = [kinds[Kind(code)] for code in milp.kinds.tolist()]
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("small_matrix_value", _SMALLEST)
    if model.passModel(lp) == highspy.HighsStatus.kError:
        raise InvalidMilp(f"{milp.name!r}: HiGHS refuses the model")
    return model


def from_highs(model: Any) -> Milp:
    """The instance that a `highspy.Highs` (or `highspy.HighsLp`) holds."""
    highspy = load("highspy", "highspy")
    if hasattr(model, "getModel"):
        if model.getModel().hessian_.dim_ > 0:
            raise not_a_milp("HiGHS", "a quadratic objective")
        lp = model.getLp()
    else:
        lp = model
    n_rows, n_cols = lp.num_row_, lp.num_col_
    start = np.array(lp.a_matrix_.start_, dtype=np.int64)
    index = np.array(lp.a_matrix_.index_, dtype=np.int32)
    value = np.array(lp.a_matrix_.value_, dtype=np.float64)
    start = start if start.size else np.zeros(1, np.int64)
    by_row = lp.a_matrix_.format_ == highspy.MatrixFormat.kRowwise
    if not by_row:
        from scipy.sparse import csc_array

        start = np.resize(start, n_cols + 1) if start.size <= n_cols else start
        matrix = csc_array((value, index, start), shape=(n_rows, n_cols)).tocsr()
        start, index, value = matrix.indptr.astype(np.int64), matrix.indices, matrix.data
    return Milp.build(
        name=lp.model_name_,
        sense="max" if lp.sense_ == highspy.ObjSense.kMaximize else "min",
        offset=lp.offset_,
        objective=np.array(lp.col_cost_, dtype=np.float64),
        col_lower=with_infinities(np.array(lp.col_lower_, dtype=np.float64)),
        col_upper=with_infinities(np.array(lp.col_upper_, dtype=np.float64)),
        kinds=[_KINDS[kind.name] for kind in lp.integrality_] or None,
        col_names=usable_names(lp.col_names_, "c", n_cols),
        row_lower=with_infinities(np.array(lp.row_lower_, dtype=np.float64)),
        row_upper=with_infinities(np.array(lp.row_upper_, dtype=np.float64)),
        row_names=usable_names(lp.row_names_, "r", n_rows),
        indptr=start,
        indices=index,
        values=value,
    )
