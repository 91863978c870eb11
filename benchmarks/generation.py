"""How fast instances are generated and written: 1,000 at η = 0.05, as ``.mps.gz``, two jobs.

    python benchmarks/generation.py [FAMILY …] [--n 1000] [--model FAMILY=RUN] [--passes one]

Shown apart: reading the templates, the network (with refilling and exact edits), certificates left
out, writing (text, gzip, hashes), and the whole command with two jobs. Without ``--model`` the
shipped model is used, else a network of the preset's size with its initial weights: as fast.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import harness
from g2milp.datasets.dataset import Dataset
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.integrality.laws import Laws
from g2milp.generation.pretrained import available
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
from g2milp.generation.writing import write_folder
from g2milp.problems.registry import make_many

TEMPLATES = 100
GOALS = {"mis": 120.0, "setcover": 180.0, "mik": 180.0}
OFFICIAL = {"mis": 1680.0, "setcover": 6600.0, "mik": 6000.0}
"""Seconds of the authors' code on the same CPU, one thread (baseline measurement)."""


def model_for(family: str, data: Dataset, given: str | None) -> G2MILP:
    shipped = {name.partition("-v")[0]: path for name, path in available().items()}
    source = given or shipped.get(family)
    if source is not None:
        generator = G2MILP.load(source)
        generator.templates_ = data
        return generator
    from g2milp.graph.features import build_graph
    from g2milp.models.masked_vae.model import MaskedVAE
    from g2milp.models.masked_vae.presets import preset
    from g2milp.models.masked_vae.statistics import gather

    statistics = gather(build_graph(milp, "rows") for milp in data)
    generator = G2MILP(mask_ratio=0.05)
    generator.model_ = MaskedVAE(preset("auto", statistics), statistics).eval()
    generator.laws_ = Laws.learn(data)
    generator.templates_ = data
    return generator


def measure(family: str, n: int, given: str | None, passes: str) -> dict[str, Any]:
    work = Path(tempfile.mkdtemp(prefix="g2milp-bench-"))
    try:
        names = [f"{family}{k:03d}" for k in range(TEMPLATES)]
        made = Dataset.from_milps(make_many(family, TEMPLATES, 0), names)
        write_folder(zip(made.names, made, strict=True), work / "data")
        start = time.perf_counter()
        data = Dataset.open(work / "data")
        for milp in data:
            assert milp.n_rows
        reading = time.perf_counter() - start

        generator = model_for(family, data, given)
        options = generator.options(mask_ratio=0.05, passes=passes)
        part = max(n // 20, 16)
        session = Session(generator, seed=1, templates=None, options=options)
        drafts = [session.draft(number) for number in range(part)]
        start = time.perf_counter()
        for first in range(0, part, 16):
            session.redraw(drafts[first : first + 16])
        network = (time.perf_counter() - start) * n / part

        samples = [session.templates[k % TEMPLATES] for k in range(part)]
        start = time.perf_counter()
        write_folder(((f"{k}", milp) for k, milp in enumerate(samples)), work / "written")
        writing = (time.perf_counter() - start) * n / part

        start = time.perf_counter()
        fresh = Session(generator, seed=1, templates=None, options=options)
        generate_folder(fresh, n, work / "new", jobs=2)
        whole = time.perf_counter() - start
        return {
            "instances": n,
            "seconds": round(whole, 1),
            "goal_seconds": GOALS[family] * n / 1000,
            "times_faster_than_official": round(OFFICIAL[family] * n / 1000 / whole, 1),
            "one_thread": {
                "reading_100_templates": round(reading, 2),
                "network_and_refill": round(network, 1),
                "writing": round(writing, 1),
            },
        }
    finally:
        shutil.rmtree(work)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("families", nargs="*", default=[])
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--passes", default="auto")
    arguments = parser.parse_args()
    models = dict(item.split("=", 1) for item in arguments.model)
    results = {}
    for family in arguments.families or GOALS:
        results[family] = measure(family, arguments.n, models.get(family), arguments.passes)
        print(family, results[family], flush=True)
    command = "python benchmarks/generation.py"
    harness.record(
        "generation", f"{command} --n {arguments.n} --passes {arguments.passes}", results
    )


if __name__ == "__main__":
    main()
