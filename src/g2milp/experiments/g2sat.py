"""Table "Results of G2SAT on MIS" (appendix E.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Outcome
from g2milp.experiments.grid import similarity, training_similarity
from g2milp.experiments.hardness import method, real_findings, recipe_findings
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
TRAINING = (0.998, 0.349, 16.09)
SUITE = "g2milp-2023"


def run(lab: Lab) -> Outcome:
    """Similarity, time and nodes."""
    score, seconds, nodes = TRAINING
    findings = [training_similarity(lab, "mis", SUITE, SUITE, score)]
    findings += real_findings(lab, "mis", "seconds", "work", seconds)
    findings += real_findings(lab, "mis", "nodes", "nodes", nodes)
    for recipe, published in ROWS.items():
        score_there, seconds_there, nodes_there = published
        findings.append(similarity(lab, recipe, SUITE, SUITE, score_there))
        findings += recipe_findings(lab, recipe, "seconds", "work", seconds_there, seconds)
        findings += recipe_findings(lab, recipe, "nodes", "nodes", nodes_there, nodes)
    solver = lab.effort("mis", lab.fresh("mis"), "nodes").solver
    return Outcome(findings=tuple(findings), notes=(method(lab, [solver]),))
