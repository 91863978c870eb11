"""What a solve was asked to do, checked before it starts and hashed for the ledger."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from g2milp.errors import UnavailableError, UsageError
from g2milp.solvers.base import Capability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from g2milp.solvers.base import Limits, Solver

_NEEDED = {
    "work": Capability.WORK_LIMIT,
    "nodes": Capability.NODE_LIMIT,
    "iterations": Capability.ITERATION_LIMIT,
}
_REAL_LIMITS = ("seconds", "work", "gap")


def check_limits(solver: Solver, limits: Limits) -> None:
    """Refuse limits that make no sense or that the solver does not have."""
    for field in fields(limits):
        value = getattr(limits, field.name)
        if value is not None and not (math.isfinite(value) and value >= 0):
            raise UsageError(f"the limit {field.name} must be a number ≥ 0, not {value!r}")
    for name, capability in _NEEDED.items():
        if getattr(limits, name) is not None and capability not in solver.capabilities:
            has = [other for other, needed in _NEEDED.items() if needed in solver.capabilities]
            raise UnavailableError(
                f"{solver.name} has no {capability.value}",
                hint=f"Its deterministic limits are: {', '.join(has)}.",
            )


def shared_limits(solver: Solver, limits: Limits) -> Limits | None:
    """The limits of another solver's run as far as this one has them.

    Units of work differ, so a limit of work is never shared. None where limits were set to end the
    run, and none of them is left.
    """
    ends = ("seconds", *_NEEDED)
    shared = replace(limits, work=None, solutions=None)
    for name, capability in _NEEDED.items():
        if capability not in solver.capabilities:
            shared = replace(shared, **{name: None})
    was_bounded = any(getattr(limits, name) is not None for name in ends)
    is_bounded = any(getattr(shared, name) is not None for name in ends)
    return shared if is_bounded or not was_bounded else None


def settings_of(
    limits: Limits,
    *,
    threads: int = 1,
    presolve: bool = True,
    options: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """The settings as they are stored: everything but instance, solver, version and seed."""
    given = {key: value for key, value in asdict(limits).items() if value is not None}
    return {
        "limits": {k: float(v) if k in _REAL_LIMITS else int(v) for k, v in given.items()},
        "threads": threads,
        "presolve": presolve,
        "options": dict(options or {}),
    }


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Sixteen hex digits that stand for the settings."""
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """In words what two settings do not share: ``seconds 300.0 → 60.0``."""
    flat_old, flat_new = _flat(old), _flat(new)
    names = dict.fromkeys([*flat_old, *flat_new])
    return [
        f"{name} {flat_old.get(name)} → {flat_new.get(name)}"
        for name in names
        if flat_old.get(name) != flat_new.get(name)
    ]


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        flat.update(value if isinstance(value, dict) else {name: value})
    return flat
