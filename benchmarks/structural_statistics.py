"""Speed of the statistics: 1,000 set cover instances from .mps.gz, and one of 600k non-zeros.

``python benchmarks/structural_statistics.py [--instances 1000] [--nurse FILE]`` writes
``results/benchmarks/structural_statistics.json``. The rival is the authors' way on the same
instance: networkx clustering (their Louvain package is not installed here).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.features import features_of
from g2milp.evaluation.structure.registry import STATISTICS, statistics_of
from g2milp.evaluation.suites import SUITES
from g2milp.instance.io.files import read, write_file
from g2milp.problems.registry import make_many
from harness import best_of, record

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp

PAPER = SUITES["g2milp-2023"].statistics
TRUE_GRAPH = (*PAPER[:9], "clustering", "modularity")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--nurse", type=Path)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(one_file(chosen.one)))
        return
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, milp in enumerate(make_many("setcover", chosen.instances, 0)):
            path = Path(folder) / f"s{number:04d}.mps.gz"
            write_file(milp, path)
            paths.append(path)
        for name, statistics in (("paper's 11", PAPER), ("11, true graph", TRUE_GRAPH)):
            start = time.perf_counter()
            features_of(Dataset.open(paths), statistics, jobs=chosen.jobs)
            seconds = time.perf_counter() - start
            results[f"set cover, {name}"] = {
                "instances": chosen.instances,
                "jobs": chosen.jobs,
                "seconds, reading included": round(seconds, 2),
                "goal for 1,000": 90.0,
            }
            print(name, round(seconds, 2), "s")
        results["one set cover instance"] = against_networkx(read(paths[0]))
    if chosen.nurse:
        command = [sys.executable, __file__, "--one", str(chosen.nurse)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        results["nurse"] = {"file": chosen.nurse.name, **json.loads(done.stdout)}
        print(done.stdout)
    record(
        "structural_statistics",
        " ".join(
            ["python benchmarks/structural_statistics.py", *(Path(a).name for a in sys.argv[1:])]
        ),
        results,
    )


def against_networkx(milp: Milp) -> dict[str, float]:
    """Milliseconds of one instance, ours and networkx's for the same clustering."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(milp.n_rows + milp.n_cols))
    graph.add_edges_from(zip(milp.entry_rows.tolist(), milp.indices.tolist(), strict=True))
    best = best_of(
        3,
        ours_eleven=lambda: statistics_of(milp, PAPER),
        ours_clustering=lambda: statistics_of(milp, ["merged_clustering"]),
        networkx_clustering=lambda: nx.average_clustering(graph),
    )
    found = {f"{name}_ms": round(1e3 * seconds, 2) for name, seconds in best.items()}
    found["clustering_speedup"] = round(best["networkx_clustering"] / best["ours_clustering"], 1)
    return found


def one_file(path: Path) -> dict[str, float]:
    """Time and memory of one large file, in a process of its own."""
    start = time.perf_counter()
    milp = read(path)
    reading = time.perf_counter() - start
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start, processor = time.perf_counter(), time.process_time()
    statistics_of(milp, PAPER)
    paper, paper_processor = time.perf_counter() - start, time.process_time() - processor
    start, processor = time.perf_counter(), time.process_time()
    statistics_of(milp)
    every, every_processor = time.perf_counter() - start, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "rows": milp.n_rows,
        "columns": milp.n_cols,
        "non-zeros": milp.n_nonzeros,
        "seconds, reading": round(reading, 2),
        "seconds, paper's 11": round(paper, 2),
        "processor seconds, paper's 11": round(paper_processor, 2),
        f"processor seconds, all {len(STATISTICS)}": round(every_processor, 2),
        f"seconds, all {len(STATISTICS)}": round(every, 2),
        "MB after reading": round(loaded),
        "MB at most": round(peak),
        "goal, seconds": 10.0,
        "goal, MB": 2000.0,
    }


if __name__ == "__main__":
    main()
