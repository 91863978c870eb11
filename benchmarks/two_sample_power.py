"""Power of the two-sample test: real against Random at η = 0.1, and real against other real.

``python benchmarks/two_sample_power.py`` writes ``results/benchmarks/two_sample_power.json``.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from g2milp.baselines.random_refill import Random
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
from g2milp.problems.registry import make_many
from harness import record


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--instances", type=int, default=60)
    parser.add_argument("--mask-ratio", type=float, default=0.1)
    chosen = parser.parse_args()
    results: dict[str, Any] = {}
    for problem in ("mis", "setcover", "mik"):
        real = list(make_many(problem, 2 * chosen.instances, 0))
        names = [f"{problem}-{i}" for i in range(chosen.instances)]
        reference = Dataset.from_milps(real[: chosen.instances], names)
        refilled = Random(mask_ratio=chosen.mask_ratio).fit(reference)
        sets = {
            "random": refilled.sample(chosen.instances, seed=1),
            "other real": real[chosen.instances :],
        }
        results[problem] = {}
        for found in evaluate_all(reference, sets, EvaluationOptions()):
            tests = found.two_sample
            assert tests is not None
            assert tests.classifier is not None
            results[problem][found.generated_name] = {
                "v1": round(found.score, 3),
                "auc": round(tests.classifier.auc, 3),
                "interval": [round(x, 3) for x in tests.classifier.interval],
                "classifier": tests.classifier.classifier,
                "distances, real-real = 1": {d.name: round(d.ratio, 2) for d in tests.distances},
                "telltales": [asdict(t) for t in tests.classifier.telltales[:5]],
            }
            print(problem, found.generated_name, results[problem][found.generated_name]["auc"])
    record(
        "two_sample_power",
        " ".join(["python", "benchmarks/two_sample_power.py", *sys.argv[1:]]),
        results,
    )


if __name__ == "__main__":
    main()
