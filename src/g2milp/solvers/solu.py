"""Known optimal values as ``.solu`` files, as SCIP and MIPLIB keep them.

``=opt= name value``, ``=best= name value`` (the best known), ``=inf= name``, ``=unbd= name``,
``=feas= name`` (a point exists, its value is not known) and ``=unkn= name``.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.errors import FormatError, UnreadableFile, UsageError
from g2milp.instance.io.atomic import write_bytes
from g2milp.solvers.base import Checked, Status
from g2milp.solvers.verify import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Known(enum.StrEnum):
    """What is known of an instance."""

    OPTIMUM = "=opt="
    BEST = "=best="
    INFEASIBLE = "=inf="
    UNBOUNDED = "=unbd="
    FEASIBLE = "=feas="
    UNKNOWN = "=unkn="


@dataclass(frozen=True)
class Truth:
    """One line: `value` belongs to OPTIMUM and BEST only."""

    known: Known
    value: float | None = None


def read_solu(path: str | Path) -> dict[str, Truth]:
    """What the file says of each instance, by name."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(path, "is no UTF-8 text") from error
    truths: dict[str, Truth] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        truth = _truth(path, number, fields)
        if truths.setdefault(fields[1], truth) != truth:
            raise FormatError(path, number, "solu", f"{fields[1]} stands here twice")
    return truths


def _truth(path: str | Path, number: int, fields: list[str]) -> Truth:
    try:
        known = Known(fields[0])
    except ValueError as error:
        raise FormatError(path, number, "solu", f"{fields[0]!r} is no mark") from error
    if len(fields) < 2:
        raise FormatError(path, number, "solu", "a name is missing")
    if known not in (Known.OPTIMUM, Known.BEST):
        return Truth(known)
    try:
        value = float(fields[2])
    except (IndexError, ValueError) as error:
        raise FormatError(path, number, "solu", f"{fields[1]} has no value") from error
    if not math.isfinite(value):
        raise FormatError(path, number, "solu", f"{fields[1]} has the value {fields[2]}")
    return Truth(known, value)


def has_plain_name(name: str) -> bool:
    """Whether a line of a ``.solu`` file can hold the name: it is one word."""
    return name.isprintable() and name.split() == [name]


def write_solu(truths: Mapping[str, Truth], path: str | Path, *, overwrite: bool = False) -> None:
    """Write a ``.solu`` file, one line an instance, sorted (a ledger is not)."""
    strange = [name for name in truths if not has_plain_name(name)]
    if strange:
        raise UsageError(f"{path}: the name {strange[0]!r} cannot be written in a .solu file")
    lines = [
        f"{truth.known.value} {name}" + ("" if truth.value is None else f" {truth.value!r}")
        for name, truth in sorted(truths.items())
    ]
    write_bytes(path, "".join(line + "\n" for line in lines).encode(), overwrite=overwrite)


def truths_of(records: Iterable[Mapping[str, Any]]) -> dict[str, Truth]:
    """What ledger lines tell of each instance; lines with wrong claims tell nothing.

    An optimum is better than a best value; which best value is best depends on the sense, which a
    ledger does not hold, so the one of the smallest gap is taken.
    """
    rank = {Known.UNKNOWN: 0, Known.FEASIBLE: 1, Known.BEST: 2}
    truths: dict[str, Truth] = {}
    gaps: dict[str, float] = {}
    for record in records:
        name, truth = str(record["instance"]), _claimed(record)
        gap = record.get("gap")
        gap = math.inf if gap is None else float(gap)
        old = truths.get(name)
        better = old is None or (rank.get(truth.known, 3), -gap) > (
            rank.get(old.known, 3),
            -gaps[name],
        )
        if better:
            truths[name], gaps[name] = truth, gap
    return truths


def _claimed(record: Mapping[str, Any]) -> Truth:
    status, objective = record["status"], record["objective"]
    if record["checked"] == Checked.WRONG:
        return Truth(Known.UNKNOWN)
    if status == Status.OPTIMAL and objective is not None:
        return Truth(Known.OPTIMUM, objective)
    if status == Status.INFEASIBLE:
        return Truth(Known.INFEASIBLE)
    if status == Status.UNBOUNDED:
        return Truth(Known.UNBOUNDED)
    return Truth(Known.UNKNOWN) if objective is None else Truth(Known.BEST, objective)


def contradiction(record: Mapping[str, Any], truth: Truth, gap: float) -> str:
    """What a ledger line says against what is known; empty if nothing.

    Whatever ended the solve, the optimum lies between its bound and its objective; which of them is
    the larger one tells the sense, and with it on which side of the bound a best known value lies.
    """
    status, objective, bound = record["status"], record["objective"], record.get("bound")
    if truth.known is Known.INFEASIBLE and objective is not None:
        return "known to be infeasible, but a point was found"
    if truth.known in (Known.OPTIMUM, Known.BEST, Known.FEASIBLE) and status == Status.INFEASIBLE:
        return "known to be feasible, but said to be infeasible"
    if truth.value is None or objective is None:
        return ""
    value, allowed = truth.value, TOLERANCE * max(1.0, abs(truth.value))
    if status == Status.OPTIMAL and truth.known is Known.OPTIMUM:
        allowed += gap * max(1.0, abs(value))
        if abs(objective - value) > allowed:
            return f"known to have the optimum {value!r}, said to have {objective!r}"
    elif bound is not None:
        beyond_bound = (bound - value) * (1 if bound < objective else -1)
        beyond_point = (value - objective) * (1 if bound < objective else -1)
        if bound != objective and beyond_bound > allowed:
            return f"known to have a point of {value!r}, beyond its bound of {bound!r}"
        if bound != objective and truth.known is Known.OPTIMUM and beyond_point > allowed:
            return f"known to have the optimum {value!r}, but a point has {objective!r}"
    return ""


def contradictions(
    records: Iterable[Mapping[str, Any]], truths: Mapping[str, Truth], gap: float
) -> list[tuple[Mapping[str, Any], str]]:
    """(line, reason) of every ledger line that what is known contradicts."""
    found = []
    for record in records:
        truth = truths.get(str(record["instance"]))
        reason = contradiction(record, truth, gap) if truth else ""
        if reason:
            found.append((record, reason))
    return found
