"""Are labels right? Tiny MILPs whose optimum is known by enumeration, a third of them badly scaled.

Every instance has up to six integer columns with small ranges, so that all points can be tried in
exact arithmetic. A label is wrong when its status or its objective differs from the truth by more
than 1e-6 (relative, the gap is set to 0). What must not happen: a wrong label stored as checked,
that is as `exact` or `cross_checked`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from g2milp.execution.local import run
from g2milp.execution.task import Task
from g2milp.instance.milp import Milp
from g2milp.solvers.base import Checked, Limits, SolveOutcome, Status
from g2milp.solvers.cross_check import is_badly_scaled
from g2milp.solvers.registry import available
from g2milp.solvers.solving import SolveJob, solve_job
from harness import record


def tiny(seed: int, *, badly_scaled: bool) -> Milp:
    """A bounded pure integer program; badly scaled ones mix numbers from 1e-9 to 1e9."""
    rng = np.random.default_rng(seed)
    n_cols, n_rows = int(rng.integers(2, 7)), int(rng.integers(1, 6))
    entries = rng.random((n_rows, n_cols)) < 0.7
    entries[np.arange(n_rows), rng.integers(0, n_cols, n_rows)] = True
    matrix = np.where(entries, rng.integers(-20, 21, (n_rows, n_cols)), 0).astype(float)
    cost = rng.integers(-20, 21, n_cols).astype(float)
    if badly_scaled:
        style = rng.integers(0, 3)
        if style == 0:  # every number has a size of its own
            matrix *= 10.0 ** rng.integers(-9, 10, matrix.shape)
            cost *= 10.0 ** rng.integers(-9, 10, n_cols)
        elif style == 1:  # rows and costs differ in size, with digits
            matrix *= 10.0 ** rng.uniform(-7, 7, (n_rows, 1)) * (1 + rng.random(matrix.shape))
            cost *= 10.0 ** rng.uniform(-7, 7)
        else:  # big-M rows
            matrix[:, rng.integers(0, n_cols)] = 10.0 ** rng.integers(5, 10)
            cost *= 10.0 ** rng.integers(-3, 4, n_cols)
    lower = rng.integers(-3, 2, n_cols).astype(float)
    upper = lower + rng.integers(0, 4, n_cols)
    inside = rng.integers(lower, upper + 1).astype(float)
    activity = matrix @ inside
    room = np.abs(matrix).sum(1) * rng.choice([0, 0, 0.01, 0.3], n_rows) - (
        rng.random(n_rows) < 0.05
    ) * np.abs(matrix).sum(1)
    kind = rng.integers(0, 4, n_rows)
    row_lower = np.where(kind != 1, activity - room, -np.inf)
    row_upper = np.where(kind != 0, activity + room, np.inf)
    row_lower, row_upper = np.minimum(row_lower, row_upper), np.maximum(row_lower, row_upper)
    rows, columns = np.nonzero(matrix)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))])
    return Milp.build(
        name=f"tiny-{seed}",
        objective=cost,
        indptr=indptr,
        indices=columns,
        values=matrix[rows, columns],
        row_lower=row_lower,
        row_upper=row_upper,
        col_lower=lower,
        col_upper=upper,
        kinds=np.ones(n_cols),
        sense="max" if rng.random() < 0.5 else "min",
        offset=float(rng.integers(-5, 6)),
    )


def optimum(milp: Milp) -> Fraction | None:
    """The best objective over all integer points, exactly; None if none is feasible."""
    ranges = [
        range(int(low), int(up) + 1) for low, up in zip(milp.col_lower, milp.col_upper, strict=True)
    ]
    points = np.array(list(product(*ranges)), dtype=np.int64)
    possible = np.ones(len(points), dtype=bool)
    for i in range(milp.n_rows):
        columns, values = milp.row(i)
        activity = _scaled(points[:, columns], values)
        for side, sign in ((milp.row_lower[i], 1), (milp.row_upper[i], -1)):
            if np.isfinite(side):
                scaled = Fraction(float(side)) * _SCALE
                possible &= np.array([sign * (a - scaled) >= 0 for a in activity])
    if not possible.any():
        return None
    used = np.flatnonzero(milp.objective)
    totals = _scaled(points[possible][:, used], milp.objective[used])
    best = max(totals) if milp.sense == "max" else min(totals)
    return Fraction(best, _SCALE) + Fraction(milp.offset)


_SCALE = 2**120
"""Every number of these instances is a whole multiple of 2**-120, so Python's integers do."""


def _scaled(points: Any, values: Any) -> list[int]:
    whole = [int(Fraction(float(value)) * _SCALE) for value in values]
    return [sum(w * x for w, x in zip(whole, point, strict=True)) for point in points.tolist()]


def is_wrong(outcome: SolveOutcome, truth: Fraction | None) -> bool:
    """Whether the label says something else than the truth; an error says nothing."""
    if outcome.status is Status.ERROR:
        return False
    if truth is None:
        return outcome.objective is not None or outcome.status is not Status.INFEASIBLE
    if outcome.status is not Status.OPTIMAL or outcome.objective is None:
        return True
    return abs(Fraction(outcome.objective) - truth) > Fraction(1, 10**6) * max(1, abs(truth))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=6000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-cross-check", action="store_true")
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    results: dict[str, Any] = {"instances": options.n, "badly_scaled_share": 1 / 3}
    milps = [tiny(seed, badly_scaled=seed % 3 == 0) for seed in range(options.n)]
    truths = [optimum(milp) for milp in milps]
    results["infeasible"] = sum(truth is None for truth in truths)
    results["found_to_be_badly_scaled"] = sum(is_badly_scaled(milp) for milp in milps)
    for solver in available():
        counts: Counter[str] = Counter()
        jobs = (
            SolveJob(
                milp=milp,
                solver=solver,
                limits=Limits(seconds=20, gap=0.0),
                cross_check=False if options.no_cross_check else None,
            )
            for milp in milps
        )
        tasks = (Task(k, job, seconds=100) for k, job in enumerate(jobs))
        for result in run(tasks, solve_job, jobs=options.jobs):
            k = result.task.key
            outcome: SolveOutcome = result.value
            wrong = is_wrong(outcome, truths[k])
            if outcome.status is Status.ERROR:
                counts["no claim (error)"] += 1
                continue
            counts[f"{'wrong' if wrong else 'right'} stored as {outcome.checked.value}"] += 1
            counts["claims that are wrong"] += wrong
            counts["wrong labels stored as checked"] += wrong and outcome.checked.is_proven
            rejected = not wrong and outcome.checked is Checked.WRONG
            violated = outcome.message.startswith("its point violates")
            counts["right values whose point violates the instance"] += rejected and violated
            counts["right labels stored as wrong"] += rejected and not violated
            if options.verbose and wrong:
                print(solver, k, outcome, truths[k] and float(truths[k]))
        results[solver] = dict(sorted(counts.items()))
        print(solver, results[solver])
    if not options.dry:
        record("labels", "python benchmarks/labels.py", results)


if __name__ == "__main__":
    main()
