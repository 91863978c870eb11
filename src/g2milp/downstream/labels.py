"""Optimal values of instances, from the ledgers that `g2milp solve` writes.

An instance has a label if a line of a ledger says that it was solved to optimality and no line
contradicts it. Everything else (infeasible, unbounded, stopped by a limit, never solved) has none;
it is counted and named, never replaced by a guess.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.execution.ledger import files_of, read
from g2milp.solvers.base import DEFAULT_GAP, Checked, Status
from g2milp.solvers.labelling import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.solvers.labelling import Plan

UNSOLVED = "not solved"
CONTRADICTION = "solvers disagree"
LIMITS = frozenset(status for status in Status if status.is_censored)
REACHED = 0.9
"""Share of a time limit from which on a solve counts as having used it up."""


@dataclass(frozen=True)
class Label:
    """What the ledgers say of one instance: its optimum, or why there is none.

    `tried` is the longest time after which a limit ended a solve, in seconds.
    """

    value: float | None
    state: str
    tried: float = 0.0

    def may_be_found(self, seconds: float | None) -> bool:
        """Whether only a limit ended the solves, and one of so many seconds is longer."""
        stopped = self.value is None and self.state in LIMITS
        return stopped and self.tried < REACHED * (math.inf if seconds is None else seconds)


@dataclass(frozen=True, eq=False)
class Labelled:
    """The instances of a set that have a label, in order.

    Attributes
    ----------
    places
        The indices of `data` in the set that was labelled.
    values
        The optimum of each in its own sense, with the offset.
    unlabelled
        (name, reason) of the others.
    """

    data: Dataset
    places: tuple[int, ...]
    values: NDArray[np.float64]
    unlabelled: tuple[tuple[str, str], ...]


def read_labels(ledgers: Iterable[Path]) -> dict[str, Label]:
    """The label of every instance in the ledgers, by content hash; missing ledgers are empty."""
    claims: dict[str, list[float]] = {}
    states: dict[str, str] = {}
    tried: dict[str, float] = {}
    for path in ledgers:
        for line in read(path) if files_of(path) else ():
            key = str(line["instance_hash"])
            if line["checked"] == Checked.WRONG:
                continue
            if line["status"] == Status.OPTIMAL and line["objective"] is not None:
                claims.setdefault(key, []).append(float(line["objective"]))
            else:
                states.setdefault(key, str(line["status"]))
                tried[key] = max(tried.get(key, 0.0), float(line.get("seconds") or 0.0))
    labels = {key: Label(None, state, tried[key]) for key, state in states.items()}
    labels |= {key: _settled(values, states.get(key)) for key, values in claims.items()}
    return labels


def labelled(data: Dataset, labels: Mapping[str, Label]) -> Labelled:
    """The part of a set that has labels."""
    found = [labels.get(data.content_hash(i), Label(None, UNSOLVED)) for i in range(len(data))]
    places = [i for i, label in enumerate(found) if label.value is not None]
    return Labelled(
        data=data.subset(places),
        places=tuple(places),
        values=np.array([found[i].value for i in places], dtype=np.float64),
        unlabelled=tuple(
            (name, label.state)
            for name, label in zip(data.names, found, strict=True)
            if label.value is None
        ),
    )


def unlabelled_in(
    data: Dataset, labels: Mapping[str, Label], seconds: float | None = 0.0
) -> list[int]:
    """Indices of the instances that no ledger knows, or that `seconds` might solve now."""
    found = [labels.get(data.content_hash(i)) for i in range(len(data))]
    return [i for i, label in enumerate(found) if label is None or label.may_be_found(seconds)]


def label_missing(
    sets: Iterable[Dataset],
    ledgers: Sequence[Path],
    own: Path,
    plan: Plan,
    *,
    jobs: int = 1,
    advance: Callable[..., None] | None = None,
) -> dict[str, Label]:
    """The labels of all sets; what no ledger knows is solved into the ledger `own`.

    What a shorter limit ended is solved again.
    """
    labels = read_labels([*ledgers, own])
    waiting = [data.subset(unlabelled_in(data, labels, plan.limits.seconds)) for data in sets]
    for data in waiting:
        if len(data):
            label(data, own, plan, jobs=jobs, progress=_told(advance))
    return read_labels([*ledgers, own]) if any(map(len, waiting)) else labels


def _told(advance: Callable[..., None] | None) -> Callable[[dict[str, Any] | None], None] | None:
    if advance is None:
        return None
    return lambda line: advance(1, note="" if line is None else str(line["instance"]))


def _settled(values: Sequence[float], other: str | None) -> Label:
    """One value from the claims of several solves, if they agree within twice the usual gap."""
    low, high = min(values), max(values)
    if high - low > 2 * DEFAULT_GAP * max(1.0, abs(low), abs(high)):
        return Label(None, CONTRADICTION)
    if other in (Status.INFEASIBLE, Status.UNBOUNDED):
        return Label(None, CONTRADICTION)
    return Label(float(np.median(values)), "optimal")
