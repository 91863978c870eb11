"""Tables of effort: how hard generated instances are, against the training set.

The paper reports means and their relative error. Means of branching efforts are carried by a few
instances, so the main figure here is the ratio of shifted geometric means, paired by template, of
deterministic work; the paper's own figure stands beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.generators import MAIN
from g2milp.experiments.grid import column_of, each_cell, measured, published
from g2milp.experiments.lab import SETS
from g2milp.experiments.solving import mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.experiments.lab import Lab, Recipe
    from g2milp.experiments.solving import Effort

MEANS = {"seconds": "mean seconds", "nodes": "mean nodes", "work": "mean work"}


def hardness_table(
    lab: Lab,
    measure: str,
    paper: Mapping[tuple[str, str, float | None], float],
    *,
    ratio_of: str,
    generators: Sequence[str] = MAIN,
    sets: Sequence[str] = SETS,
) -> Outcome:
    """Mean of `measure` with its relative error, and the paired ratio of `ratio_of`."""
    findings: list[Finding] = []
    solvers: set[str] = set()
    for of in sets:
        training = paper.get((of, "training", None))
        findings += real_findings(lab, of, measure, ratio_of, training)
        solvers.add(lab.effort(of, lab.fresh(of), measure).solver)
    for recipe in each_cell(lab, generators, sets):
        training = paper.get((recipe.of, "training", None))
        known = published(paper, recipe)
        findings += recipe_findings(lab, recipe, measure, ratio_of, known, training)
    return Outcome(findings=tuple(findings), notes=(method(lab, solvers),))


def method(lab: Lab, solvers: Iterable[str]) -> str:
    """How effort was measured, for the notes of a table."""
    seeds = lab.scale.solver_seeds
    return (
        f"Solver: {', '.join(sorted(solvers))}, one thread, {seeds} seed{'s' * (seeds != 1)}, "
        f"limit {lab.scale.seconds:g} s; cut-off solves count as censored. Relative errors are "
        "those of means, the paper's computed from its means; ratios are of shifted geometric "
        "means, paired by template."
    )


def real_findings(
    lab: Lab, of: str, measure: str, ratio_of: str, paper: float | None
) -> list[Finding]:
    """The training set, and fresh real instances against it."""
    found = lab.effort(of, lab.fresh(of), measure)
    ratio = lab.effort(of, lab.fresh(of), ratio_of)
    cells = _cells("fresh real instances", of, measure, ratio_of, found, ratio, None, None)
    if found.comparison is None:
        return cells
    return [_training(of, measure, found.comparison, paper), *cells]


def recipe_findings(
    lab: Lab,
    recipe: Recipe,
    measure: str,
    ratio_of: str,
    paper: float | None = None,
    training: float | None = None,
) -> list[Finding]:
    """Cells of one generated set; `paper` and `training` are the paper's means."""
    column = column_of(recipe.of, MEANS[measure])
    cells: list[Finding] = []

    def measure_both(data: Dataset) -> Finding:
        found = lab.effort(recipe.of, data, measure)
        ratio = lab.effort(recipe.of, data, ratio_of)
        cells.extend(
            _cells(recipe.title, recipe.of, measure, ratio_of, found, ratio, paper, training)
        )
        return cells[0]

    first = measured(lab, recipe, column, measure_both)
    return cells or [replace(first, paper=paper)]


def ratio_findings(lab: Lab, recipe: Recipe, measure: str, column: str) -> list[Finding]:
    """The paired ratio alone."""

    def ratio(data: Dataset) -> Finding:
        found = lab.effort(recipe.of, data, measure)
        if found.comparison is None:
            return Finding(row=recipe.title, column=column, value=None, note=_ends(found))
        return _ratio(recipe.title, column, found.comparison)

    return [measured(lab, recipe, column, ratio)]


def _cells(
    row: str,
    of: str,
    measure: str,
    ratio_of: str,
    found: Effort,
    ratio: Effort,
    paper: float | None,
    training: float | None,
) -> list[Finding]:
    column = column_of(of, MEANS[measure])
    if found.comparison is None:
        return [Finding(row=row, column=column, value=None, note=_ends(found), paper=paper)]
    made = found.comparison.generated
    half = mean_interval(made.deviation, made.instances)
    cells = [
        Finding(
            row=row,
            column=column,
            value=made.mean,
            interval=(max(made.mean - half, 0.0), made.mean + half),
            note=_ends(found) if set(found.statuses) - {"optimal"} else "",
            paper=paper,
            count=made.instances,
        )
    ]
    if found.comparison.relative_error is not None:
        cells.append(_error(row, of, measure, found.comparison, paper, training))
    if ratio.comparison is not None:
        cells.append(_ratio(row, column_of(of, f"ratio of {ratio_of}"), ratio.comparison))
    return cells


def _error(
    row: str,
    of: str,
    measure: str,
    comparison: HardnessComparison,
    paper: float | None,
    training: float | None,
) -> Finding:
    """Relative error of means; its interval takes both sets as drawn independently."""
    made, real = comparison.generated, comparison.reference
    share = made.mean / real.mean
    noise = mean_interval(made.deviation, made.instances) / real.mean
    own = mean_interval(real.deviation, real.instances) / real.mean * share
    half = float(np.hypot(noise, own))
    ends = sorted((abs(share - 1 - half), abs(share - 1 + half)))
    return Finding(
        row=row,
        column=column_of(of, f"relative error, {measure}"),
        value=abs(share - 1),
        interval=(0.0 if abs(share - 1) <= half else ends[0], ends[1]),
        paper=None if paper is None or not training else abs(paper - training) / training,
        count=made.instances,
    )


def _ratio(row: str, column: str, comparison: HardnessComparison) -> Finding:
    return Finding(
        row=row,
        column=column,
        value=comparison.ratio,
        interval=comparison.interval,
        count=comparison.pairs or comparison.generated.instances,
    )


def _ends(found: Effort) -> str:
    return ", ".join(f"{count} {status}" for status, count in sorted(found.statuses.items()))


def _training(
    of: str,
    measure: str,
    comparison: HardnessComparison,
    paper: float | None,
) -> Finding:
    half = mean_interval(comparison.reference.deviation, comparison.reference.instances)
    mean = comparison.reference.mean
    return Finding(
        row="training set",
        column=column_of(of, MEANS[measure]),
        value=mean,
        interval=(max(mean - half, 0.0), mean + half),
        paper=paper,
        count=comparison.reference.instances,
    )
