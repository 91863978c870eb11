"""Speed and promises of the baselines, on one core.

    python benchmarks/baselines_speed.py rewire bowly planted g2sat

* ``rewire``: 1,000 independent sets at η = 0.1, and how many keep all degrees (goal: 60 s, all);
* ``bowly``: 1,000 programs of set-cover size (goal: 60 s);
* ``planted``: for 1,000 programs after the three families a proof in rational arithmetic that the
  planted point is the relaxation's optimum: it is feasible and the planted dual proves the same
  value (`certificates` verifies, not Bowly's code);
* ``g2sat``: one formula of the size of an independent set (goal: 60 s).

Seconds are of the processor (one thread), without writing; the machine's load does not count.
"""

from __future__ import annotations

import json
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.baselines.bowly.generator import Bowly, parameters_of, sample_encoded
from g2milp.baselines.g2sat.generator import G2SAT
from g2milp.baselines.rewire import Rewire
from g2milp.generation.certificates.arithmetic import admits, row_activities
from g2milp.generation.certificates.dual import bound_of
from g2milp.problems.registry import make_many
from harness import RESULTS, record

COUNT = 1000
PROVED = (("mis", 334, {}), ("setcover", 333, {"n_rows": 100, "n_cols": 200}), ("mik", 333, {}))


def rewire() -> dict[str, Any]:
    data = list(make_many("mis", 20, seed=0))
    start = time.process_time()
    generator = Rewire(mask_ratio=0.1).fit(data)
    fitted = time.process_time()
    samples = list(generator.sample_iter(COUNT, seed=1))
    seconds = time.process_time() - fitted
    kept = changed = 0
    for sample in samples:
        template = data[int(sample.template_name)]
        kept += np.array_equal(template.row_degrees, sample.milp.row_degrees) and np.array_equal(
            template.col_degrees, sample.milp.col_degrees
        )
        changed += sample.record["changed_rows"] / sample.record["masked_rows"]
    return {
        "what": "1,000 independent sets at η = 0.1 from 20 templates",
        "processor seconds to find the rules": round(fitted - start, 2),
        "processor seconds": round(seconds, 1),
        "all degrees kept": f"{kept} of {COUNT}",
        "share of masked rows that changed": round(changed / COUNT, 4),
    }


def bowly() -> dict[str, Any]:
    data = list(make_many("setcover", 20, seed=0))
    generator = Bowly().fit(data)
    start = time.process_time()
    entries = [s.milp.n_nonzeros for s in generator.sample_iter(COUNT, seed=1)]
    return {
        "what": "1,000 programs of set-cover size (500 × 1,000)",
        "processor seconds": round(time.process_time() - start, 1),
        "mean entries": round(float(np.mean(entries))),
    }


def planted() -> dict[str, Any]:
    proved = []
    start = time.process_time()
    for family, count, sizes in PROVED:
        data = list(make_many(family, 10, seed=0, **sizes))
        parameters = parameters_of(data)
        for k in range(count):
            rng = np.random.default_rng([7, k])
            encoded = sample_encoded(
                data[k % len(data)], parameters, rng, integer_valued=bool(k % 2)
            )
            proved.append(is_proved(encoded))
    return {
        "what": "planted optimum proved in rationals, half of the programs integer-valued",
        "families": {family: count for family, count, _ in PROVED},
        "proved": f"{sum(proved)} of {len(proved)}",
        "processor seconds": round(time.process_time() - start, 1),
    }


def is_proved(encoded: Any) -> bool:
    """Feasible for the relaxation, and the dual bound is its objective."""
    milp = encoded.decode()
    x = [Fraction(v) for v in encoded.x.tolist()]
    feasible = all(
        admits(low, value, high)
        for low, value, high in zip(
            milp.row_lower.tolist(), row_activities(milp, x), milp.row_upper.tolist(), strict=True
        )
    ) and all(
        admits(low, value, high)
        for low, value, high in zip(
            milp.col_lower.tolist(), x, milp.col_upper.tolist(), strict=True
        )
    )
    value = sum(
        (Fraction(c) * v for c, v in zip(milp.objective.tolist(), x, strict=True)), Fraction(0)
    )
    # a maximisation is minimised with −c: its dual is −y
    return feasible and bound_of(milp, [-Fraction(v) for v in encoded.y.tolist()]) == value


def g2sat() -> dict[str, Any]:
    data = list(make_many("mis", 20, seed=0))
    start = time.process_time()
    generator = G2SAT().fit(data)
    fitted = time.process_time()
    (milp,) = generator.sample(1, seed=1)
    return {
        "what": "one formula of the size of an independent set",
        "rows": milp.n_rows,
        "entries": milp.n_nonzeros,
        "processor seconds to learn": round(fitted - start, 1),
        "processor seconds to generate": round(time.process_time() - fitted, 1),
    }


TOPICS = {"rewire": rewire, "bowly": bowly, "planted": planted, "g2sat": g2sat}


def main() -> None:
    for topic in sys.argv[1:] or list(TOPICS):
        found = TOPICS[topic]()
        path = RESULTS / "baselines_speed.json"
        before = json.loads(path.read_text(encoding="utf-8"))["results"] if path.exists() else {}
        record(
            "baselines_speed",
            f"python benchmarks/baselines_speed.py {' '.join(TOPICS)}",
            {**before, topic: found},
        )
        print(topic, json.dumps(found, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
