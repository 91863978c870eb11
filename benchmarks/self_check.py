"""Paper Table "similarity between each pair of datasets", regenerated from the problem families.

``python benchmarks/self_check.py`` makes 1,000 MIS, 1,000 SetCover and 80 MIK look-alikes and
scores every pair in every suite; it writes ``results/benchmarks/self_check.json``. As in the paper,
the diagonal compares a set with a resample of itself; beside it stands the score of disjoint
halves, which is what an honest generator can hope for.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from itertools import combinations
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.features import Features, features_of
from g2milp.evaluation.scoring import point_score
from g2milp.evaluation.suites import SUITES, Suite
from g2milp.evaluation.yardsticks import ceiling
from g2milp.instance.io.files import write_file
from g2milp.problems.registry import make_many
from harness import record

SIZES = {"mis": 1000, "setcover": 1000, "mik": 80}
PUBLISHED = {
    "mis-mis": 0.998,
    "setcover-setcover": 1.000,
    "mik-mik": 0.997,
    "mis-setcover": 0.182,
    "mis-mik": 0.042,
    "setcover-mik": 0.128,
}
NAMES = tuple(dict.fromkeys(name for suite in SUITES.values() for name in suite.statistics))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0, help="of the full sizes")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    sets = {
        name: features_of_problem(name, max(8, int(size * chosen.share)), chosen.jobs, chosen.seed)
        for name, size in SIZES.items()
    }
    results: dict[str, Any] = {
        "sizes": {name: len(features) for name, features in sets.items()},
        "published (11 statistics)": PUBLISHED,
    }
    for suite in SUITES.values():
        results[suite.name] = table(suite, sets, chosen.seed)
        print(suite.name, results[suite.name])
    command = " ".join(["python", "benchmarks/self_check.py", *sys.argv[1:]])
    record("self_check", command, results)


def features_of_problem(name: str, count: int, jobs: int, seed: int) -> Features:
    """Write the instances, as users have them, and compute their statistics."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, milp in enumerate(make_many(name, count, seed)):
            paths.append(Path(folder) / f"{number:04d}.mps")
            write_file(milp, paths[-1])
        return features_of(Dataset.open(paths), NAMES, jobs=jobs)


def table(suite: Suite, sets: dict[str, Features], seed: int) -> dict[str, Any]:
    """Resample (diagonal), disjoint halves, and all pairs."""
    rng = np.random.default_rng(seed)
    values = {name: features.columns(suite.statistics) for name, features in sets.items()}
    diagonal, halves = {}, {}
    for name, x in values.items():
        again = x if suite.comparison == "published" else x[rng.integers(0, len(x), len(x))]
        # Published suites draw 1,000 with replacement from both sides by definition.
        diagonal[name] = round(point_score(suite, x, again, rng), 4)
        half = ceiling(suite, sets[name], len(x), seed=seed)
        halves[name] = round(half.value, 4) if half is not None else None
    pairs = {
        f"{a}-{b}": round(point_score(suite, values[a], values[b], rng), 4)
        for a, b in combinations(values, 2)
    }
    return {"resample": diagonal, "disjoint halves": halves, "pairs": pairs}


if __name__ == "__main__":
    main()
