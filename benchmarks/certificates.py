"""Certified generation at scale: how many certificates hold, and what the solvers say.

    python benchmarks/certificates.py [FAMILY …] [--work FOLDER] [--share 1.0] [--solved 10]

1,000 instances of each textbook family (rows redrawn), 100 of each MIPcc23 series (what varies in
the series is redrawn: bounds or objective), 20 of nurse (rows), all with ``--certify bounded`` and
a G2MILP model that is trained for a few steps on the spot: nothing here rests on how good it is.
Every certificate goes through the independent verifier; a sample of each family is handed to every
solver there is with a short limit, and none may say infeasible or unbounded. Interrupt it and run
it again: finished work is kept.
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
from g2milp.datasets.dataset import Dataset
from g2milp.datasets.manifest import read_manifest
from g2milp.generation.certificates.verify import verify_folder
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
from g2milp.problems.registry import make_many
from g2milp.solvers.base import Limits
from g2milp.solvers.registry import available, get

if TYPE_CHECKING:
    import numpy as np

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
SETTINGS: dict[str, dict[str, Any]] = {
    "vary_bounds": {"masking.scope": "cols", "masking.bounds": True},
    "vary_obj": {"masking.scope": "cols"},
}
"""What is redrawn; rows where nothing is said."""
STEPS = {"nurse": 20}
TEMPLATES = 100
SECONDS = 5.0
HARD = {"vary_bounds": 24}
"""Families in which a feasible point may take minutes to find: so many of their instances are tried
for half a minute each, and those with a point are templates, as with a ledger of solutions."""
REFUTED = ("infeasible", "unbounded", "infeasible_or_unbounded", "error", "crashed")


def templates(family: str) -> Dataset:
    if family in ("mis", "setcover", "mik"):
        names = [f"{family}{k:03d}" for k in range(TEMPLATES)]
        return Dataset.from_milps(make_many(family, TEMPLATES, 0), names)
    if family == "vary_bounds":
        folder = SHARED / "mipcc23" / "vary_bounds_series_2"
        data = Dataset.open(folder, accept=("duplicate-bound=last",))
        return data.subset(range(HARD[family]))
    if family == "vary_obj":
        return Dataset.open(SHARED / "mipcc23" / "vary_obj_series_1")
    return Dataset.open(
        [SHARED / "nurse" / f"{name}.mps.gz" for name in ("nursesched-sprint02", "sprint08_j")]
    )


def trained(family: str, data: Dataset, folder: Path, given: str | None) -> G2MILP:
    """The given model, or one that is trained here, once."""
    source = folder if given is None else Path(given)
    if given is None and not (folder / "MANIFEST.json").exists():
        settings = {"training.steps": STEPS.get(family, 100), **SETTINGS.get(family, {})}
        generator = G2MILP(settings=settings)
        generator.fit(data, run_dir=folder).save(folder, overwrite=True)
    generator = G2MILP.load(source)
    generator.templates_ = data
    return generator


def points(data: Dataset) -> dict[str, np.ndarray]:
    """First feasible points by template, from a solver with a limit of half a minute."""
    solver = get("gurobi" if "gurobi" in available() else "highs")
    found = {}
    for name, milp in zip(data.names, data, strict=True):
        outcome = solver.solve(milp, limits=Limits(seconds=30.0, solutions=1))
        if outcome.solution is not None:
            found[name] = outcome.solution
    print(f"{len(found)} of {len(data)} templates have a known point", flush=True)
    return found


def measure(family: str, n: int, options: argparse.Namespace) -> dict[str, Any]:
    work, data = options.work, templates(family)
    models = dict(item.split("=", 1) for item in options.model)
    generator = trained(family, data, work / f"{family}-model", models.get(family))
    folder = work / family
    known = points(data) if family in HARD else None
    if known is not None:
        data = data.subset([i for i, name in enumerate(data.names) if name in known])
    start = time.perf_counter()
    sampling = generator.options(mask_ratio=0.05, certify="bounded")
    session = Session(generator, seed=1, templates=data, options=sampling, solutions=known)
    outcome = generate_folder(session, n, folder, jobs=options.jobs)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    verdicts = verify_folder(folder)
    verified = time.perf_counter() - start
    records = read_manifest(folder) or []
    claims = [r["certificate"] for r in records]
    return {
        "scope": sampling.scope,
        "instances": n,
        "templates": len(data),
        "certificates": len(claims),
        "accepted": sum(v.ok and v.kind is not None for v in verdicts),
        "refused": [f"{v.file}: {v.reason}" for v in verdicts if not v.ok][:10],
        "levels": dict(Counter(c["level"] for c in claims)),
        **{
            f"{what}_{side}": sum(r[f"{what}_{side}"] for r in records)
            for side in ("rows", "cols")
            for what in ("masked", "changed")
        },
        "instances_with_moved_sides": sum(c["moved_sides"] > 0 for c in claims),
        "largest_move": max(c["largest_move"] for c in claims),
        **{
            key: sum(c[key] for c in claims)
            for key in ("moved_sides", "redrawn_rows", "kept_rows", "repaired_cols")
        },
        "copies": sum(r["same_as"] is not None for r in records),
        "duplicates": sum(r["duplicate_of"] is not None for r in records),
        "seconds_generate": round(seconds, 1) if outcome.found == 0 else None,
        "seconds_verify": round(verified, 1),
        "solved": solve(folder, options.solved),
    }


def solve(folder: Path, count: int) -> dict[str, Any]:
    """How solvers end on a sample, and how many of them refute a certificate (a point) there."""
    dataset = Dataset.open(folder)
    chosen = range(0, len(dataset), max(len(dataset) // count, 1))[:count] if count else range(0)
    found: dict[str, Any] = {}
    for name in available():
        solver, statuses = get(name), Counter[str]()
        for i in chosen:
            outcome = solver.solve(dataset[i], limits=Limits(seconds=SECONDS, nodes=200))
            too_large = "size-limited" in (outcome.message or "")
            statuses["beyond the licence" if too_large else outcome.status.value] += 1
        found[name] = dict(statuses)
    found["refuted"] = sum(statuses.get(s, 0) for statuses in found.values() for s in REFUTED)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("families", nargs="*", default=[])
    parser.add_argument("--work", type=Path, default=Path("build/certificates"))
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--solved", type=int, default=10, help="of each family, by every solver")
    parser.add_argument("--model", action="append", default=[], metavar="FAMILY=RUN")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    results = {}
    for family, n in FAMILIES.items():
        done = options.work / f"{family}.json"
        if family in (options.families or FAMILIES) and not done.exists():
            result = measure(family, max(round(n * options.share), 1), options)
            done.write_text(json.dumps(result))
            print(family, result, flush=True)
        if done.exists():
            results[family] = json.loads(done.read_text())
            harness.record("certificates", "python benchmarks/certificates.py", results)


if __name__ == "__main__":
    main()
