"""Table "Structural similarity scores between each pair of datasets": is the metric any good.

The diagonal is, as in the paper, each set against a resample of itself; a set against fresh
instances of its own kind stands beside it, since only that is fair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.lab import SETS, TITLES

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

PAPER = {
    ("mis", "mis"): 0.998,
    ("mis", "setcover"): 0.182,
    ("mis", "mik"): 0.042,
    ("setcover", "setcover"): 1.0,
    ("setcover", "mik"): 0.128,
    ("mik", "mik"): 0.997,
}
SUITE = "g2milp-2023"


def run(lab: Lab) -> Outcome:
    """All pairs in the paper's suite."""
    findings = []
    for i, one in enumerate(SETS):
        for other in SETS[i:]:
            found = lab.scores_against(lab.real(one), lab.real(other), suite=SUITE)
            findings.append(
                Finding(
                    row=TITLES[one],
                    column=TITLES[other],
                    value=found.score,
                    interval=found.interval,
                    paper=PAPER[one, other],
                    count=found.count,
                )
            )
    for name in SETS:
        found = lab.scores(name, lab.fresh(name), suite=SUITE)
        findings.append(
            Finding(
                row="fresh instances of the same kind",
                column=TITLES[name],
                value=found.score,
                interval=found.interval,
                count=found.count,
            )
        )
    return Outcome(findings=tuple(findings), notes=(f"Suite {SUITE}.",))
