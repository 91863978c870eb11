"""All baselines on one family of the paper: similarity, two-sample test, share of changed rows.

    python benchmarks/baselines.py mis -n 300

writes ``results/benchmarks/baselines_mis.json``, case by case. Instances are made in
``build/benchmarks/baselines`` and found again there, so the same command continues;
``baselines_hardness.py`` solves them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.baselines.registry import create
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
from g2milp.generation.writing import write
from g2milp.problems.registry import make_many
from harness import RESULTS, record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.generation.contract import Generator

WORK = Path(__file__).resolve().parent.parent / "build" / "benchmarks" / "baselines"
ORDERS = ("uniform", "ascending", "descending")


@dataclass(frozen=True)
class Case:
    """One line of the table; `told` adds the v1 suite with its two-sample test."""

    baseline: str
    settings: tuple[tuple[str, Any], ...] = ()
    ratios: tuple[float, ...] = (0.1,)
    orders: tuple[str, ...] = ("uniform",)
    n: int | None = None
    told: bool = True


CASES: dict[str, Case] = {
    "rewire": Case("rewire", ratios=(0.01, 0.05, 0.1, 0.5)),
    "rewire untyped": Case("rewire", (("typed", False), ("simple", False))),
    "rewire simple": Case("rewire", (("typed", False),)),
    "rewire typed": Case("rewire", (("simple", False),)),
    "random": Case("random", ratios=(0.01, 0.05, 0.1), told=False),
    "random reals": Case("random", (("integers", False),), ratios=(0.01, 0.05, 0.1), told=False),
    "random-marginal": Case("random-marginal", ratios=(0.01, 0.05, 0.1), told=False),
    "bowly": Case("bowly", told=False),
    "bowly integer": Case("bowly", (("integer_valued", True),), told=False),
    "g2sat": Case("g2sat", n=30, told=False),
    "g2sat sums": Case("g2sat", (("sides", "sum"),), n=30, told=False),
    "copy": Case("copy", told=False),
    "random in order": Case("random", ratios=(0.05,), orders=ORDERS[1:], told=False),
    "rewire in order": Case("rewire", ratios=(0.05,), orders=ORDERS[1:], told=False),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family")
    parser.add_argument("-n", type=int, default=300, help="training and generated instances")
    parser.add_argument("--only", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--ratios", nargs="*", type=float, help="only these mask ratios")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    reference = training_set(chosen.family, chosen.n)
    generators: dict[str, Generator] = {}
    for name in chosen.only:
        case = CASES[name]
        for key, ratio, order in lines_of(name):
            if chosen.ratios and ratio not in chosen.ratios:
                continue
            new = not (folder_of(chosen.family, chosen.n, key) / "manifest.jsonl").exists()
            start = time.perf_counter()
            if name not in generators:
                generators[name] = create(case.baseline, **dict(case.settings)).fit(reference)
            made = generated(reference, generators[name], key, ratio, order, case.n or chosen.n)
            seconds = time.perf_counter() - start
            found = judged(reference, made, told=case.told, jobs=chosen.jobs)
            # Instances that were there already took another run's time.
            found["seconds"] = round(seconds, 1) if new else seconds_before(chosen.family, key)
            keep(f"baselines_{chosen.family}", reference, key, found)
            print(key, {k: v for k, v in found.items() if k != "telltales"}, flush=True)


def lines_of(name: str) -> Iterator[tuple[str, float, str]]:
    """Name, mask ratio and order of each line of one case."""
    for ratio in CASES[name].ratios:
        for order in CASES[name].orders:
            yield f"{name} η={ratio}" + ("" if order == "uniform" else f" {order}"), ratio, order


def training_set(family: str, n: int) -> Dataset:
    folder = WORK / f"{family}-{n}" / "real"
    if not (folder / "manifest.jsonl").exists():
        write(list(make_many(family, n, seed=0)), folder, overwrite=True)
    return Dataset.open(folder)


def folder_of(family: str, size: int, key: str) -> Path:
    return WORK / f"{family}-{size}" / key.replace(" ", "_")


def generated(
    reference: Dataset, generator: Generator, key: str, ratio: float, order: str, n: int
) -> Dataset:
    home = reference.paths[0]
    assert home is not None
    out = home.parent.parent / key.replace(" ", "_")
    options = generator.options(mask_ratio=ratio, order=order)
    session = Session(generator, seed=1, templates=None, options=options)
    generate_folder(session, n, out)
    return Dataset.open(out)


def judged(reference: Dataset, made: Dataset, *, told: bool, jobs: int = 1) -> dict[str, Any]:
    """Scores, two-sample test, and what the manifest says of changes."""
    result: dict[str, Any] = {"instances": len(made)}
    for suite in ("g2milp-2023", "v1")[: 1 + told]:
        options = EvaluationOptions(
            suite=suite, two_sample=suite == "v1", jobs=jobs, cache=WORK / "profiles"
        )
        found = evaluate_all(reference, {"generated": made}, options)[0].to_dict()
        result[suite] = {
            "score": round(found["score"], 4),
            "interval": [round(x, 4) for x in found["interval"]],
            "ceiling": found["ceiling"],
        }
        if suite == "g2milp-2023":
            result[suite]["parts"] = {
                part: round(own["similarity"], 3) for part, own in found["statistics"].items()
            }
        elif (test := (found["two_sample"] or {}).get("classifier")) is not None:
            result["auc"] = {k: test[k] for k in ("classifier", "auc", "interval", "features")}
            result["telltales"] = test["telltales"][:5]
    return {**result, **manifest_says(reference, made)}


def manifest_says(reference: Dataset, made: Dataset) -> dict[str, Any]:
    records = made.manifest or []
    masked = sum(r["masked_rows"] for r in records)
    changed = sum(r["changed_rows"] for r in records)
    place = {name: i for i, name in enumerate(reference.names)}
    kept = 0
    for i, line in enumerate(records):
        template, new = reference[place[line["parent"]]], made[i]
        kept += np.array_equal(template.row_degrees, new.row_degrees) and np.array_equal(
            template.col_degrees, new.col_degrees
        )
    return {
        "changed_share_of_masked": round(changed / masked, 4) if masked else None,
        "same_degrees": f"{kept} of {len(records)}",
        "isomorphic_to_known": sum(r["same_as"] is not None for r in records),
    }


def seconds_before(family: str, key: str) -> float | None:
    """What making these instances took when they were made."""
    path = RESULTS / f"baselines_{family}.json"
    if not path.exists():
        return None
    line = json.loads(path.read_text(encoding="utf-8"))["results"].get(key, {})
    seconds: float | None = line.get("seconds")
    return seconds


def keep(topic: str, reference: Dataset, key: str, found: dict[str, Any]) -> None:
    """Add one line to the results; those of other cases stay."""
    path = RESULTS / f"{topic}.json"
    before = json.loads(path.read_text(encoding="utf-8"))["results"] if path.exists() else {}
    if before.get("reference") != reference.hash:
        before = {"reference": reference.hash, "real instances": len(reference)}
    record(topic, " ".join(["python", *sys.argv]), {**before, key: found})


if __name__ == "__main__":
    main()
