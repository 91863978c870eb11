"""Downstream tasks with and without generated instances, from a seed to a committed result.

``python benchmarks/downstream.py NAME --work DIR`` makes the sets of an experiment, fits every
generator to its training part, generates, runs the task, and writes
``results/downstream/NAME.json`` with every run's raw numbers. What is in DIR already is not done
again. Experiments say in words how far they are from the paper's scale.

``value-nurse`` reads real files from ``G2MILP_SHARED_DATA`` (see the tests).
"""

from __future__ import annotations

import argparse
import json
import os
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
from g2milp.generation.writing import write, write_folder
from harness import RESULTS, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BASELINES: dict[str, tuple[str, dict[str, Any]]] = {
    "bowly-integer": ("bowly", {"integer_valued": True}),
}
"""Bowly as published has neither binary columns to predict nor readable numbers on MIK."""

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"

TASKS: dict[str, tuple[Callable[..., Any], Callable[..., dict[str, Any]]]] = {
    "optimal-value": (value.protocol, optimal_value),
    "predict-and-search": (searching.protocol, predict_and_search),
    "tuning": (tuned.protocol, tuning),
}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One result file.

    `pool` instances are generated at every mask ratio by every method; a method that makes whole
    instances has one pool. The ratios are mixed in equal shares, or each is a training set of its
    own (`apart`). `groups` > 0: the generators are fitted anew to each group of so many consecutive
    training instances, `pool` for each. `files`: training and test files of a real `family`.
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
    methods: tuple[str, ...] = ("g2milp", "random", "rewire", "bowly-integer")
    steps: int = 600
    groups: int = 0
    seed: int = 11
    apart: bool = False
    certify: str | None = None
    files: tuple[tuple[str, ...], tuple[str, ...]] | None = None


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
    "value-mis-200": Experiment(
        task="optimal-value",
        family="mis",
        scale="graphs of 150 nodes instead of 500",
        params={"n_nodes": 150},
        train=200,
        test=200,
        ratios=(0.01, 0.05),
        pool=300,
        protocol={"preset": "mis", "epochs": 300, "batch": 4},
        steps=300,
    ),
    "value-mis-500": Experiment(
        task="optimal-value",
        family="mis",
        scale="graphs of 150 nodes instead of 500",
        params={"n_nodes": 150},
        train=500,
        test=200,
        ratios=(0.01, 0.05),
        pool=700,
        protocol={"preset": "mis", "epochs": 300, "batch": 4},
        steps=300,
    ),
    "value-mik-ratios": Experiment(
        task="optimal-value",
        family="mik",
        scale="the paper's figure over the mask ratio: every ratio is a training set of its own; "
        "epochs and batch as in `protocol`",
        train=80,
        test=100,
        ratios=(0.01, 0.05, 0.1, 0.2),
        pool=50,
        protocol={"preset": "mik", "epochs": 100, "batch": 4},
        methods=("g2milp", "random", "rewire"),
        apart=True,
    ),
    "value-mik-speed": Experiment(
        task="optimal-value",
        family="mik",
        scale="the paper's settings, once: 1000 epochs on 64 and on 84 instances; read "
        "`seconds` and the runs' `cpu_seconds`",
        train=80,
        test=100,
        ratios=(0.01, 0.05),
        pool=20,
        protocol={"preset": "mik", "repeats": 1},
        methods=("random",),
    ),
    "value-nurse": Experiment(
        task="optimal-value",
        family="nurse",
        scale="a case study: two training and two test instances as in the paper; "
        "sprint_hidden06_j stands for sprint-hidden09, sprint_hint01_j for sprint-late03, and "
        "nursesched-sprint08 (sprint08_j) for medium04, which HiGHS does not solve in time; "
        "generated ones are made feasible with proof",
        train=2,
        test=2,
        ratios=(0.01, 0.05),
        pool=12,
        protocol={"preset": "nurse"},
        solver="highs",
        time_limit=300.0,
        steps=20,
        methods=("g2milp", "rewire"),
        certify="feasible",
        files=(
            ("sprint08_j", "sprint_hidden06_j"),
            ("nursesched-sprint02", "sprint_hint01_j"),
        ),
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
        methods=("g2milp", "random", "rewire", "bowly-integer"),
        steps=200,
        groups=5,
    ),
}


def sets_of(name: str, experiment: Experiment, work: Path) -> tuple[Path, Path]:
    """Training and test instances of a family, from two seeds."""
    folders = work / f"{name}-train", work / f"{name}-test"
    if experiment.files is not None:
        home = Path(os.environ.get("G2MILP_SHARED_DATA", SHARED)) / experiment.family
        for folder, stems in zip(folders, experiment.files, strict=True):
            if not (folder / "manifest.jsonl").exists():
                data = Dataset.open([home / f"{stem}.mps.gz" for stem in stems])
                write_folder(zip(data.names, data, strict=True), folder, overwrite=True)
        return folders
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
    kind, settings = BASELINES.get(method, (method, {}))
    return create(kind, seed=experiment.seed, **settings).fit(data)


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
        whole = method.startswith(("bowly", "g2sat"))
        for k, ratio in enumerate(experiment.ratios[: 1 if whole else None]):
            folder = work / f"{name}-{method}-{ratio:g}"
            if not (folder / "manifest.jsonl").exists():
                samples = []
                for g, group in enumerate(groups):
                    run = work / f"{name}-{method}-run-{g}"
                    generator = fitted(method, experiment, group, run)
                    drawn = generator.sample_iter(
                        experiment.pool * (len(experiment.ratios) if whole else 1),
                        seed=experiment.seed + k,
                        mask_ratio=ratio,
                        certify=experiment.certify,
                    )
                    samples += list(drawn)
                write(Samples(samples), folder, overwrite=True)
            folders.append(folder)
            print(name, folder.name, flush=True)
        if experiment.apart and not whole:
            for ratio, folder in zip(experiment.ratios, folders, strict=True):
                pools[Augmentation(f"{method} η={ratio:g}", (folder,))] = [Dataset.open(folder)]
        else:
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
    began = time.perf_counter()
    result = run(session, make_protocol(**{**experiment.protocol, **given}))
    seconds = round(time.perf_counter() - began, 1)
    folder = RESULTS.parent / "downstream"
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "command": f"python benchmarks/downstream.py {options.name}",
        "environment": environment(),
        "seconds": seconds,
        "jobs": options.jobs,
        "experiment": {key: of for key, of in vars(experiment).items() if key != "protocol"},
        "result": result,
    }
    path = folder / f"{options.name}.json"
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    for row in result["summary"]:
        print(json.dumps(row))


if __name__ == "__main__":
    main()
