"""Validity: which instances are feasible and bounded, and how that is known.

A certificate that the manifest stores and that verifies is proof. A solver's status is a claim; it
counts as such, and the share of points that were checked in exact arithmetic stands beside it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from g2milp.solvers.base import Checked, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from g2milp.evaluation.hardness.records import Solve

Verdict: TypeAlias = Literal["feasible", "infeasible", "unbounded", "unknown"]


@dataclass(frozen=True)
class Validity:
    """Shares of a set of instances; the first four sum to 1.

    Attributes
    ----------
    bounded
        Share with a known finite optimum or bound.
    certified
        Share whose certificate was verified.
    refused
        Share whose certificate was there and did not verify.
    checked
        Share with a point that is feasible in exact arithmetic.
    wrong
        Share for which a solver's claim is contradicted by its own point, by the point of another
        solve, or by a certificate.
    """

    instances: int
    feasible: float
    infeasible: float
    unbounded: float
    unknown: float
    bounded: float
    certified: float
    refused: float
    checked: float
    wrong: float
    infeasible_names: tuple[str, ...]


def validity(
    names: Sequence[str],
    hashes: Sequence[str],
    solves: Sequence[Solve],
    certificates: Mapping[str, bool] | None = None,
) -> Validity:
    """Judge each instance by certificates and ledgers; `certificates`: name → does it verify."""
    certificates = certificates or {}
    by_hash: dict[str, list[Solve]] = defaultdict(list)
    for solve in solves:
        by_hash[solve.instance_hash].append(solve)
    verdicts = [
        _verdict(by_hash.get(content, []), certificates.get(name))
        for name, content in zip(names, hashes, strict=True)
    ]
    counts = Counter(verdicts)
    total = max(1, len(names))
    mine = [by_hash.get(content, []) for content in hashes]
    return Validity(
        instances=len(names),
        feasible=counts["feasible"] / total,
        infeasible=counts["infeasible"] / total,
        unbounded=counts["unbounded"] / total,
        unknown=counts["unknown"] / total,
        bounded=sum(any(_is_bounded(s) for s in solves) for solves in mine) / total,
        certified=sum(certificates.get(name) is True for name in names) / total,
        refused=sum(certificates.get(name) is False for name in names) / total,
        checked=sum(any(_is_exact(s) for s in solves) for solves in mine) / total,
        wrong=sum(
            _is_contradicted(solves, certificates.get(name))
            for name, solves in zip(names, mine, strict=True)
        )
        / total,
        infeasible_names=tuple(
            name for name, verdict in zip(names, verdicts, strict=True) if verdict == "infeasible"
        )[:20],
    )


def _verdict(solves: Sequence[Solve], certificate: bool | None) -> Verdict:
    if certificate is True or any(_has_point(s) for s in solves):
        return "feasible"
    statuses = {s.outcome.status for s in solves}
    if Status.UNBOUNDED in statuses:
        return "unbounded"
    if Status.INFEASIBLE in statuses:
        return "infeasible"
    return "unknown"


def _is_contradicted(solves: Sequence[Solve], certificate: bool | None) -> bool:
    """A claim that its own point refutes, or "infeasible" beside a feasible point."""
    if any(s.outcome.checked is Checked.WRONG for s in solves):
        return True
    infeasible = any(s.outcome.status is Status.INFEASIBLE for s in solves)
    return infeasible and (certificate is True or any(_has_point(s) for s in solves))


def _has_point(solve: Solve) -> bool:
    outcome = solve.outcome
    return outcome.objective is not None and outcome.checked is not Checked.WRONG


def _is_exact(solve: Solve) -> bool:
    return solve.outcome.checked in (Checked.EXACT, Checked.CROSS_CHECKED)


def _is_bounded(solve: Solve) -> bool:
    outcome = solve.outcome
    return outcome.checked is not Checked.WRONG and (
        outcome.status is Status.OPTIMAL or outcome.bound is not None
    )
