"""Table "Average solving time of instances solved by Gurobi"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.hardness import hardness_table

if TYPE_CHECKING:
    from g2milp.experiments.finding import Outcome
    from g2milp.experiments.lab import Lab

PAPER = {
    ("mis", "training", None): 0.349,
    ("setcover", "training", None): 2.344,
    ("mik", "training", None): 0.198,
    ("mis", "bowly", None): 0.007,
    ("setcover", "bowly", None): 0.048,
    ("mik", "bowly", None): 0.001,
    ("mis", "random", 0.01): 0.311,
    ("setcover", "random", 0.01): 2.044,
    ("mik", "random", 0.01): 0.008,
    ("mis", "random", 0.05): 0.569,
    ("setcover", "random", 0.05): 2.010,
    ("mik", "random", 0.05): 0.004,
    ("mis", "random", 0.1): 2.367,
    ("setcover", "random", 0.1): 1.988,
    ("mik", "random", 0.1): 0.005,
    ("mis", "code", 0.01): 0.354,
    ("setcover", "code", 0.01): 2.360,
    ("mik", "code", 0.01): 0.169,
    ("mis", "code", 0.05): 0.292,
    ("setcover", "code", 0.05): 2.533,
    ("mik", "code", 0.05): 0.129,
    ("mis", "code", 0.1): 0.214,
    ("setcover", "code", 0.1): 2.108,
    ("mik", "code", 0.1): 0.072,
}


def run(lab: Lab) -> Outcome:
    """Seconds as published; deterministic work as the ratio."""
    return hardness_table(lab, "seconds", PAPER, ratio_of="work")
