"""Are generated instances feasible and bounded? Counted by solving, with and without certificates.

The paper observes that its instances are, and names a guarantee as future work.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.generators import edits_templates
from g2milp.experiments.grid import column_of, each_cell, measured

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab, Recipe

GENERATORS = ("bowly", "random", "rewire", "code", "best")
BAD = ("infeasible", "unbounded", "infeasible_or_unbounded")
VERIFIED = "certificates that verify"


def run(lab: Lab) -> Outcome:
    """Share of the decided solves with a solution and a bound; certificates verified."""
    findings: list[Finding] = []
    for recipe in each_cell(lab, GENERATORS):
        findings.append(solved(lab, recipe, column_of(recipe.of, "without --certify")))
        if edits_templates(recipe.generator):
            proven = replace(recipe, certify="bounded")
            column = column_of(recipe.of, "with --certify")
            findings.append(solved(lab, proven, column, recipe.title))
            findings.append(_verified(lab, proven, recipe.title))
    return Outcome(
        findings=tuple(findings),
        notes=(
            "Shares of solves that find a solution and a finite bound; the others prove the "
            "contrary, and those that do neither before the limit are left out. Certificates "
            "(`--certify bounded`) are verified for all generated instances, in exact "
            "arithmetic, without a solver.",
        ),
    )


def solved(lab: Lab, recipe: Recipe, column: str, row: str | None = None) -> Finding:
    """Share of decided solves that are not infeasible or unbounded."""

    def share(data: Dataset) -> Finding:
        effort = lab.effort(recipe.of, data, "work")
        statuses, good = effort.statuses, effort.sound
        bad = sum(statuses.get(status, 0) for status in BAD)
        seeds = lab.scale.solver_seeds
        open_ones = sum(statuses.values()) - bad - good
        decided = (good + bad) // seeds
        return Finding(
            row=row or recipe.title,
            column=column,
            value=good / (good + bad) if good + bad else None,
            interval=wilson(good / (good + bad), decided) if decided else None,
            count=decided,
            note=f"{open_ones} of {sum(statuses.values())} solves undecided" if open_ones else "",
        )

    return measured(lab, recipe, column, share)


def wilson(share: float, count: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson's), which is not empty where all of them are the same."""
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count**2)) / (1 + z * z / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _verified(lab: Lab, recipe: Recipe, row: str) -> Finding:
    def verified(data: Dataset) -> Finding:
        from g2milp.evaluation.validity.certificates import verified as verify

        share = sum(verify(data).values()) / len(data)
        return Finding(
            row=row,
            column=column_of(recipe.of, VERIFIED),
            value=share,
            interval=wilson(share, len(data)),
            count=len(data),
        )

    return measured(lab, recipe, column_of(recipe.of, VERIFIED), verified)
