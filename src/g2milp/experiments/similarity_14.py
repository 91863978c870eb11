"""The similarity table again with 14 statistics (appendix E.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.similarity import similarity_table

if TYPE_CHECKING:
    from g2milp.experiments.finding import Outcome
    from g2milp.experiments.lab import Lab

PAPER = {
    ("mis", "bowly", None): 0.144,
    ("setcover", "bowly", None): 0.150,
    ("mis", "random", 0.01): 0.722,
    ("setcover", "random", 0.01): 0.791,
    ("mik", "random", 0.01): 0.971,
    ("mis", "random", 0.05): 0.670,
    ("setcover", "random", 0.05): 0.704,
    ("mik", "random", 0.05): 0.878,
    ("mis", "random", 0.1): 0.618,
    ("setcover", "random", 0.1): 0.648,
    ("mik", "random", 0.1): 0.768,
    ("mis", "code", 0.01): 0.997,
    ("setcover", "code", 0.01): 0.874,
    ("mik", "code", 0.01): 0.994,
    ("mis", "code", 0.05): 0.951,
    ("setcover", "code", 0.05): 0.833,
    ("mik", "code", 0.05): 0.969,
    ("mis", "code", 0.1): 0.921,
    ("setcover", "code", 0.1): 0.834,
    ("mik", "code", 0.1): 0.930,
}


def run(lab: Lab) -> Outcome:
    """Suite g2milp-2023-14."""
    return similarity_table(lab, {"g2milp-2023-14": PAPER})
