"""One training and its test: what a worker process does."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from g2milp.downstream.fitting import fit
from g2milp.downstream.network import Scales
from g2milp.downstream.optimal_value.model import ValueNet, ValueProblem, predict
from g2milp.downstream.threads import one_thread
from g2milp.graph.features import build_graph

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.downstream.labels import Labelled
    from g2milp.downstream.layout import TrainingSet
    from g2milp.downstream.optimal_value.protocol import Protocol


@dataclass(frozen=True, eq=False, kw_only=True)
class ValueRun:
    """One training: its sets with labels in their own units, and how to train.

    `mean` and `deviation` are those of all real training labels, the units of the error.
    """

    sets: TrainingSet
    test: Labelled
    mean: float
    deviation: float
    protocol: Protocol
    folder: Path | None = None


def train_value(run: ValueRun) -> dict[str, Any]:
    """Train on the sets of `run`, predict the test set; gives the line for the ledger."""
    began, work = time.perf_counter(), time.process_time()
    sets, form = run.sets, run.protocol.network.row_form
    graphs, held, test = (
        [build_graph(milp, form) for milp in data]
        for data in (sets.train, sets.held, run.test.data)
    )
    with one_thread():
        generator = torch.Generator().manual_seed(sets.seed)
        module = ValueNet(run.protocol.network, Scales.of(graphs), generator)
        problem = ValueProblem(
            module,
            graphs,
            (sets.values - run.mean) / run.deviation,
            held,
            (sets.held_values - run.mean) / run.deviation,
        )
        fitted = fit(problem, run.protocol.schedule, seed=sets.seed, folder=run.folder)
        predicted = predict(module, test)
    errors = predicted - (run.test.values - run.mean) / run.deviation
    return {
        "seed": sets.seed,
        **sets.facts,
        "mse": float(np.mean(errors**2)),
        "test_errors": [float(f"{error:.6g}") for error in errors],
        "fitted": asdict(fitted),
        "seconds": round(time.perf_counter() - began, 3),
        "cpu_seconds": round(time.process_time() - work, 3),
    }
