"""Table "Results on the predict-and-search framework on MIS": 100 real, 100 generated instances."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from g2milp.downstream.summary import shortages
from g2milp.experiments.downstream_tasks import findings, raw, session
from g2milp.experiments.finding import Finding, Outcome

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

GENERATORS = ("bowly-integer", "random", "rewire", "code", "best")
"""Bowly's programs as published have no binary columns, of which a solution could be predicted."""
TRAINING = 100
PAPER = {
    "real only/seconds_to_optimum": 0.041,
    "Random/seconds_to_optimum": 0.037,
    "G2MILP as published/seconds_to_optimum": 0.032,
    "Bowly, integer and bounded/failures": 0.17,
}
POOL_SHARE = 1.5
"""So many are generated for each that is added: a fifth have their template in the validation."""
MEASURES = (
    ("seconds_to_optimum", "time to the optimum", ", s"),
    ("failures", "share without the optimum", ""),
)


def pool_of(added: int) -> int:
    """Instances to generate, so that as many can be added as are asked for."""
    return math.ceil(POOL_SHARE * added)


def run(lab: Lab) -> Outcome:
    """Work and time until the optimum is found in the trust region, and how often it is not."""
    from g2milp.downstream.predict_and_search.protocol import protocol
    from g2milp.downstream.predict_and_search.task import predict_and_search

    chosen = protocol(
        epochs=max(lab.scale.epochs // 5, 2),
        repeats=min(lab.scale.repeats, 3),
        seed=lab.seed,
        search_limit=lab.scale.seconds,
    )
    train = lab.real("mis").subset(range(min(TRAINING, len(lab.real("mis")))))
    folder = lab.folder / "downstream" / "predict-and-search"
    work = session(lab, folder, "mis", train, GENERATORS, (0.01,), pool_of(len(train)), len(train))
    result = predict_and_search(work, chosen)
    found = findings(result, "work_to_optimum", "work to the optimum", PAPER)
    for row in [result["whole_instance"], *result["summary"]]:
        for measure, title, unit in MEASURES:
            value, each = row[measure]["mean"], raw(result, row["arm"], measure)
            spread = row[measure].get("std")
            parts = len(work.test) if measure == "failures" else 1
            found.append(
                Finding(
                    row=row["arm"],
                    column=f"{title}{unit}",
                    value=None if value is None else value / parts,
                    paper=PAPER.get(f"{row['arm']}/{measure}"),
                    note="" if spread is None else f"± {spread / parts:.2g}",
                    raw=tuple(one / parts for one in each if one is not None),
                )
            )
    return Outcome(
        findings=tuple(found),
        notes=(
            f"{len(work.test)} test instances, solver {work.solver}; real only is the bar.",
            *shortages(result),
        ),
    )
