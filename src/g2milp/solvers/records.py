"""The ledger's line for one solve, written and read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from g2milp.errors import DamagedArtifact
from g2milp.execution.ledger import located_once
from g2milp.execution.task import Failed, Failure
from g2milp.solvers.base import Checked, SolveOutcome, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SCHEMA_VERSION = 1
KEY = ("instance_hash", "solver", "solver_version", "settings_hash", "seed")
"""One line for each of these."""

_OF_FAILURE = {
    Failure.CRASHED: Status.CRASHED,
    Failure.KILLED: Status.KILLED,
    Failure.MEMORY: Status.MEMORY_LIMIT,
    Failure.ERROR: Status.ERROR,
}
_TEXTS = (
    "instance",
    "instance_hash",
    "settings_hash",
    "solver",
    "solver_version",
    "status",
    "checked",
    "message",
)
_NUMBERS = ("objective", "bound", "gap", "nodes", "lp_iterations", "work", "root_gap", "seconds")
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


def solves_in(ledger: Path) -> Iterator[dict[str, Any]]:
    """The lines of a ledger, one for each key; a line that is no solve is refused."""
    for place, record in located_once(ledger, KEY):
        fault = _fault(record)
        if fault:
            raise DamagedArtifact(
                place,
                f"this line is no solve: {fault}",
                hint="Is this the ledger? If so, remove the line to have it done again.",
            )
        yield record


def _fault(record: Mapping[str, Any]) -> str:
    for name in _TEXTS:
        if not isinstance(record.get(name), str):
            return f"{name!r} is no text"
    for name in _NUMBERS:
        value = record.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            return f"{name!r} is no number"
    if not isinstance(record.get("seed"), int):
        return "'seed' is no whole number"
    try:
        Status(record["status"]), Checked(record["checked"])
    except ValueError as error:
        return str(error)
    return ""


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
