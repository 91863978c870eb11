"""`Evaluation`: everything that was found about a generated set, frozen."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from g2milp.errors import QualityGateNotMet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.features import Features
    from g2milp.evaluation.hardness.agreement import Agreement
    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.evaluation.hardness.records import Solve
    from g2milp.evaluation.novelty.disclosure import Disclosure
    from g2milp.evaluation.novelty.report import Novelty
    from g2milp.evaluation.scoring import StatisticScore
    from g2milp.evaluation.two_sample.classifier import ClassifierTest
    from g2milp.evaluation.two_sample.distances import GradedDistance
    from g2milp.evaluation.two_sample.graph_network import NetworkTest
    from g2milp.evaluation.two_sample.power import RandomSet
    from g2milp.evaluation.validity.verdicts import Validity
    from g2milp.evaluation.yardsticks import Yardstick


@dataclass(frozen=True)
class Flag:
    """Something the reader must know before believing the score."""

    code: str
    message: str


@dataclass(frozen=True)
class TwoSample:
    """Can generated be told from real? `power`: the same test on Random at η = 0.1.

    `network` is the second classifier, None where it was not asked for.
    """

    classifier: ClassifierTest | None
    distances: tuple[GradedDistance, ...]
    power: float | None
    network: NetworkTest | None = None


@dataclass(frozen=True, eq=False)
class Evidence:
    """What figures are drawn from; no part of the JSON."""

    reference: Features
    generated: Features
    random: RandomSet | None
    reference_data: Dataset
    generated_data: Dataset
    parents: tuple[int, ...]
    nearest: NDArray[np.int64]
    nearest_distance: NDArray[np.float64]
    real_distance: NDArray[np.float64] | None
    solves: tuple[Solve, ...]
    reference_embedding: NDArray[np.float64] | None
    generated_embedding: NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The result of `evaluate`. Printing it gives the table; `to_dict` what ``--json`` prints."""

    suite: str
    score: float
    interval: tuple[float, float]
    ceiling: Yardstick | None
    copy_score: Yardstick
    statistics: tuple[StatisticScore, ...]
    two_sample: TwoSample | None
    hardness: tuple[HardnessComparison, ...]
    relaxation: tuple[StatisticScore, ...]
    agreement: tuple[Agreement, ...]
    validity: Validity
    novelty: Novelty
    disclosure: Disclosure
    flags: tuple[Flag, ...]
    generated_name: str
    reference_size: int
    generated_size: int
    seed: int
    made_with: dict[str, str]
    evidence: Evidence = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """JSON values with stable keys."""
        found: dict[str, Any] = {
            "suite": self.suite,
            "score": self.score,
            "interval": list(self.interval),
            "ceiling": self.ceiling.value if self.ceiling else None,
            "copy_score": self.copy_score.value,
            "yardsticks": {
                "ceiling": asdict(self.ceiling) if self.ceiling else None,
                "copy": asdict(self.copy_score),
            },
            "statistics": {s.name: asdict(s) for s in self.statistics},
            "two_sample": asdict(self.two_sample) if self.two_sample else None,
            "hardness": {
                "comparisons": [asdict(h) for h in self.hardness],
                "relaxation": {s.name: asdict(s) for s in self.relaxation},
                "agreement": [asdict(a) for a in self.agreement],
            },
            "validity": asdict(self.validity),
            "novelty": {**asdict(self.novelty), "disclosure": asdict(self.disclosure)},
            "flags": [asdict(flag) for flag in self.flags],
            "generated": self.generated_name,
            "reference_size": self.reference_size,
            "generated_size": self.generated_size,
            "seed": self.seed,
            "made_with": dict(self.made_with),
        }
        plain: dict[str, Any] = _listed(found)
        return plain

    def require(self, least: float) -> None:
        """Raise `QualityGateNotMet` when the score is below `least`."""
        if self.score < least:
            raise QualityGateNotMet(
                f"{self.generated_name}: the score {self.score:.3f} ({self.suite}) "
                f"is below {least}",
                hint="The statistics with the lowest similarity say where to look.",
            )

    def __str__(self) -> str:
        from g2milp.evaluation.tables import as_text

        return as_text(self)


def _listed(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_listed(item) for item in value]
    return value
