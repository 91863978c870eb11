"""All baselines on one family: similarity, two-sample test, hardness, share of changed rows.

    python benchmarks/baselines.py mis -n 300 --solved 100

Everything is made in ``build/benchmarks/baselines`` and found again there, so the same command
continues. Effort is Gurobi's deterministic work: a busy machine changes nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.baselines.bowly.generator import Bowly
from g2milp.baselines.controls import Copy
from g2milp.baselines.g2sat.generator import G2SAT
from g2milp.baselines.random_refill import Random, RandomMarginal
from g2milp.baselines.rewire import Rewire
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
from g2milp.generation.writing import write
from g2milp.problems.registry import make_many
from g2milp.solvers.base import Limits
from g2milp.solvers.labelling import Plan, label
from harness import record

WORK = Path(__file__).resolve().parent.parent / "build" / "benchmarks" / "baselines"
SUITES = ("g2milp-2023", "v1")

CASES: dict[str, tuple[Any, tuple[float, ...]]] = {
    "random": (Random, (0.01, 0.05, 0.1)),
    "random-marginal": (RandomMarginal, (0.01, 0.05, 0.1)),
    "rewire": (Rewire, (0.01, 0.05, 0.1, 0.5)),
    "rewire-untyped": (lambda: Rewire(typed=False, simple=False), (0.1,)),
    "bowly": (Bowly, (0.1,)),
    "bowly-integer": (lambda: Bowly(integer_valued=True), (0.1,)),
    "g2sat": (G2SAT, (0.1,)),
    "copy": (Copy, (0.1,)),
}
ORDERS = ("ascending", "descending")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family")
    parser.add_argument("-n", type=int, default=300, help="training and generated instances")
    parser.add_argument("--solved", type=int, default=100, help="generated instances to solve")
    parser.add_argument("--only", nargs="*", default=list(CASES))
    parser.add_argument("--orders", action="store_true", help="also the orders of the paper")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time-limit", type=float, default=60.0)
    arguments = parser.parse_args()
    results = run(arguments)
    command = "python benchmarks/baselines.py " + " ".join(sys.argv[1:])
    print(record(f"baselines_{arguments.family}", command, results))


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    home = WORK / f"{arguments.family}-{arguments.n}"
    reference = _training_set(arguments.family, arguments.n, home / "real")
    ledger = home / "ledger"
    results: dict[str, Any] = {"family": arguments.family, "instances": arguments.n}
    for name in arguments.only:
        make, ratios = CASES[name]
        generator = None
        for ratio in ratios:
            for order in ("uniform", *(ORDERS if arguments.orders and ratio == 0.05 else ())):
                generator = generator or make().fit(reference)
                key = f"{name} η={ratio}" + ("" if order == "uniform" else f" {order}")
                out = home / key.replace(" ", "_")
                start = time.perf_counter()
                session = Session(
                    generator,
                    seed=1,
                    templates=None,
                    options=generator.options(mask_ratio=ratio, order=order),
                )
                generate_folder(session, arguments.n, out, jobs=arguments.jobs)
                seconds = time.perf_counter() - start
                solved = arguments.solved if order == "uniform" else 0
                results[key] = _judge(reference, Dataset.open(out), ledger, solved, arguments)
                results[key]["seconds_to_generate"] = round(seconds, 1)
                print(key, {k: v for k, v in results[key].items() if k != "telltales"}, flush=True)
    return results


def _training_set(family: str, n: int, folder: Path) -> Dataset:
    if not (folder / "manifest.jsonl").exists():
        milps = list(make_many(family, n, seed=0))
        write(milps, folder, overwrite=True)
    return Dataset.open(folder)


def _judge(
    reference: Dataset, made: Dataset, ledger: Path, solved: int, arguments: argparse.Namespace
) -> dict[str, Any]:
    if solved:
        _solve(reference, made, ledger, solved, arguments)
    result: dict[str, Any] = {}
    for suite in SUITES:
        options = EvaluationOptions(
            suite=suite,
            ledgers=[ledger] if solved else (),
            two_sample=suite == "v1",
            jobs=arguments.jobs,
            cache=WORK / "profiles",
        )
        found = evaluate_all(reference, {"generated": made}, options)[0].to_dict()
        result[suite] = {"score": found["score"], "interval": found["interval"]}
        if suite == "v1":
            result["ceiling"] = found["ceiling"]
            result["two_sample"] = found["two_sample"]
            result["hardness"] = found["hardness"]
    records = made.manifest or []
    masked = np.array([r["masked_rows"] for r in records], dtype=float)
    changed = np.array([r.get("changed_rows", 0) for r in records], dtype=float)
    result["changed_share_of_masked"] = (
        float(changed.sum() / masked.sum()) if masked.sum() else None
    )
    result["same_degrees"] = _same_degrees(reference, made)
    return result


def _same_degrees(reference: Dataset, made: Dataset) -> str:
    """Instances whose row and column degrees are all those of their template."""
    records = made.manifest or []
    place = {name: i for i, name in enumerate(reference.names)}
    kept = 0
    for i, line in enumerate(records):
        template, new = reference[place[line["parent"]]], made[i]
        kept += np.array_equal(template.row_degrees, new.row_degrees) and np.array_equal(
            template.col_degrees, new.col_degrees
        )
    return f"{kept} of {len(records)}"


def _solve(
    reference: Dataset, made: Dataset, ledger: Path, solved: int, arguments: argparse.Namespace
) -> None:
    plan = Plan(
        solver="gurobi", seeds=(0,), limits=Limits(seconds=arguments.time_limit), cross_check=None
    )
    records = (made.manifest or [])[:solved]
    parents = sorted({reference.names.index(line["parent"]) for line in records})
    label(reference.subset(parents), ledger, plan, jobs=arguments.jobs)
    label(made.subset(range(len(records))), ledger, plan, jobs=arguments.jobs)


if __name__ == "__main__":
    main()
