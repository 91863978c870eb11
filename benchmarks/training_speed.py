"""One training step against the same network written in PyTorch Geometric.

    python benchmarks/training_speed.py [--sets mis setcover mik] [--rounds 15] [--rival-rounds 1]

Forward, backward and optimiser of one step at the batch and widths of the authors' configurations,
each contestant in a process of its own, one thread. Seconds are those of the processor, so that
other work on the machine counts little; wall seconds stand beside them. The rival is held against
the seconds that the authors' own code took elsewhere, scaled by single-thread sgemm; like that code
it allocates memory in the ordinary way.
Needs ``pip install torch_geometric``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from g2milp.problems.registry import make_many
from harness import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2milp.graph.bipartite import Bipartite

REPEATS = 2
BATCH = {"mis": 15, "setcover": 16, "mik": 20}
HIDDEN = {"mis": 16, "setcover": 16, "mik": 32}
WIDTH = 16
# The authors' code, forward and backward, one thread, on a machine with the sgemm below.
AUTHORS_SECONDS = {"mis": 2.495, "setcover": 35.3, "mik": 62.8}
AUTHORS_SGEMM = 94.0


def graphs_of(name: str) -> list[Bipartite]:
    from g2milp.graph.features import build_graph

    return [build_graph(milp, "canonical") for milp in make_many(name, BATCH[name], 1)]


def product_step(name: str) -> Callable[[], object]:
    from g2milp.datasets.dataset import Dataset
    from g2milp.models import kernels
    from g2milp.models.masked_vae import presets
    from g2milp.models.masked_vae.model import MaskedVAE
    from g2milp.models.masked_vae.statistics import gather
    from g2milp.training.distributed import Group
    from g2milp.training.optimiser import FlatAdam
    from g2milp.training.source import GraphSource, usable
    from g2milp.training.step import StepMaker

    kernels.keep_memory()
    dataset = Dataset.from_milps(list(make_many(name, BATCH[name], 1)))
    preset = f"code-{name}"
    source = GraphSource(dataset, presets.row_form_of(preset))
    config = presets.preset(preset, gather(source))
    model = MaskedVAE(config, gather(source))
    optimiser = FlatAdam(model, config.training.weight_decay)
    indices = usable(source, config.masking)
    step = StepMaker(model, optimiser, source, indices, Group(), torch.device("cpu"))
    return lambda: step.run(0, 1.0)


def rival_step(name: str) -> Callable[[], object]:
    sys.path.insert(0, str(Path(__file__).parent / "rivals"))
    from pyg_network import Batch, G2MILPNetwork

    torch.use_deterministic_algorithms(True)  # as the authors' code does
    copies = [graph for graph in graphs_of(name) for _ in range(REPEATS)]
    rng = np.random.default_rng(0)
    row_start = np.cumsum([0, *(g.n_rows for g in copies)])
    col_start = np.cumsum([0, *(g.n_cols for g in copies)])
    rows = [np.repeat(np.arange(g.n_rows), np.diff(g.indptr)) for g in copies]
    index = [
        np.stack([row + row_start[k], g.indices + col_start[k]])
        for k, (row, g) in enumerate(zip(rows, copies, strict=True))
    ]
    numbers = np.arange(len(copies))
    batch = Batch(
        rows=_floats([g.row_features[:, :1] for g in copies]),
        cols=_floats([g.col_features for g in copies]),
        edge_index=torch.from_numpy(np.concatenate(index, axis=1)),
        edge_attr=_floats([g.table[g.codes][:, None] for g in copies]),
        row_graph=torch.from_numpy(np.repeat(numbers, np.diff(row_start))),
        col_graph=torch.from_numpy(np.repeat(numbers, np.diff(col_start))),
        masked=torch.from_numpy(row_start[:-1] + [rng.integers(g.n_rows) for g in copies]),
    )
    network = G2MILPNetwork(WIDTH, HIDDEN[name])
    optimiser = torch.optim.Adam(network.parameters(), 1e-3, weight_decay=1e-4)

    def step() -> None:
        optimiser.zero_grad()
        network(batch).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimiser.step()

    return step


def _floats(blocks: list[Any]) -> torch.Tensor:
    return torch.from_numpy(np.concatenate(blocks)).float()


def sgemm() -> float:
    """Single-thread GFLOP/s of a 2048³ product."""
    a, b = torch.randn(2048, 2048), torch.randn(2048, 2048)
    seconds = float("inf")
    for _ in range(6):
        start = time.process_time()
        a @ b
        seconds = min(seconds, time.process_time() - start)
    return 2 * 2048**3 / seconds / 1e9


def alone(contestant: str, name: str, threads: int, rounds: int) -> dict[str, float]:
    """Best step of a contestant in a fresh process, with its peak memory."""
    command = [sys.executable, __file__, "--alone", contestant, name, str(threads), str(rounds)]
    done = subprocess.run(
        command,
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
        check=True,
        capture_output=True,
        text=True,
    )
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    print(f"{name:9} {contestant:8} {threads} thread(s): {result}", flush=True)
    return result


def _run_alone(contestant: str, name: str, threads: int, rounds: int) -> None:
    torch.set_num_threads(threads)
    if contestant == "sgemm":
        print(json.dumps({"gflops": round(sgemm(), 1)}))
        return
    step = product_step(name) if contestant == "product" else rival_step(name)
    if rounds > 2:
        step()
    wall, processor = float("inf"), float("inf")
    for _ in range(rounds):
        start, used = time.perf_counter(), time.process_time()
        step()
        wall = min(wall, time.perf_counter() - start)
        processor = min(processor, time.process_time() - used)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = {"wall_s": round(wall, 4), "cpu_s": round(processor, 4), "peak_mb": round(peak)}
    print(json.dumps(found))


def compare(name: str, rounds: int, rival_rounds: int) -> dict[str, Any]:
    gflops = alone("sgemm", name, 1, 1)["gflops"]
    product = alone("product", name, 1, rounds)
    rival = alone("rival", name, 1, rival_rounds)
    product = min(product, alone("product", name, 1, rounds), key=lambda found: found["cpu_s"])
    two = alone("product", name, 2, rounds)
    expected = AUTHORS_SECONDS[name] * AUTHORS_SGEMM / gflops
    return {
        "product": product,
        "pytorch_geometric": rival,
        "ratio": round(rival["cpu_s"] / product["cpu_s"], 1),
        "two_threads": {**two, "speed_up": round(product["wall_s"] / two["wall_s"], 2)},
        "sgemm_gflops": gflops,
        "authors_seconds_scaled": round(expected, 2),
        "rival_against_authors": round(rival["cpu_s"] / expected, 2),
        "ratio_to_authors_scaled": round(expected / product["cpu_s"], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=list(BATCH), choices=list(BATCH))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--rival-rounds", type=int, default=1)
    parser.add_argument("--alone", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        contestant, name, threads, rounds = options.alone
        _run_alone(contestant, name, int(threads), int(rounds))
        return
    results = {
        name: compare(name, options.rounds, options.rival_rounds if name != "mis" else 5)
        for name in options.sets
    }
    command = " ".join(chain(["python benchmarks/training_speed.py"], sys.argv[1:]))
    print(record("training_speed", command, results))


if __name__ == "__main__":
    main()
