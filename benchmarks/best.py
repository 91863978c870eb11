"""The preset best beside the typed rewire and the published way: can it be told from real?

    python benchmarks/best.py auction [-n 150] [--ratios 0.1 0.5] [--only rewire best …]
                              [--solved 60] [--published RUN]

Trains on n instances, generates n with each case, and judges them in both suites and by the
two-sample tests, where a second real sample of the same size (``real``) is the yardstick. Effort is
Gurobi's deterministic work, compared template by template; instances too large for its free licence
are solved by HiGHS. Everything stays in ``build/benchmarks/best`` and is found again there, so the
same command continues; results of several families are kept side by side in one file.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.baselines.random_refill import Random
from g2milp.baselines.rewire import Rewire
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
from g2milp.generation.writing import write
from g2milp.problems.registry import make_many
from g2milp.solvers.base import Limits
from g2milp.solvers.labelling import Plan, label
from harness import RESULTS, record

WORK = Path(__file__).resolve().parent.parent / "build" / "benchmarks" / "best"
SIZES: dict[str, dict[str, Any]] = {"facility": {"n_customers": 30, "n_facilities": 30}}
SETTINGS: dict[str, dict[str, Any]] = {
    "best": {},
    "best without shared": {"network.shared": False},
    "best without messages": {"network.depth": 1, "network.shared": True},
    "best at half temperature": {},
    "best without free degrees": {},
}
OPTIONS: dict[str, dict[str, Any]] = {
    "published": {"choose": "best"},
    "best at half temperature": {"temperature": 0.5},
    "best without free degrees": {"keep_degrees": True},
}
CASES = ("real", "rewire", "random", *SETTINGS, "published")
EQUAL = "rewire at the change of best"
"""Not a case of its own: the typed rewire with so small a η that as many rows really change."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family")
    parser.add_argument("-n", type=int, default=150, help="training and generated instances")
    parser.add_argument("--ratios", type=float, nargs="*", default=[0.1, 0.5])
    parser.add_argument("--only", nargs="*", default=["real", "rewire", "best"])
    parser.add_argument("--solved", type=int, default=0, help="generated instances to solve")
    parser.add_argument("--solver", default="gurobi")
    parser.add_argument("--published", type=Path, help="run folder of a code-… or paper-… preset")
    parser.add_argument("--train", type=int, help="learn from this many instances only")
    arguments = parser.parse_args()
    results = run(arguments)
    path = RESULTS / "best.json"
    known = json.loads(path.read_text())["results"] if path.exists() else {}
    key = arguments.family + (f" from {arguments.train}" if arguments.train else "")
    known[key] = {**known.get(key, {}), **results}
    print(record("best", "python benchmarks/best.py FAMILY …, see `command` of each", known))


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    name = f"{arguments.family}-{arguments.n}"
    home = WORK / name
    reference = made_set(arguments.family, arguments.n, 0, home / "real")
    learned = reference.subset(range(arguments.train)) if arguments.train else reference
    results: dict[str, Any] = {
        "command": "python benchmarks/best.py " + " ".join(sys.argv[1:]),
        "instances": arguments.n,
    }
    for case in arguments.only:
        if case == "real":
            fresh = made_set(arguments.family, arguments.n, 1, home / "fresh")
            results[case] = judge(reference, fresh, home, arguments)
            print(case, brief(results[case]), flush=True)
            continue
        generator, seconds = trained(case, learned, arguments.published)
        for ratio in arguments.ratios:
            key = f"{case} η={ratio}"
            if case == EQUAL:
                ratio = round(ratio * share_changed(results, arguments, ratio), 5)
            suffix = f"-{arguments.train}" if arguments.train else ""
            out = home / (key.replace(" ", "_") + suffix)
            session = Session(
                generator,
                seed=1,
                templates=reference if case == "published" else None,
                options=generator.options(mask_ratio=ratio, **OPTIONS.get(case, {})),
            )
            start = time.perf_counter()
            generate_folder(session, arguments.n, out, overwrite=True)
            took = time.perf_counter() - start
            results[key] = judge(reference, Dataset.open(out), home, arguments)
            results[key]["seconds_an_instance"] = round(took / arguments.n, 4)
            results[key]["seconds_to_learn"] = round(seconds, 1)
            print(key, brief(results[key]), flush=True)
    return results


