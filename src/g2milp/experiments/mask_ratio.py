"""Figure "Ablation on masking ratio": similarity, distance and effort as η grows, beyond 0.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.grid import column_of, similarity
from g2milp.experiments.hardness import ratio_findings
from g2milp.experiments.lab import SETS, TITLES, Recipe
from g2milp.experiments.plots import Curve, curves
from g2milp.experiments.two_sample import recipe_cells

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

GENERATORS = ("random", "rewire", "code", "best")
SUITE = "g2milp-2023"


def run(lab: Lab) -> Outcome:
    """The paper shows MIK up to η = 0.2 and names no numbers; here are all three sets."""
    findings: list[Finding] = []
    figures = {}
    for of in SETS:
        by_generator: dict[str, list[tuple[float, Finding]]] = {}
        effort: dict[str, list[tuple[float, Finding]]] = {}
        for generator in GENERATORS:
            for ratio in lab.scale.large_ratios:
                recipe = Recipe(of=of, generator=generator, mask_ratio=ratio)
                found = similarity(lab, recipe, SUITE, column_of(of, SUITE))
                findings.append(found)
                by_generator.setdefault(generator, []).append((ratio, found))
                findings += recipe_cells(lab, recipe)
                (ratio_found,) = ratio_findings(lab, recipe, "work", column_of(of, "ratio of work"))
                findings.append(ratio_found)
                effort.setdefault(generator, []).append((ratio, ratio_found))
        figures[f"{of}.svg"] = curves(
            f"{TITLES[of]}: similarity over the mask ratio",
            "mask ratio η",
            [Curve.of(name, points) for name, points in by_generator.items()],
        )
        figures[f"{of}-work.svg"] = curves(
            f"{TITLES[of]}: work relative to the templates over the mask ratio",
            "mask ratio η",
            [Curve.of(name, points) for name, points in effort.items()],
        )
    return Outcome(
        findings=tuple(findings),
        figures=figures,
        notes=(
            "The paper shows MIK alone, up to η = 0.2, without numbers. Part (b) of its figure is "
            "the experiment mask-ratio-value.",
        ),
    )
