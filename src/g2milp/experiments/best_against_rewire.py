"""Our default against the typed, simple rewire that changes as many rows as it does.

A smaller change is easier to hide, so equal mask ratios are not a fair comparison: the ratio of the
rewire is set such that, on average, both really change the same share of rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from g2milp.errors import G2MILPError
from g2milp.experiments.duel import changed_share, corner, real_cells, said, verdicts
from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.lab import MORE, SETS, TITLES, Recipe

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

RATIOS = (0.1, 0.5)


def run(lab: Lab) -> Outcome:
    """Similarity, two-sample tests and work for η = 0.1 and 0.5, on sets of two kinds."""
    findings: list[Finding] = []
    notes = [
        "Rewire stands at its own mask ratio (in brackets) that gives the realised change of "
        "g2milp. Energy is in units of real against real; ratios of work are paired by template. "
        "Verdicts are g2milp against that rewire.",
    ]
    for of in (*SETS, *MORE):
        findings += real_cells(lab, of)
        for ratio in RATIOS:
            best = Recipe(of=of, generator="best", mask_ratio=ratio)
            mine = corner(lab, best, best.title)
            findings += mine
            try:
                other = at_equal_change(lab, best)
            except G2MILPError:
                continue  # the reason stands in the row of ours
            row = f"Rewire at the change of η = {ratio:g} (own η = {other.mask_ratio:g})"
            theirs = corner(lab, other, row)
            findings += theirs
            notes.append(said(f"{TITLES[of]}, η = {ratio:g}", verdicts(mine, theirs, of)))
    return Outcome(findings=tuple(findings), notes=tuple(notes))


def at_equal_change(lab: Lab, best: Recipe) -> Recipe:
    """The rewire whose realised change is that of `best`, as far as it can change as much."""
    rewire = replace(best, generator="rewire")
    wanted, full = (changed_share(lab.made(recipe)) for recipe in (best, rewire))
    factor = wanted / full if full else 1.0
    return replace(rewire, mask_ratio=round(min(max(best.mask_ratio * factor, 1e-4), 1.0), 4))
