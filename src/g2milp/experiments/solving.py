"""Effort of a generated set against the set it was made from, from one shared ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.solvers.base import Limits

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.experiments.lab import Lab

BY_BREADTH = ("gurobi", "scip", "highs")
"""The first that is here and takes the instances is used: the paper's own first."""
GUROBI_FREE = 2000


@dataclass(frozen=True)
class Effort:
    """A measure of both sets, and how the generated set's solves ended.

    `comparison` is None where nothing could be compared (no instance was solved).
    """

    solver: str
    comparison: HardnessComparison | None
    statuses: dict[str, int]


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

    Sets without templates are compared with the first `count` of the reference.
    """
    from g2milp.evaluation.hardness.compare import compare_hardness
    from g2milp.evaluation.hardness.records import read_solves
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
    for instances in (templates, chosen):
        label(instances, ledger, plan, jobs=lab.jobs)
    wanted = {*_hashes(templates), *_hashes(chosen)}
    solves = [solve for solve in read_solves([ledger]) if solve.instance_hash in wanted]
    mine = set(_hashes(chosen))
    statuses: dict[str, int] = {}
    for solve in solves:
        if solve.instance_hash in mine:
            status = solve.outcome.status.value
            statuses[status] = statuses.get(status, 0) + 1
    own = _hashes(reference) if known else _hashes(templates)
    found = compare_hardness(solves, own, _hashes(chosen), parents, seed=lab.seed)
    matching = [c for c in found if c.solver == solver and c.measure == measure]
    return Effort(solver, matching[0] if matching else None, statuses)


def mean_interval(deviation: float, count: int) -> float:
    """Half of the 95 % interval of a mean."""
    return float(1.96 * deviation / np.sqrt(count)) if count else 0.0


def _hashes(data: Dataset) -> list[str]:
    return [data.content_hash(index) for index in range(len(data))]
