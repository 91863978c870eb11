"""Ledger lines as efforts of instances: which solver, how much, finished or cut off."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.solvers.base import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from g2milp.solvers.base import SolveOutcome

Measure: TypeAlias = Literal["work", "nodes", "lp_iterations", "seconds", "root_gap"]
MEASURES: tuple[Measure, ...] = ("work", "nodes", "lp_iterations", "seconds", "root_gap")


CLOSED = 1e-9
"""A root gap below this is rounding, not a gap."""


@dataclass(frozen=True)
class Solve:
    """One line of a ledger."""

    instance: str
    instance_hash: str
    settings_hash: str
    outcome: SolveOutcome

    @property
    def configuration(self) -> tuple[str, str, str]:
        """Solver, version and settings: efforts are comparable within one only."""
        return self.outcome.solver, self.outcome.solver_version, self.settings_hash


@dataclass(frozen=True, eq=False)
class Efforts:
    """Effort of each instance under one configuration, all seeds taken together.

    Attributes
    ----------
    index
        Which instances of the set these are.
    values
        Geometric mean over the seeds (shifted by 1).
    censored
        Whether a seed was cut off by a limit: the value is a lower bound.
    """

    index: NDArray[np.int64]
    values: NDArray[np.float64]
    censored: NDArray[np.bool_]


def read_solves(paths: Iterable[Path]) -> list[Solve]:
    """All solves of some ledgers (files or folders); a line that is none is refused."""
    from g2milp.execution.ledger import read
    from g2milp.solvers.records import outcome_of

    found = []
    for path in paths:
        for record in read(path):
            try:
                outcome = outcome_of(record)
                found.append(
                    Solve(
                        str(record["instance"]),
                        str(record["instance_hash"]),
                        str(record["settings_hash"]),
                        outcome,
                    )
                )
            except (KeyError, TypeError, ValueError) as error:
                raise DamagedArtifact(
                    path, f"a line is no solve ({type(error).__name__}: {error})"
                ) from error
    return found


def efforts(solves: Sequence[Solve], hashes: Sequence[str], measure: Measure) -> Efforts:
    """Efforts of the instances with these content hashes; only finished or censored solves count.

    An instance that was found infeasible or unbounded, or whose solver failed, has no effort: it is
    counted by the validity.
    """
    by_hash: dict[str, list[SolveOutcome]] = defaultdict(list)
    for solve in solves:
        outcome = solve.outcome
        if outcome.status is Status.OPTIMAL or outcome.status.is_censored:
            by_hash[solve.instance_hash].append(outcome)
    index, values, censored = [], [], []
    for i, content in enumerate(hashes):
        outcomes = by_hash.get(content, [])
        amounts = [getattr(outcome, measure) for outcome in outcomes]
        known = [float(amount) for amount in amounts if amount is not None]
        if measure == "root_gap":
            known = [amount if amount > CLOSED else 0.0 for amount in known]
        if not known or len(known) < len(amounts):
            continue
        index.append(i)
        values.append(float(np.expm1(np.mean(np.log1p(known)))))
        censored.append(any(outcome.status.is_censored for outcome in outcomes))
    return Efforts(
        np.array(index, dtype=np.int64),
        np.array(values, dtype=np.float64),
        np.array(censored, dtype=np.bool_),
    )


def main_configurations(
    solves: Sequence[Solve], hashes: Sequence[str]
) -> list[tuple[str, str, str]]:
    """For each solver the configuration that covers most of these instances."""
    wanted = set(hashes)
    covered: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for solve in solves:
        if solve.instance_hash in wanted:
            covered[solve.configuration].add(solve.instance_hash)
    best: dict[str, tuple[str, str, str]] = {}
    for configuration in sorted(covered, key=lambda c: (-len(covered[c]), c)):
        best.setdefault(configuration[0], configuration)
    return [best[solver] for solver in sorted(best)]
