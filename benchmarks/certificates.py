"""Certified generation at scale: how many certificates hold, and what the solvers say.

    python benchmarks/certificates.py [FAMILY …] [--work FOLDER] [--share 1.0] [--solved 10]

1,000 instances of each textbook family, 100 of each MIPcc23 series, 20 of nurse, with `--certify
bounded`. Every certificate goes through the independent verifier; a sample of each family is handed
to every solver there is with a short limit, and none may say infeasible or unbounded. Without a
model the generator is `random-marginal`, which knows least and so needs most repair. Interrupt it
and run it again: finished work is kept.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import harness
from g2milp.baselines.random_refill import RandomMarginal
from g2milp.datasets.dataset import Dataset
from g2milp.datasets.manifest import read_manifest
from g2milp.generation.certificates.verify import verify_folder
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
from g2milp.problems.registry import make_many
from g2milp.solvers.base import Limits
from g2milp.solvers.registry import available, get

if TYPE_CHECKING:
    from g2milp.generation.contract import Generator

SHARED = Path(
    os.environ.get("G2MILP_SHARED_DATA", Path(__file__).resolve().parents[2] / "shared" / "data")
)
FAMILIES: dict[str, int] = {
    "mis": 1000,
    "setcover": 1000,
    "mik": 1000,
    "vary_bounds": 100,
    "vary_obj": 100,
    "nurse": 20,
}
TEMPLATES = 100
SECONDS = 5.0


def templates(family: str) -> Dataset:
    if family in ("mis", "setcover", "mik"):
        names = [f"{family}{k:03d}" for k in range(TEMPLATES)]
        return Dataset.from_milps(make_many(family, TEMPLATES, 0), names)
    if family == "vary_bounds":
        folder = SHARED / "mipcc23" / "vary_bounds_series_2"
        return Dataset.open(folder, accept=("duplicate-bound=last",))
    if family == "vary_obj":
        return Dataset.open(SHARED / "mipcc23" / "vary_obj_series_1")
    return Dataset.open(
        [SHARED / "nurse" / f"{name}.mps.gz" for name in ("nursesched-sprint02", "sprint08_j")]
    )


def generator_for(family: str, data: Dataset, model: str | None) -> Generator:
    if model is None:
        return RandomMarginal(mask_ratio=0.05).fit(data)
    from g2milp.generation.g2milp import G2MILP

    return G2MILP.load(model)


def measure(family: str, n: int, work: Path, model: str | None, solved: int) -> dict[str, Any]:
    data = templates(family)
    generator = generator_for(family, data, model)
    folder = work / family
    options = generator.options(mask_ratio=0.05, certify="bounded")
    start = time.perf_counter()
    session = Session(generator, seed=1, templates=data, options=options)
    generate_folder(session, n, folder, jobs=2)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    verdicts = verify_folder(folder)
    verified = time.perf_counter() - start
    claims = [r["certificate"] for r in read_manifest(folder) or []]
    records = read_manifest(folder) or []
    return {
        "generator": generator.kind,
        "instances": n,
        "certificates": len(claims),
        "accepted": sum(v.ok and v.kind is not None for v in verdicts),
        "refused": [f"{v.file}: {v.reason}" for v in verdicts if not v.ok][:10],
        "levels": dict(Counter(c["level"] for c in claims)),
        "masked_rows": sum(r["masked_rows"] for r in records),
        "changed_rows": sum(r["changed_rows"] for r in records),
        "moved_sides": sum(c["moved_sides"] for c in claims),
        "largest_move": max(c["largest_move"] for c in claims),
        "redrawn_rows": sum(c["redrawn_rows"] for c in claims),
        "kept_rows": sum(c["kept_rows"] for c in claims),
        "seconds_generate": round(seconds, 1),
        "seconds_verify": round(verified, 1),
        "solvers": solve(folder, solved),
    }


def solve(folder: Path, solved: int) -> dict[str, dict[str, int]]:
    dataset = Dataset.open(folder)
    found: dict[str, dict[str, int]] = {}
    chosen = range(0, len(dataset), max(len(dataset) // solved, 1)) if solved else range(0)
    for name in available():
        solver = get(name)
        limits = Limits(seconds=SECONDS, nodes=200)
        statuses = Counter(solver.solve(dataset[i], limits=limits).status.value for i in chosen)
        found[name] = dict(statuses)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("families", nargs="*", default=[])
    parser.add_argument("--work", type=Path, default=Path("build/certificates"))
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--solved", type=int, default=10, help="of each family, by every solver")
    parser.add_argument("--model", action="append", default=[])
    arguments = parser.parse_args()
    models = dict(item.split("=", 1) for item in arguments.model)
    arguments.work.mkdir(parents=True, exist_ok=True)
    results = {}
    for family, n in FAMILIES.items():
        done = arguments.work / f"{family}.json"
        if family in (arguments.families or FAMILIES) and not done.exists():
            count = max(round(n * arguments.share), 1)
            result = measure(family, count, arguments.work, models.get(family), arguments.solved)
            done.write_text(json.dumps(result))
            print(family, result, flush=True)
        if done.exists():
            results[family] = json.loads(done.read_text())
    harness.record("certificates", "python benchmarks/certificates.py", results)


if __name__ == "__main__":
    main()
