"""Many solves in a few numbers: how they ended, and how much effort they took.

The shifted geometric mean of x is exp(mean(ln(x + s))) - s, computed as
s (exp(mean(ln(1 + x / s))) - 1) to keep the digits of small x: it is ruled neither by the few
hardest instances nor by the trivial ones. Solves that a limit ended are counted with the effort
they had taken, which is a lower bound, and their share is given beside every number.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.solvers.base import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SHIFTS = {"seconds": 1.0, "nodes": 10.0, "lp_iterations": 10.0, "work": 10.0}
"""Of the geometric mean; Gurobi's work is in the range of seconds and takes 1."""
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_WITHOUT_EFFORT = (Status.ERROR, Status.CRASHED)


def summary(records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts by status and check, the censored share, and statistics of each measure of effort."""
    lines = list(records)
    counted = [line for line in lines if line["status"] not in _WITHOUT_EFFORT]
    censored = sum(Status(line["status"]).is_censored for line in lines)
    by_solver: dict[str, list[Mapping[str, Any]]] = {}
    for line in counted:
        by_solver.setdefault(f"{line['solver']} {line['solver_version']}", []).append(line)
    return {
        "solves": len(lines),
        "instances": len({line["instance_hash"] for line in lines}),
        "statuses": dict(Counter(line["status"] for line in lines).most_common()),
        "checked": dict(Counter(line["checked"] for line in lines).most_common()),
        "censored_share": censored / len(lines) if lines else 0.0,
        "effort": {solver: _effort(of_solver) for solver, of_solver in by_solver.items()},
    }


def _effort(lines: list[Mapping[str, Any]]) -> dict[str, Any]:
    shifts = dict(SHIFTS)
    if lines[0]["solver"] == "gurobi":
        shifts["work"] = 1.0
    effort = {}
    for measure, shift in shifts.items():
        values = [line[measure] for line in lines if line[measure] is not None]
        if values:
            effort[measure] = statistics(np.asarray(values, dtype=np.float64), shift)
    return effort


def statistics(values: np.ndarray[Any, np.dtype[np.float64]], shift: float) -> dict[str, Any]:
    """Mean, quantiles and shifted geometric mean of values that are not negative."""
    quantiles = np.quantile(values, QUANTILES)
    return {
        "n": int(values.size),
        "mean": float(values.mean()),
        "median": float(np.median(values)),
        "min": float(values.min()),
        "max": float(values.max()),
        "quantiles": {str(q): float(v) for q, v in zip(QUANTILES, quantiles, strict=True)},
        "shifted_geometric_mean": float(shift * np.expm1(np.log1p(values / shift).mean())),
        "shift": shift,
    }
