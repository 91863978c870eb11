"""How fast textbook instances are made and written: 1,000 set covers in under two minutes.

``python benchmarks/problems.py [N]`` makes N (default 1,000) set covers of 500 × 1000 as .mps.gz
with two processes, reads them back with and without the cache, and times for every family: one
instance, its two fingerprints and the exact check of a point.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from g2milp.datasets.cache import packed
from g2milp.datasets.dataset import Dataset
from g2milp.datasets.making import make_folder
from g2milp.datasets.summary import summarise
from g2milp.instance.checks import check_point
from g2milp.instance.fingerprint import content_hash, structure_hash
from g2milp.problems.registry import PROBLEMS, make, make_many
from harness import best_of, record

GOAL_SECONDS = 120.0
JOBS = 2


def folder_of_set_covers(n: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        make_folder("setcover", n, 0, Path(folder) / "set", jobs=JOBS)
        seconds = time.perf_counter() - start
        os.environ["XDG_CACHE_HOME"] = folder
        start = time.perf_counter()
        summary = summarise(Dataset.open(Path(folder) / "set"))
        parsed = time.perf_counter() - start
        packed(Dataset.open(Path(folder) / "set"))
        start = time.perf_counter()
        packed(Dataset.open(Path(folder) / "set"))
        mapped = time.perf_counter() - start
    spread = summary.counts["nonzeros"]
    assert (spread.min, spread.max) == (25_000, 25_000)
    return {
        "instances": n,
        "jobs": JOBS,
        "seconds": seconds,
        "seconds_per_1000": seconds / n * 1000,
        "goal_seconds_per_1000": GOAL_SECONDS,
        "seconds_to_parse_all": parsed,
        "seconds_to_map_all_from_the_cache": mapped,
    }


def one_instance(name: str) -> dict[str, Any]:
    milp = make(name, 0)
    x = np.zeros(milp.n_cols)
    sizes = summarise(make_many(name, 20, 0)).counts
    return {
        "mean_rows": sizes["rows"].mean,
        "mean_cols": sizes["cols"].mean,
        "mean_nonzeros": sizes["nonzeros"].mean,
        "seconds": best_of(
            5,
            make=lambda: make(name, 0),
            content_hash=lambda: content_hash(milp),
            structure_hash=lambda: structure_hash(milp),
            check_point=lambda: check_point(milp, x),
        ),
    }


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    result = {
        "folder": folder_of_set_covers(n),
        "families": {name: one_instance(name) for name in PROBLEMS},
    }
    path = record("problems", "python benchmarks/problems.py", result)
    print(f"{result['folder']['seconds_per_1000']:.1f} s for 1,000 set covers -> {path}")


if __name__ == "__main__":
    main()