def share_changed(results: dict[str, Any], arguments: argparse.Namespace, ratio: float) -> float:
    """Rows that best changes for each one that the rewire does, in this run or a past one."""
    path = RESULTS / "best.json"
    known = json.loads(path.read_text())["results"] if path.exists() else {}
    cells = {**known.get(arguments.family, {}), **results}
    best, rewire = (
        cells[f"{case} η={ratio}"]["changed_share_of_masked"] for case in ("best", "rewire")
    )
    return float(best / rewire)


def made_set(family: str, n: int, seed: int, folder: Path) -> Dataset:
    if not (folder / "manifest.jsonl").exists():
        write(list(make_many(family, n, seed, **SIZES.get(family, {}))), folder, overwrite=True)
    return Dataset.open(folder)


@functools.cache
def trained(case: str, data: Dataset, published: Path | None) -> tuple[Any, float]:
    start = time.perf_counter()
    if case == "published":
        assert published is not None
        return G2MILP.load(published), 0.0
    generator: Any
    if case != "best" and SETTINGS.get(case) == {}:  # the same network, used in another way
        return trained("best", data, published)
    if case in ("rewire", "random", EQUAL):
        generator = {"rewire": Rewire, "random": Random, EQUAL: Rewire}[case]().fit(data)
    else:
        generator = G2MILP(preset="best", settings=SETTINGS[case]).fit(data)
    return generator, time.perf_counter() - start


def judge(
    reference: Dataset, made: Dataset, home: Path, arguments: argparse.Namespace
) -> dict[str, Any]:
    ledger = home / f"ledger-{arguments.solver}"
    if arguments.solved:
        solve(reference, made, ledger, arguments)
    result: dict[str, Any] = {}
    for suite in ("g2milp-2023", "v1"):
        options = EvaluationOptions(
            suite=suite,
            ledgers=[ledger] if arguments.solved else (),
            two_sample=suite == "v1",
            cache=WORK / "profiles",
        )
        found = evaluate_all(reference, {"generated": made}, options)[0].to_dict()
        result[suite] = {key: found[key] for key in ("score", "interval")}
        if suite == "v1":
            tests = found["two_sample"]
            result["two_sample"] = tests
            result["hardness"] = found["hardness"]["comparisons"]
            worst = sorted(found["statistics"].items(), key=lambda item: item[1]["similarity"])
            result["least_similar"] = {k: round(v["similarity"], 3) for k, v in worst[:5]}
            result["degrees"] = {
                k: round(v["similarity"], 3) for k, v in sorted(worst) if "_degree_" in k
            }
    records = made.manifest or []
    masked = sum(r.get("masked_rows", 0) for r in records)
    changed = sum(r.get("changed_rows", 0) for r in records)
    result["changed_share_of_masked"] = changed / masked if masked else None
    return result


def solve(reference: Dataset, made: Dataset, ledger: Path, arguments: argparse.Namespace) -> None:
    plan = Plan(solver=arguments.solver, seeds=(0,), limits=Limits(seconds=60.0), cross_check=None)
    records = (made.manifest or [])[: arguments.solved]
    parents = sorted({reference.names.index(r["parent"]) for r in records if "parent" in r})
    parents = parents or list(range(min(arguments.solved, len(reference))))
    label(reference.subset(parents), ledger, plan, jobs=1)
    label(made.subset(range(min(arguments.solved, len(made)))), ledger, plan, jobs=1)


def brief(result: dict[str, Any]) -> str:
    tests = result["two_sample"]
    auc = tests["classifier"] and {
        key: np.round(value, 3)
        for key, value in tests["classifier"].items()
        if key in ("auc", "interval")
    }
    energy = [
        {k: v if isinstance(v, str) else np.round(v, 3) for k, v in d.items() if v is not None}
        for d in tests["distances"]
    ]
    scores = [round(result[suite]["score"], 3) for suite in ("g2milp-2023", "v1")]
    return f"{scores} {auc} {energy} {result['hardness']} {result['least_similar']}"


if __name__ == "__main__":
    main()
