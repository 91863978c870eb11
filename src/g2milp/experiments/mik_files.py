"""Three real MIK instances, which MIPLIB keeps, against their children.

Three instances say little about a distribution: similarity has wide intervals and no classifier can
be trained. What they can show is whether children stay feasible, and as hard as their templates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.duel import changed_share
from g2milp.experiments.feasibility import solved
from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import measured, similarity
from g2milp.experiments.hardness import ratio_findings
from g2milp.experiments.lab import Recipe

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab

OF = "mik-files"
GENERATORS = ("random", "rewire", "code", "best")
SUITES = ("g2milp-2023", "v1")


def run(lab: Lab) -> Outcome:
    """Similarity, realised change, feasibility and effort, paired by template."""
    findings: list[Finding] = []
    for ratio in lab.scale.ratios:
        for generator in GENERATORS:
            recipe = Recipe(of=OF, generator=generator, mask_ratio=ratio)
            findings += [similarity(lab, recipe, suite, suite) for suite in SUITES]
            findings.append(_changed(lab, recipe))
            findings.append(solved(lab, recipe, "feasible and bounded"))
            findings += ratio_findings(lab, recipe, "work", "ratio of work")
            findings += ratio_findings(lab, recipe, "nodes", "ratio of nodes")
    return Outcome(
        findings=tuple(findings),
        notes=(
            "mik-250-1-100-1, mik-250-20-75-3 and mik-250-20-75-4. Scores are against these "
            "three, so mixed from few templates; the paper trains on 80 files of the same kind.",
        ),
    )


def _changed(lab: Lab, recipe: Recipe) -> Finding:
    def share(data: Dataset) -> Finding:
        return Finding(
            row=recipe.title, column="changed rows", value=changed_share(data), count=len(data)
        )

    return measured(lab, recipe, "changed rows", share)
