"""Downstream tasks with and without generated instances, from a seed to a committed result.

``python benchmarks/downstream.py NAME --work DIR`` makes the sets of an experiment, fits every
generator to its training part, generates, runs the task, and writes
``results/downstream/NAME.json`` with every run's raw numbers. What is in DIR already is not done
again. Experiments say in words how far they are from the paper's scale.
"""

from __future__ import annotations

import argparse
import json
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.baselines.registry import create
from g2milp.datasets.dataset import Dataset
from g2milp.datasets.making import make_folder
from g2milp.downstream.augmentation import Augmentation
from g2milp.downstream.optimal_value import protocol as value
from g2milp.downstream.optimal_value.task import optimal_value
from g2milp.downstream.predict_and_search import protocol as searching
from g2milp.downstream.predict_and_search.task import predict_and_search
from g2milp.downstream.session import Session
from g2milp.downstream.tuning import protocol as tuned
from g2milp.downstream.tuning.task import tuning
from g2milp.generation.contract import Generator, Samples
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.writing import write
from harness import RESULTS, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TASKS: dict[str, tuple[Callable[..., Any], Callable[..., dict[str, Any]]]] = {
    "optimal-value": (value.protocol, optimal_value),
    "predict-and-search": (searching.protocol, predict_and_search),
    "tuning": (tuned.protocol, tuning),
}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One result file.

    `pool` instances are generated at every mask ratio by every method; a method that makes whole
    instances has one pool. `groups` > 0: the generators are fitted anew to each group of so many
    consecutive training instances, `pool` for each.
    """

    task: str
    family: str
    scale: str
    train: int
    test: int
    ratios: tuple[float, ...]
    pool: int
    protocol: dict[str, Any]
    params: dict[str, Any] = field(default_factory=dict)
    solver: str = "gurobi"
    time_limit: float = 60.0
    methods: tuple[str, ...] = ("g2milp", "random", "rewire")
    steps: int = 600
    groups: int = 0
    seed: int = 11


EXPERIMENTS = {
    "value-mik": Experiment(
        task="optimal-value",
        family="mik",
        scale="the paper's sizes and numbers of instances, 100 test instances instead of 10, "
        "epochs and batch as in `protocol` (paper: 1000 epochs, batch not published)",
        train=80,
        test=100,
        ratios=(0.01, 0.05),
        pool=100,
        protocol={"preset": "mik", "epochs": 100, "batch": 4},
    ),
    "value-mis-50": Experiment(
        task="optimal-value",
        family="mis",
        scale="graphs of 150 nodes instead of 500",
        params={"n_nodes": 150},
        train=50,
        test=200,
        ratios=(0.01, 0.05),
        pool=80,
        protocol={"preset": "mis", "epochs": 300, "batch": 4},
        steps=300,
    ),
    "value-mis-100": Experiment(
        task="optimal-value",
        family="mis",
        scale="graphs of 150 nodes instead of 500",
        params={"n_nodes": 150},
        train=100,
        test=200,
        ratios=(0.01, 0.05),
        pool=150,
        protocol={"preset": "mis", "epochs": 300, "batch": 4},
        steps=300,
    ),
    "search-mis": Experiment(
        task="predict-and-search",
        family="mis",
        scale="graphs of 150 nodes instead of 500; 100 training, 100 generated and 100 test "
        "instances as in the paper",
        params={"n_nodes": 150},
        train=100,
        test=100,
        ratios=(0.01,),
        pool=150,
        protocol={"epochs": 100, "repeats": 3, "batch": 4},
        steps=300,
    ),
    "tuning-setcover": Experiment(
        task="tuning",
        family="setcover",
        scale="100 rows and 200 columns",
        params={"n_rows": 100, "n_cols": 200, "density": 0.05},
        train=25,
        test=40,
        ratios=(0.05,),
        pool=15,
        protocol={"few": 5, "added": 15, "budget": 12},
        solver="highs",
        methods=("g2milp", "rewire"),
        steps=200,
        groups=5,
    ),
}


def sets_of(name: str, experiment: Experiment, work: Path) -> tuple[Path, Path]:
    """Training and test instances of a family, from two seeds."""
    folders = work / f"{name}-train", work / f"{name}-test"
    for folder, count, seed in zip(
        folders,
        (experiment.train, experiment.test),
        (experiment.seed, 1000 + experiment.seed),
        strict=False,
    ):
        make_folder(experiment.family, count, seed, folder, params=experiment.params)
    return folders


def fitted(method: str, experiment: Experiment, data: Dataset, run: Path) -> Generator:
    """A generator that knows `data` and nothing else."""
    if method == "g2milp":
        generator = G2MILP(seed=experiment.seed, settings={"training.steps": experiment.steps})
        return generator.fit(data, run_dir=run)
    return create(method, seed=experiment.seed).fit(data)


def pools_of(
    name: str, experiment: Experiment, train: Path, work: Path
) -> dict[Augmentation, list[Dataset]]:
    """What every method generates from the training instances."""
    real = Dataset.open(train)
    size = experiment.groups or len(real)
    groups = [real.subset(range(at, at + size)) for at in range(0, len(real), size)]
    pools = {}
    for method in experiment.methods:
        folders = []
        for k, ratio in enumerate(experiment.ratios):
            folder = work / f"{name}-{method}-{ratio:g}"
            if not (folder / "manifest.jsonl").exists():
                samples = []
                for g, group in enumerate(groups):
                    run = work / f"{name}-{method}-run-{g}"
                    generator = fitted(method, experiment, group, run)
                    drawn = generator.sample_iter(
                        experiment.pool, seed=experiment.seed + k, mask_ratio=ratio
                    )
                    samples += list(drawn)
                write(Samples(samples), folder, overwrite=True)
            folders.append(folder)
            print(name, folder.name, flush=True)
        pools[Augmentation(method, tuple(folders))] = [Dataset.open(f) for f in folders]
    return pools


@contextmanager
def bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    """A line for each item that takes its time."""
    began, done, told = time.monotonic(), 0, 0.0

    def advance(items: int = 1, note: str = "") -> None:
        nonlocal done, told
        done += items
        if time.monotonic() - told > 10:
            told = time.monotonic()
            print(f"{what} {done}/{total} {told - began:.0f} s {note}", flush=True)

    yield advance


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=sorted(EXPERIMENTS))
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--methods", nargs="*", help="only these, in place of the experiment's")
    parser.add_argument("--set", dest="given", action="append", default=[])
    options = parser.parse_args()
    experiment = EXPERIMENTS[options.name]
    if options.methods is not None:
        experiment = Experiment(**{**vars(experiment), "methods": tuple(options.methods)})
    given = {key: json.loads(text) for key, text in (item.split("=") for item in options.given)}
    options.work.mkdir(parents=True, exist_ok=True)
    make_protocol, run = TASKS[experiment.task]
    train, test = sets_of(options.name, experiment, options.work)
    pools = pools_of(options.name, experiment, train, options.work)
    session = Session(
        folder=options.work / f"{options.name}-out",
        train=Dataset.open(train),
        test=Dataset.open(test),
        augmentations=pools,
        solver=experiment.solver,
        time_limit=experiment.time_limit,
        jobs=options.jobs,
        bar=bar,
    )
    result = run(session, make_protocol(**{**experiment.protocol, **given}))
    folder = RESULTS.parent / "downstream"
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "command": f"python benchmarks/downstream.py {options.name}",
        "environment": environment(),
        "experiment": {key: of for key, of in vars(experiment).items() if key != "protocol"},
        "result": result,
    }
    path = folder / f"{options.name}.json"
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    for row in result["summary"]:
        print(json.dumps(row))


if __name__ == "__main__":
    main()
