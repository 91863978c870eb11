"""Tables of effort: how hard generated instances are, against the training set.

The paper reports means and their relative error. Means of branching efforts are carried by a few
instances, so the main figure here is the ratio of shifted geometric means, paired by template, of
deterministic work; the paper's own figure stands beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.generators import MAIN
from g2milp.experiments.grid import column_of, each_cell, measured, published
from g2milp.experiments.lab import SETS
from g2milp.experiments.solving import mean_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.experiments.lab import Lab, Recipe
    from g2milp.experiments.solving import Effort

UNITS = {"seconds": "s", "nodes": "nodes", "work": "work"}


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
    findings, solvers = [], set()
    for of in sets:
        found = lab.effort(of, lab.fresh(of), measure)
        solvers.add(found.solver)
        if found.comparison is not None:
            findings.append(_training(of, measure, found.comparison, paper))
        ratio = lab.effort(of, lab.fresh(of), ratio_of)
        findings += _cells("fresh real instances", of, measure, ratio_of, found, ratio, None)
    for recipe in each_cell(lab, generators, sets):
        known = published(paper, recipe)
        findings += recipe_findings(lab, recipe, measure, ratio_of, known)
    return Outcome(
        findings=tuple(findings),
        notes=(
            f"Solver: {', '.join(sorted(solvers))}, one thread, {lab.scale.solver_seeds} seeds, "
            f"limit {lab.scale.seconds:g} s; cut-off solves count as censored. In brackets of "
            "the mean its relative error; ratios are of shifted geometric means, paired by "
            "template, with 95 % intervals.",
        ),
    )


def recipe_findings(
    lab: Lab, recipe: Recipe, measure: str, ratio_of: str, paper: float | None
) -> list[Finding]:
    """Both cells of one generated set."""
    columns = column_of(recipe.of, UNITS[measure]), column_of(recipe.of, f"ratio of {ratio_of}")
    cells: list[Finding] = []

    def measure_both(data: Dataset) -> Finding:
        found = lab.effort(recipe.of, data, measure)
        ratio = lab.effort(recipe.of, data, ratio_of)
        cells.extend(_cells(recipe.title, recipe.of, measure, ratio_of, found, ratio, paper))
        return cells[0]

    first = measured(lab, recipe, columns[0], measure_both)
    return cells or [replace(first, paper=paper)]


def _cells(
    row: str,
    of: str,
    measure: str,
    ratio_of: str,
    found: Effort,
    ratio: Effort,
    paper: float | None,
) -> list[Finding]:
    column = column_of(of, UNITS[measure])
    ends = ", ".join(f"{count} {status}" for status, count in sorted(found.statuses.items()))
    if found.comparison is None:
        return [Finding(row=row, column=column, value=None, note=ends, paper=paper)]
    comparison, made = found.comparison, found.comparison.generated
    half = mean_interval(made.deviation, made.instances)
    error = comparison.relative_error
    note = "" if error is None else f"({100 * error:.1f} %)"
    if set(found.statuses) - {"optimal"}:
        note = f"{note} {ends}".strip()
    cells = [
        Finding(
            row=row,
            column=column,
            value=made.mean,
            interval=(max(made.mean - half, 0.0), made.mean + half),
            note=note,
            paper=paper,
            count=made.instances,
        )
    ]
    if ratio.comparison is not None:
        cells.append(
            Finding(
                row=row,
                column=column_of(of, f"ratio of {ratio_of}"),
                value=ratio.comparison.ratio,
                interval=ratio.comparison.interval,
                count=ratio.comparison.pairs or ratio.comparison.generated.instances,
            )
        )
    return cells


def _training(
    of: str,
    measure: str,
    comparison: HardnessComparison,
    paper: Mapping[tuple[str, str, float | None], float],
) -> Finding:
    half = mean_interval(comparison.reference.deviation, comparison.reference.instances)
    mean = comparison.reference.mean
    return Finding(
        row="training set",
        column=column_of(of, UNITS[measure]),
        value=mean,
        interval=(max(mean - half, 0.0), mean + half),
        paper=paper.get((of, "training", None)),
        count=comparison.reference.instances,
    )
