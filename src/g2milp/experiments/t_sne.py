"""Figures "t-SNE visualization": maps of encoder representations for MIK, η by η.

Red in the paper are training instances, blue are generated, green is Random; here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.lab import Recipe
from g2milp.experiments.plots import standalone
from g2milp.generation.g2milp import G2MILP
from g2milp.reports.figures.scatter import scatter
from g2milp.reports.projection import project

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.experiments.lab import Lab

    Floats = NDArray[np.float64]

GENERATORS = ("rewire", "code", "best")


def run(lab: Lab) -> Outcome:
    """One map a generator and mask ratio; numbers say how far each cloud lies from the real one."""
    encoder = lab.generator("mik", "code")
    assert isinstance(encoder, G2MILP)
    real = encoder.embed(lab.real("mik"))
    findings: list[Finding] = []
    figures = {}
    for ratio in lab.scale.ratios:
        random = encoder.embed(lab.made(Recipe(of="mik", generator="random", mask_ratio=ratio)))
        findings.append(_distance(f"Random, η = {ratio:g}", real, random))
        for generator in GENERATORS:
            recipe = Recipe(of="mik", generator=generator, mask_ratio=ratio)
            made = encoder.embed(lab.made(recipe))
            clouds, method = project([real, made, random], seed=lab.seed)
            styles = ("real", "made", "random")
            words = f"{method} of encoder representations: real, {recipe.title}, Random."
            order = [2, 1, 0]  # the real ones on top
            picture = scatter(recipe.title, words, [(styles[k], clouds[k]) for k in order])
            figures[f"{generator}-{ratio:g}.svg"] = standalone(picture)
            findings.append(_distance(recipe.title, real, made))
    return Outcome(
        findings=tuple(findings),
        figures=figures,
        notes=("Red: training set; blue: generated; green: Random. All by one encoder.",),
    )


def _distance(row: str, real: Floats, made: Floats) -> Finding:
    """Mean distance to the nearest real instance, in units of that among real ones."""
    among = _gaps(real, real)
    np.fill_diagonal(among, np.inf)
    unit = float(np.median(among.min(axis=1))) or 1.0
    nearest = _gaps(made, real).min(axis=1) / unit
    return Finding(
        row=row,
        column="median distance to the nearest real instance (real–real = 1)",
        value=float(np.median(nearest)),
        interval=(float(np.quantile(nearest, 0.025)), float(np.quantile(nearest, 0.975))),
        count=len(made),
        note="(range of 95 % of them)",
    )


def _gaps(x: Floats, y: Floats) -> Floats:
    gaps: Floats = np.linalg.norm(x[:, None, :] - y[None, :, :], axis=2)
    return gaps
