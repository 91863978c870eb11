"""Table "Average numbers of branching nodes of instances solved by Gurobi"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.hardness import hardness_table

if TYPE_CHECKING:
    from g2milp.experiments.finding import Outcome
    from g2milp.experiments.lab import Lab

PAPER = {
    ("mis", "training", None): 16.09,
    ("setcover", "training", None): 838.56,
    ("mik", "training", None): 175.35,
    ("mis", "bowly", None): 0.0,
    ("setcover", "bowly", None): 0.0,
    ("mik", "bowly", None): 0.0,
    ("mis", "random", 0.01): 20.60,
    ("setcover", "random", 0.01): 838.51,
    ("mik", "random", 0.01): 0.81,
    ("mis", "random", 0.05): 76.22,
    ("setcover", "random", 0.05): 765.30,
    ("mik", "random", 0.05): 0.0,
    ("mis", "random", 0.1): 484.47,
    ("setcover", "random", 0.1): 731.14,
    ("mik", "random", 0.1): 0.0,
    ("mis", "code", 0.01): 15.03,
    ("setcover", "code", 0.01): 876.09,
    ("mik", "code", 0.01): 262.25,
    ("mis", "code", 0.05): 10.58,
    ("setcover", "code", 0.05): 874.46,
    ("mik", "code", 0.05): 235.35,
    ("mis", "code", 0.1): 4.61,
    ("setcover", "code", 0.1): 876.92,
    ("mik", "code", 0.1): 140.06,
}


def run(lab: Lab) -> Outcome:
    """Nodes as published, and their paired ratio."""
    return hardness_table(lab, "nodes", PAPER, ratio_of="nodes")
