"""Our default against Random (the contrast of the paper) at equal mask ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.duel import corner, real_cells, said, verdicts
from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.lab import SETS, TITLES, Recipe

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab


def run(lab: Lab) -> Outcome:
    """Rewire is in the table, without a verdict."""
    findings: list[Finding] = []
    notes = ["Energy is in units of real against real; verdicts are g2milp against Random."]
    for of in SETS:
        findings += real_cells(lab, of)
        for ratio in lab.scale.ratios:
            found = {}
            for generator in ("random", "rewire", "best"):
                recipe = Recipe(of=of, generator=generator, mask_ratio=ratio)
                found[generator] = corner(lab, recipe, recipe.title)
                findings += found[generator]
            verdict = verdicts(found["best"], found["random"], of)
            notes.append(said(f"{TITLES[of]}, η = {ratio:g}", verdict))
    return Outcome(findings=tuple(findings), notes=tuple(notes))
