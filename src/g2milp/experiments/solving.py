"""Effort of a generated set against the set it was made from, from one shared ledger."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from g2milp.solvers.base import Limits, Status
from g2milp.solvers.settings import settings_hash, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.evaluation.hardness.records import Solve
    from g2milp.experiments.lab import Lab
    from g2milp.solvers.base import SolveOutcome
    from g2milp.solvers.labelling import Plan

BY_BREADTH = ("gurobi", "scip", "highs")
"""The first that is here and takes the instances is used: the paper's own first."""
GUROBI_FREE = 2000
HOPELESS = 3
"""Instances that are tried before the others of a set, to see whether any is solved in time."""


@dataclass(frozen=True)
class Effort:
    """A measure of both sets, and how the generated set's solves ended.

    `comparison` is None where nothing could be compared (no instance was solved). `sound` solves
    found a solution and a finite bound, so the instance is feasible and bounded even where a limit
    cut them off.
    """

    solver: str
    comparison: HardnessComparison | None
    statuses: dict[str, int]
    sound: int = 0


def solver_for(data: Dataset, asked: str | None) -> str:
    """The solver that was asked for, or the broadest that is here and takes these sizes."""
    from g2milp.solvers.registry import available, get

    if asked is not None:
        return asked
    here = available()
    for name in BY_BREADTH:
        if name not in here:
            continue
        limited = name == "gurobi" and "limited" in get(name).license_status().message
        if limited and any(max(m.n_rows, m.n_cols) > GUROBI_FREE for m in data):
            continue
        return name
    return "highs"


def efforts_between(
    reference: Dataset, data: Dataset, measure: str, *, lab: Lab, count: int
) -> Effort:
    """Solve the first `count` generated instances and their templates, and compare.

    Sets without templates are compared with the first `count` of the reference. Where the first
    `HOPELESS` instances all end at the limit, no others are tried: their effort is only known to be
    larger than that, and Bowly's programs for MIK would take hours to say it again.
    """
    from g2milp.evaluation.hardness.compare import compare_hardness
    from g2milp.solvers.labelling import Plan, label

    chosen = data.subset(range(min(count, len(data))))
    place = {name: index for index, name in enumerate(reference.names)}
    records = data.manifest or [{}] * len(data)
    parents = [place.get(str(record.get("parent")), -1) for record in records][: len(chosen)]
    known = sorted({parent for parent in parents if parent >= 0})
    templates = reference.subset(known or range(min(count, len(reference))))

    solver = solver_for(templates, lab.solver)
    plan = Plan(
        solver=solver,
        seeds=tuple(range(lab.scale.solver_seeds)),
        limits=Limits(seconds=lab.scale.seconds),
        cross_check=None,
    )
    ledger = lab.folder / "solves" / f"{solver}.jsonl"
    ledger.parent.mkdir(parents=True, exist_ok=True)
    first = chosen.subset(range(min(HOPELESS, len(chosen))))
    for instances in (templates, first):
        label(instances, ledger, plan, jobs=lab.jobs)
    if all(s.outcome.status is Status.TIME_LIMIT for s in _solves(ledger, plan, _hashes(first))):
        chosen, parents = first, parents[: len(first)]
    label(chosen, ledger, plan, jobs=lab.jobs)
    solves = _solves(ledger, plan, [*_hashes(templates), *_hashes(chosen)])
    mine = set(_hashes(chosen))
    outcomes = [solve.outcome for solve in solves if solve.instance_hash in mine]
    statuses = dict(Counter(outcome.status.value for outcome in outcomes))
    sound = sum(_is_sound(outcome) for outcome in outcomes)
    own = _hashes(reference) if known else _hashes(templates)
    found = compare_hardness(solves, own, _hashes(chosen), parents, seed=lab.seed)
    matching = [c for c in found if c.solver == solver and c.measure == measure]
    return Effort(solver, matching[0] if matching else None, statuses, sound)


def _solves(ledger: Path, plan: Plan, hashes: Iterable[str]) -> list[Solve]:
    """What this run asks for of these instances."""
    from g2milp.evaluation.hardness.records import read_solves

    wanted = set(hashes)
    return [s for s in read_solves([ledger]) if s.instance_hash in wanted and _is_of(s, plan)]


def _is_of(solve: Solve, plan: Plan) -> bool:
    """Whether this run asks for it: a ledger may hold solves with other limits or more seeds."""
    settings = settings_of(
        plan.limits, threads=plan.threads, presolve=plan.presolve, options=plan.options
    )
    return solve.settings_hash == settings_hash(settings) and solve.outcome.seed in plan.seeds


def _is_sound(outcome: SolveOutcome) -> bool:
    found = outcome.objective, outcome.bound
    return outcome.status is Status.OPTIMAL or all(
        value is not None and isfinite(value) for value in found
    )


def mean_interval(deviation: float, count: int) -> float:
    """Half of the 95 % interval of a mean."""
    return float(1.96 * deviation / np.sqrt(count)) if count else 0.0


def _hashes(data: Dataset) -> list[str]:
    return [data.content_hash(index) for index in range(len(data))]
