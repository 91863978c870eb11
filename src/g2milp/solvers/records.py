"""The ledger's line for one solve, written and read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from g2milp.execution.task import Failed, Failure
from g2milp.solvers.base import Checked, SolveOutcome, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA_VERSION = 1
KEY = ("instance_hash", "solver", "solver_version", "settings_hash", "seed")
"""One line for each of these."""

_OF_FAILURE = {
    Failure.CRASHED: Status.CRASHED,
    Failure.KILLED: Status.KILLED,
    Failure.MEMORY: Status.MEMORY_LIMIT,
    Failure.ERROR: Status.ERROR,
}
_FIELDS = (
    "solver",
    "solver_version",
    "seed",
    "status",
    "objective",
    "bound",
    "nodes",
    "lp_iterations",
    "work",
    "root_gap",
    "seconds",
    "checked",
    "gap",
    "presolved_rows",
    "presolved_cols",
    "first_incumbent_seconds",
    "threads",
    "message",
)


def record_of(
    outcome: SolveOutcome,
    *,
    instance: str,
    instance_hash: str,
    settings_hash: str,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """The line; numbers that are not finite become null."""
    record: dict[str, Any] = {"instance": instance, "instance_hash": instance_hash}
    for name in _FIELDS:
        value = getattr(outcome, name)
        if isinstance(value, float) and not math.isfinite(value):
            value = None
        if isinstance(value, Status | Checked):
            value = value.value
        record[name] = value
        if name == "solver_version":
            record["settings_hash"] = settings_hash
    record["settings"] = dict(settings)
    record["schema_version"] = SCHEMA_VERSION
    return record


def outcome_of(record: Mapping[str, Any]) -> SolveOutcome:
    """The outcome behind a line, without its point."""
    known = {name: record[name] for name in _FIELDS if name in record}
    known["status"] = Status(record["status"])
    known["checked"] = Checked(record["checked"])
    return SolveOutcome(**known)


def outcome_of_failure(failed: Failed, blank: SolveOutcome, seconds: float) -> SolveOutcome:
    """What is stored for a solve that ended with its worker process."""
    return blank.but(
        status=_OF_FAILURE[failed.failure], message=failed.reason, seconds=round(seconds, 6)
    )
