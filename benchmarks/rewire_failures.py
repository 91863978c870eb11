"""Where rewire fails: facility location and nurse scheduling, whose rows share data.

    python benchmarks/rewire_failures.py facility nurse

Each rewired instance is solved by HiGHS beside its template: is it feasible, what does its optimum
cost, how hard is it? Nurse instances are read from the folder of real instances
(``G2MILP_SHARED_DATA``, see the tests).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.baselines.registry import create
from g2milp.datasets.dataset import Dataset
from g2milp.problems.registry import make_many
from g2milp.solvers.base import Limits, Status
from g2milp.solvers.registry import get_ready
from harness import RESULTS, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import SolveOutcome

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "untyped, no rules": {"typed": False, "simple": False},
}


def facility() -> dict[str, Any]:
    data = list(make_many("facility", 12, seed=0, n_customers=20, n_facilities=20))
    return {
        "templates": "12 of 20 customers and 20 facilities",
        **measured(data, count=12, ratios=(0.05, 0.1), seconds=20.0),
    }


def nurse() -> dict[str, Any]:
    folder = Path(os.environ.get("G2MILP_SHARED_DATA", SHARED)) / "nurse"
    data = list(Dataset.open([folder / "nursesched-sprint02.mps.gz"]))
    return {
        "templates": "nursesched-sprint02",
        **measured(data, count=3, ratios=(0.01, 0.1), seconds=60.0),
    }


def measured(
    data: Sequence[Milp], *, count: int, ratios: Sequence[float], seconds: float
) -> dict[str, Any]:
    limits = Limits(seconds=seconds)
    solver = get_ready("highs")
    before = [solver.solve(milp, limits=limits) for milp in data]
    results: dict[str, Any] = {"limit, seconds": seconds, "template": told(before, [])}
    for name, settings in SETTINGS.items():
        generator = create("rewire", **settings).fit(data)
        results[f"rules kept, {name}"] = generator.describe()
        for ratio in ratios:
            samples = generator.sample(count, seed=1, mask_ratio=ratio).samples
            after = [solver.solve(sample.milp, limits=limits) for sample in samples]
            parents = [before[place_of(sample.template_name, data)] for sample in samples]
            masked = sum(sample.record["masked_rows"] for sample in samples)
            changed = sum(sample.record["changed_rows"] for sample in samples)
            results[f"{name} η={ratio}"] = {
                **told(after, parents),
                "changed share of masked rows": round(changed / masked, 3),
            }
            print(name, ratio, results[f"{name} η={ratio}"], flush=True)
    return results


def place_of(name: str, data: Sequence[Milp]) -> int:
    """Templates of a list are named by their number."""
    return int(name) if len(data) > 1 else 0


def told(outcomes: Sequence[SolveOutcome], parents: Sequence[SolveOutcome]) -> dict[str, Any]:
    """How the solves ended; against the templates where these are given."""
    statuses = [outcome.status.value for outcome in outcomes]
    result: dict[str, Any] = {
        "instances": len(outcomes),
        "statuses": {status: statuses.count(status) for status in sorted(set(statuses))},
        "nodes, mean": round(float(np.mean([o.nodes or 0 for o in outcomes])), 1),
        "simplex iterations, mean": round(float(np.mean([o.lp_iterations or 0 for o in outcomes]))),
    }
    solved = [
        (new, old)
        for new, old in zip(outcomes, parents, strict=False)
        if new.status is Status.OPTIMAL and old.status is Status.OPTIMAL
    ]
    if solved:
        gaps = [abs(n.objective - o.objective) / max(abs(o.objective), 1e-9) for n, o in solved]
        work = [np.log((n.lp_iterations + 100) / (o.lp_iterations + 100)) for n, o in solved]
        result["pairs solved"] = len(solved)
        result["optimum moves by, median"] = round(float(np.median(gaps)), 4)
        result["ratio of simplex iterations"] = round(float(np.exp(np.mean(work))), 3)
    return result


TOPICS = {"facility": facility, "nurse": nurse}


def main() -> None:
    for topic in sys.argv[1:] or list(TOPICS):
        found = TOPICS[topic]()
        path = RESULTS / "rewire_failures.json"
        before = json.loads(path.read_text(encoding="utf-8"))["results"] if path.exists() else {}
        command = f"python benchmarks/rewire_failures.py {' '.join(TOPICS)}"
        record("rewire_failures", command, {**before, topic: found})


if __name__ == "__main__":
    main()
