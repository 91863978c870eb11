"""The best and the worst pair: a template and its child, and what changed between them.

    distance(child, template) = Σ_s w_s |z_s(child) − z_s(template)|

over the statistics s of the suite with its weights, in robust units z of the reference. Copies are
no candidates for the best pair: a copy changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.divergence.weighted import robust_units
from g2milp.evaluation.suites import SUITES
from g2milp.reports.figures.matrix import changed_rows, matrix_picture

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.evaluation.result import Evaluation
    from g2milp.reports.figures.drawing import Figure

    Floats = NDArray[np.float64]

MOVED = 5
NOTHING = 0.005
"""A gap that is 0.00 when it is written is none."""


@dataclass(frozen=True)
class Moved:
    """A statistic of the template and of its child, and the gap in units of the real spread."""

    statistic: str
    template: float
    child: float
    gap: float


@dataclass(frozen=True, eq=False)
class Pair:
    """A template and its child; `known` says that the manifest names the template."""

    rank: str
    template: str
    child: str
    known: bool
    distance: float
    rows: int
    changed: int
    moved: tuple[Moved, ...]
    template_picture: Figure
    child_picture: Figure

    @property
    def is_slim(self) -> bool:
        """Whether both pictures are so high that they stand beside each other with their table."""
        return self.child_picture.height > 1.5 * self.child_picture.width


def pairs(evaluation: Evaluation) -> tuple[Pair, ...]:
    """The best and the worst; one where there is only one."""
    partners = partners_of(evaluation)
    gaps, weights = gaps_of(evaluation, partners)
    apart = gaps @ weights
    evidence = evaluation.evidence
    is_copy = np.array(
        [
            child.structure == evidence.reference.profiles[int(partner)].structure
            for child, partner in zip(evidence.generated.profiles, partners, strict=True)
        ]
    )
    candidates = np.flatnonzero(~is_copy) if not is_copy.all() else np.arange(apart.size)
    best = int(candidates[np.argmin(apart[candidates])])
    worst = int(np.argmax(apart))
    chosen = [("Best pair", best), ("Worst pair", worst)]
    if best == worst:
        chosen = [("The pair", best)]
    return tuple(
        _pair(evaluation, rank, child, int(partners[child]), gaps[child], float(apart[child]))
        for rank, child in chosen
    )


def partners_of(evaluation: Evaluation) -> NDArray[np.int64]:
    """The template of each generated instance, or where it is unknown the nearest real one."""
    parents = np.array(evaluation.evidence.parents, dtype=np.int64)
    return np.where(parents >= 0, parents, evaluation.evidence.nearest)


def gaps_of(evaluation: Evaluation, partners: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """|z(child) − z(template)| and the weight of each statistic. Shapes: (m, s), (s)."""
    suite = SUITES[evaluation.suite]
    evidence = evaluation.evidence
    parts = suite.weights()
    columns = []
    for name in suite.statistics:
        own, new = robust_units(evidence.reference.column(name), evidence.generated.column(name))
        columns.append(np.abs(new - own[partners]))
    return np.stack(columns, axis=1), np.array([parts[name] for name in suite.statistics])


def _pair(
    evaluation: Evaluation, rank: str, child: int, partner: int, gaps: Floats, distance: float
) -> Pair:
    evidence = evaluation.evidence
    old, new = evidence.reference_data[partner], evidence.generated_data[child]
    gone, fresh = changed_rows(old, new)
    names = SUITES[evaluation.suite].statistics
    most = [int(s) for s in np.argsort(-gaps, kind="stable")[:MOVED] if gaps[s] > NOTHING]
    return Pair(
        rank=rank,
        template=evidence.reference_data.names[partner],
        child=evidence.generated_data.names[child],
        known=evaluation.novelty.parents_from == "manifest" and evidence.parents[child] >= 0,
        distance=distance,
        rows=new.n_rows,
        changed=int(fresh.sum()),
        moved=tuple(
            Moved(
                names[s],
                float(evidence.reference.column(names[s])[partner]),
                float(evidence.generated.column(names[s])[child]),
                float(gaps[s]),
            )
            for s in most
        ),
        template_picture=matrix_picture(f"Constraint matrix of the template ({rank})", old, gone),
        child_picture=matrix_picture(f"Constraint matrix of its child ({rank})", new, fresh),
    )
