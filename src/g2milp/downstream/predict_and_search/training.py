"""One training, and the searches in all test instances: what a worker process does."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from g2milp.downstream.fitting import fit
from g2milp.downstream.network import Scales
from g2milp.downstream.predict_and_search.model import (
    MarginalNet,
    MarginalProblem,
    Target,
    predict_marginals,
)
from g2milp.downstream.predict_and_search.pool import Pool, marginals
from g2milp.downstream.predict_and_search.search import search, trust_region
from g2milp.downstream.threads import one_thread
from g2milp.graph.features import build_graph

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset
    from g2milp.downstream.layout import TrainingSet
    from g2milp.downstream.predict_and_search.protocol import Protocol


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchRun:
    """One training with the pools of all its instances by content hash; `sets` None: no prediction.

    Without a prediction the whole instance is searched, as a yardstick.
    """

    sets: TrainingSet | None
    test: Dataset
    pools: Mapping[str, dict[str, Any]]
    protocol: Protocol
    solver: str
    seed: int
    folder: Path | None = None


def train_and_search(run: SearchRun) -> dict[str, Any]:
    """Train, search every test instance; gives the line for the ledger."""
    began = time.perf_counter()
    record: dict[str, Any] = {"seed": run.seed, "size": 0, "added": 0}
    guess = None
    if run.sets is not None:
        guess, facts = _trained(run, run.sets)
        record |= facts
    record["training_seconds"] = round(time.perf_counter() - began, 3)
    found = []
    for i, milp in enumerate(run.test):
        pool = Pool.from_record(run.pools[run.test.content_hash(i)], milp)
        region, told = milp, {}
        if guess is not None:
            chances = guess(milp)
            region = trust_region(milp, chances, run.protocol.region)
            told["cross_entropy"] = _cross_entropy(chances, marginals(pool, run.protocol.pool))
        found.append(
            {
                "instance": run.test.names[i],
                **search(region, pool.optimum, run.solver, run.seed, run.protocol.search_limit),
                **told,
            }
        )
    return {**record, **_totals(found), "searches": found}


def _trained(run: SearchRun, sets: TrainingSet) -> tuple[Any, dict[str, Any]]:
    """A function from an instance to its predicted marginals, and what to tell of the training."""
    form = run.protocol.network.row_form

    def targets(data: Dataset) -> list[Target]:
        made = []
        for i, milp in enumerate(data):
            pool = Pool.from_record(run.pools[data.content_hash(i)], milp)
            shares = marginals(pool, run.protocol.pool)
            made.append(Target(build_graph(milp, form), milp.is_binary, shares))
        return made

    learned, held = targets(sets.train), targets(sets.held)
    with one_thread():
        generator = torch.Generator().manual_seed(sets.seed)
        scales = Scales.of([target.graph for target in learned])
        module = MarginalNet(run.protocol.network, scales, generator)
        problem = MarginalProblem(module, learned, held, run.protocol.schedule.batch)
        fitted = fit(problem, run.protocol.schedule, seed=sets.seed, folder=run.folder)

    def guess(milp: Any) -> Any:
        target = Target(build_graph(milp, form), milp.is_binary, np.zeros(0))
        with one_thread():
            return predict_marginals(module, target)

    return guess, {**sets.facts, "fitted": asdict(fitted)}


def _totals(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts and means of one run.

    A search that did not find the optimum counts with all the effort that it took, a lower bound.
    """

    def effort(name: str) -> float:
        taken = [one[name] if one[name] is not None else one[f"total_{name}"] for one in found]
        return float(np.mean(taken))

    return {
        "failures": sum(one["failed"] for one in found),
        "not_found": sum(not one["found"] for one in found),
        "seconds_to_optimum": effort("seconds"),
        "work_to_optimum": effort("work"),
        "total_seconds": float(np.mean([one["total_seconds"] for one in found])),
        "total_work": float(np.mean([one["total_work"] for one in found])),
        "gap": float(np.mean([one["gap"] for one in found])),
        "primal_integral": float(np.mean([one["primal_integral"] for one in found])),
    }


def _cross_entropy(chances: Any, wanted: Any) -> float:
    p = np.clip(chances, 1e-12, 1 - 1e-12)
    return float(-np.mean(wanted * np.log(p) + (1 - wanted) * np.log1p(-p)))
