"""Are generated instances feasible and bounded? Counted by solving, with and without certificates.

The paper observes that its instances are, and names a guarantee as future work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.generators import edits_templates
from g2milp.experiments.grid import column_of, each_cell, measured
from g2milp.experiments.lab import Recipe

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab

GENERATORS = ("bowly", "random", "rewire", "code", "best")
BAD = ("infeasible", "unbounded", "infeasible_or_unbounded")


def run(lab: Lab) -> Outcome:
    """Share of the solved instances that are not infeasible or unbounded; certificates verified."""
    findings: list[Finding] = []
    for recipe in each_cell(lab, GENERATORS):
        findings.append(_solved(lab, recipe, column_of(recipe.of, "feasible as they come")))
        if edits_templates(recipe.generator):
            proven = Recipe(**{**vars(recipe), "certify": "bounded"})
            findings += _proven(lab, proven, recipe.title)
    return Outcome(findings=tuple(findings))


def _solved(lab: Lab, recipe: Recipe, column: str, row: str | None = None) -> Finding:
    def share(data: Dataset) -> Finding:
        statuses = lab.effort(recipe.of, data, "work").statuses
        total = sum(statuses.values())
        bad = sum(statuses.get(status, 0) for status in BAD)
        return Finding(
            row=row or recipe.title,
            column=column,
            value=1 - bad / total if total else None,
            count=total,
            note=f"{bad} of {total} solves say not" if bad else "",
        )

    return measured(lab, recipe, column, share)


def _proven(lab: Lab, recipe: Recipe, row: str) -> list[Finding]:
    def verified(data: Dataset) -> Finding:
        from g2milp.evaluation.validity.certificates import verified as verify

        good = sum(verify(data).values())
        return Finding(
            row=row,
            column=column_of(recipe.of, "certificates that verify"),
            value=good / len(data),
            count=len(data),
        )

    column = column_of(recipe.of, "certified, called infeasible by no solver")
    return [
        measured(lab, recipe, column_of(recipe.of, "certificates that verify"), verified),
        _solved(lab, recipe, column, row),
    ]
