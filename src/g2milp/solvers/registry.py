"""The solvers by name.

None is imported before it is asked for, so a missing extra costs nothing until it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from g2milp.errors import UnavailableError, UsageError

if TYPE_CHECKING:
    from g2milp.solvers.base import Solver

_HOMES = {
    "highs": ("g2milp.solvers.highs", "Highs"),
    "scip": ("g2milp.solvers.scip", "Scip"),
    "gurobi": ("g2milp.solvers.gurobi", "Gurobi"),
}


def names() -> tuple[str, ...]:
    """All solvers g2milp knows, installed or not; the first is the default."""
    return tuple(_HOMES)


def get(name: str) -> Solver:
    """The solver of this name, which need not be installed (`is_available` tells)."""
    if name not in _HOMES:
        raise UsageError(f"no solver is called {name!r}", hint=f"Choose from {', '.join(_HOMES)}.")
    module, class_name = _HOMES[name]
    solver: Solver = getattr(import_module(module), class_name)()
    return solver


def get_ready(name: str) -> Solver:
    """The solver of this name, or `UnavailableError` with what is missing."""
    solver = get(name)
    licence = solver.license_status()
    if not licence.ok:
        raise UnavailableError(f"{name} cannot be used here: {licence.message}")
    return solver


def available() -> tuple[str, ...]:
    """The solvers that are installed and have a licence, by name."""
    return tuple(name for name in _HOMES if get(name).license_status().ok)
