"""Table "Orders of masked constraints" on MIK: uniform, by ascending, by descending index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Outcome
from g2milp.experiments.grid import similarity, training_similarity
from g2milp.experiments.hardness import method, real_findings, recipe_findings
from g2milp.experiments.lab import Recipe

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab
    from g2milp.generation.contract import Order

PAPER: dict[tuple[Order, str], tuple[float, float, float]] = {
    ("uniform", "code"): (0.953, 0.129, 235.35),
    ("uniform", "random"): (0.840, 0.004, 0.0),
    ("ascending", "code"): (0.892, 0.054, 108.30),
    ("ascending", "random"): (0.773, 0.002, 0.0),
    ("descending", "code"): (0.925, 0.027, 31.53),
    ("descending", "random"): (0.827, 0.003, 0.0),
}
GENERATORS = ("code", "random", "rewire", "best")
ORDERS: tuple[Order, ...] = ("uniform", "ascending", "descending")
TRAINING = (0.198, 175.35)
SUITE = "g2milp-2023"


def run(lab: Lab) -> Outcome:
    """η = 0.05, as in the uniform row of the paper."""
    findings = [training_similarity(lab, "mik", SUITE, SUITE)]
    findings += real_findings(lab, "mik", "seconds", "work", TRAINING[0])
    findings += real_findings(lab, "mik", "nodes", "nodes", TRAINING[1])
    for order in ORDERS:
        for generator in GENERATORS:
            recipe = Recipe(of="mik", generator=generator, mask_ratio=0.05, order=order)
            score, seconds, nodes = PAPER.get((order, generator), (None, None, None))
            findings.append(similarity(lab, recipe, SUITE, SUITE, score))
            findings += recipe_findings(lab, recipe, "seconds", "work", seconds, TRAINING[0])
            findings += recipe_findings(lab, recipe, "nodes", "nodes", nodes, TRAINING[1])
    solver = lab.effort("mik", lab.fresh("mik"), "nodes").solver
    return Outcome(findings=tuple(findings), notes=("η = 0.05.", method(lab, [solver])))
