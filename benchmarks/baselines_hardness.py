"""How hard the baselines' instances are: Gurobi's work, paired with the templates'.

    python benchmarks/baselines_hardness.py mis --solved 100 --seeds 3

solves what ``baselines.py`` made (run it first) and adds to
``results/benchmarks/baselines_hardness.json``. Work is deterministic: a busy machine changes
nothing. Solves are kept in a ledger, so the same command continues.

*ratio*: of shifted geometric means, paired by template. *mean ratio*: of plain means over the
pairs, as in the paper's tables; both intervals draw templates again.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from baselines import CASES, WORK, folder_of, lines_of, training_set
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.hardness.compare import compare_hardness
from g2milp.evaluation.hardness.records import efforts, read_solves
from g2milp.solvers.base import Limits
from g2milp.solvers.labelling import Plan, label
from harness import RESULTS, record

MEASURES = ("work", "nodes", "seconds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family")
    parser.add_argument("-n", type=int, default=300, help="size of the sets")
    parser.add_argument("--solved", type=int, default=100, help="generated instances to solve")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=["rewire"], choices=list(CASES))
    parser.add_argument("--ratios", nargs="*", type=float)
    parser.add_argument("--solver", default="gurobi")
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    reference = training_set(chosen.family, chosen.n)
    for name in chosen.only:
        for key, ratio, order in lines_of(name):
            if order != "uniform" or (chosen.ratios and ratio not in chosen.ratios):
                continue
            made = Dataset.open(folder_of(chosen.family, chosen.n, key))
            found = compared(reference, made, chosen)
            keep(f"{chosen.family} {key}", found)
            print(chosen.family, key, json.dumps(found), flush=True)


def compared(reference: Dataset, made: Dataset, chosen: argparse.Namespace) -> dict[str, Any]:
    """Solve the first instances and their templates; compare them pair by pair."""
    ledger = WORK / f"{chosen.family}-{chosen.n}" / f"ledger-{chosen.solver}"
    records = (made.manifest or [])[: chosen.solved]
    parents = [reference.names.index(line["parent"]) for line in records]
    plan = Plan(
        solver=chosen.solver,
        seeds=tuple(range(chosen.seeds)),
        limits=Limits(seconds=chosen.time_limit),
        cross_check=None,
    )
    originals = sorted(set(parents))
    made = made.subset(range(len(records)))
    label(reference.subset(originals), ledger, plan, jobs=chosen.jobs)
    label(made, ledger, plan, jobs=chosen.jobs)
    own = [reference.content_hash(i) for i in originals]
    new = [made.content_hash(i) for i in range(len(made))]
    # Solves with more seeds may be in the ledger from another run: all sides get the same ones.
    solves = [s for s in read_solves([ledger]) if s.outcome.seed < chosen.seeds]
    places = [originals.index(parent) for parent in parents]
    statuses = [s.outcome.status.value for s in solves if s.instance_hash in set(new)]
    result: dict[str, Any] = {
        "solver": chosen.solver,
        "seeds": chosen.seeds,
        "statuses": {status: statuses.count(status) for status in sorted(set(statuses))},
    }
    for found in compare_hardness(solves, own, new, places):
        if found.measure not in MEASURES:
            continue
        result[found.measure] = {
            "reference mean": round(found.reference.mean, 4),
            "generated mean": round(found.generated.mean, 4),
            "reference median": found.reference.median,
            "generated median": found.generated.median,
            "ratio": round(found.ratio, 4),
            "interval": [round(x, 4) for x in found.interval],
            "pairs": found.pairs,
        }
    x, y = efforts(solves, own, "work"), efforts(solves, new, "work")
    result["mean ratio of work"] = mean_ratio(x.values, y.values, x.index, y.index, places)
    return result


def mean_ratio(
    x: np.ndarray, y: np.ndarray, own: np.ndarray, new: np.ndarray, places: list[int]
) -> dict[str, Any] | None:
    """mean over pairs of generated / mean over pairs of templates, templates drawn again."""
    at = {int(i): k for k, i in enumerate(own)}
    pairs = [(at[places[int(i)]], k) for k, i in enumerate(new) if places[int(i)] in at]
    if not pairs:
        return None
    parent, child = np.array(pairs).T
    _, family = np.unique(parent, return_inverse=True)
    before, after = np.bincount(family, x[parent]), np.bincount(family, y[child])
    drawn = np.random.default_rng(0).multinomial(
        before.size, np.full(before.size, 1 / before.size), size=2000
    )
    ratios = (drawn @ after) / (drawn @ before)
    low, high = np.quantile(ratios, [0.025, 0.975])
    value = float(after.sum() / before.sum())
    return {"ratio": round(value, 4), "interval": [round(float(low), 4), round(float(high), 4)]}


def keep(key: str, found: dict[str, Any]) -> None:
    path = RESULTS / "baselines_hardness.json"
    before = json.loads(path.read_text(encoding="utf-8"))["results"] if path.exists() else {}
    record("baselines_hardness", " ".join(["python", *sys.argv]), {**before, key: found})


if __name__ == "__main__":
    main()
