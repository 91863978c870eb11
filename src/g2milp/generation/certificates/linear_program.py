"""One small face to HiGHS for what certificates need: an LP, and a first feasible point of a MILP.

Models are handed over in memory, one thread, no time limit: the limits count iterations and nodes,
so that the answer, and with it every certified byte, is the same on a busy machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.instance.milp import Kind, Milp

if TYPE_CHECKING:
    from numpy.typing import NDArray

ATTEMPTS = ((False, 10), (True, 300), (False, 2_000), (True, 2_000))
"""With the objective or without it, and for how many nodes a first feasible point is looked for.

Costs only stand in the way of most instances' first point, but sometimes they are what leads the
heuristics there: on some families one way needs no node at all and the other finds nothing.
"""
ITERATION_LIMIT = 500_000


@dataclass(frozen=True, eq=False)
class LpAnswer:
    """An optimal point of an LP and the duals of its rows."""

    x: NDArray[np.float64]
    row_dual: NDArray[np.float64]


def solve_relaxation(milp: Milp) -> LpAnswer | None:
    """The LP relaxation; None unless it was solved to optimality."""
    highs = _loaded(milp, relaxed=True)
    highs.setOptionValue("simplex_iteration_limit", ITERATION_LIMIT)
    highs.run()
    import highspy

    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    solution = highs.getSolution()
    return LpAnswer(np.array(solution.col_value), np.array(solution.row_dual))


def first_feasible_point(milp: Milp) -> NDArray[np.float64]:
    """The first point that HiGHS finds; the one next to zero when it finds none in its limits."""
    import highspy

    for with_objective, nodes in ATTEMPTS:
        objective = milp.objective if with_objective else np.zeros(milp.n_cols)
        highs = _loaded(replace(milp, objective=objective), relaxed=False)
        highs.setOptionValue("mip_max_nodes", nodes)
        highs.setOptionValue("mip_max_improving_sols", 1)
        highs.run()
        if highs.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
            return np.array(highs.getSolution().col_value)
        if highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            break
    return nearest_to_zero(milp)


def nearest_to_zero(milp: Milp) -> NDArray[np.float64]:
    """Zero, or the nearest bound: often feasible, also where the solver does not take the model.

    It refuses coefficients above 1e15 and knows no model without columns. A point is only ever a
    proposal: whoever plants it checks it.
    """
    lower, upper = milp.col_lower, milp.col_upper
    lower = np.where(milp.is_integer, np.ceil(lower), lower)
    upper = np.where(milp.is_integer, np.floor(upper), upper)
    semi = np.isin(milp.kinds, (Kind.SEMI_CONTINUOUS, Kind.SEMI_INTEGER))
    return np.where(semi, 0.0, np.clip(0.0, lower, np.maximum(lower, upper))) + 0.0


def _loaded(milp: Milp, *, relaxed: bool) -> Any:
    import highspy

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = milp.n_cols, milp.n_rows
    model.sense_ = highspy.ObjSense.kMaximize if milp.sense == "max" else highspy.ObjSense.kMinimize
    model.col_cost_ = milp.objective
    model.col_lower_, model.col_upper_ = milp.col_lower, milp.col_upper
    if relaxed:
        semi = np.isin(milp.kinds, (Kind.SEMI_CONTINUOUS, Kind.SEMI_INTEGER))
        model.col_lower_ = np.where(semi, np.minimum(milp.col_lower, 0.0), milp.col_lower)
    else:
        kinds = [
            highspy.HighsVarType.kContinuous,
            highspy.HighsVarType.kInteger,
            highspy.HighsVarType.kSemiContinuous,
            highspy.HighsVarType.kSemiInteger,
        ]
        model.integrality_ = [kinds[k] for k in milp.kinds.tolist()]
    model.row_lower_, model.row_upper_ = milp.row_lower, milp.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = milp.indptr.astype(np.int32)
    model.a_matrix_.index_ = milp.indices
    model.a_matrix_.value_ = milp.values
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("random_seed", 0)
    highs.passModel(model)
    return highs
