"""Table "Results of G2SAT on MIS" (appendix E.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Outcome
from g2milp.experiments.grid import similarity
from g2milp.experiments.hardness import recipe_findings
from g2milp.experiments.lab import Recipe

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

ROWS = {
    Recipe(of="mis", generator="g2sat"): (0.572, 0.014, 2.11),
    Recipe(of="mis", generator="rewire", mask_ratio=0.1): (None, None, None),
    Recipe(of="mis", generator="code", mask_ratio=0.01): (0.997, 0.354, 15.03),
    Recipe(of="mis", generator="code", mask_ratio=0.1): (0.895, 0.214, 4.61),
    Recipe(of="mis", generator="best", mask_ratio=0.1): (None, None, None),
}
SUITE = "g2milp-2023"


def run(lab: Lab) -> Outcome:
    """Similarity, time and nodes."""
    findings = []
    for recipe, (score, seconds, nodes) in ROWS.items():
        findings.append(similarity(lab, recipe, SUITE, SUITE, score))
        findings += recipe_findings(lab, recipe, "seconds", "work", seconds)
        findings += recipe_findings(lab, recipe, "nodes", "nodes", nodes)
    return Outcome(findings=tuple(findings))
