"""Scores of a generated set, kept as JSON by what was compared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset


@dataclass(frozen=True)
class Scores:
    """What `evaluate` said, as its JSON."""

    document: dict[str, Any]

    @property
    def score(self) -> float:
        """Similarity by the suite."""
        return float(self.document["score"])

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        low, high = self.document["interval"]
        return float(low), float(high)

    @property
    def ceiling(self) -> float | None:
        """Score of real instances."""
        value = self.document["ceiling"]
        return None if value is None else float(value)

    @property
    def count(self) -> int:
        """Instances that were scored."""
        return int(self.document["generated_size"])

    @property
    def auc(self) -> tuple[float, tuple[float, float]] | None:
        """Of the classifier that tells generated from real, with its interval."""
        found = (self.document.get("two_sample") or {}).get("classifier")
        if not found:
            return None
        low, high = found["interval"]
        return float(found["auc"]), (float(low), float(high))

    def distance(self, name: str) -> tuple[float, tuple[float, float]] | None:
        """A graded distance on the statistics, in units of real against real."""
        tests = self.document.get("two_sample") or {}
        for found in tests.get("distances", ()):
            if found["name"] == name and found["on"] == "statistics":
                low, high = found["interval"]
                return float(found["ratio"]), (float(low), float(high))
        return None

    @property
    def changed(self) -> float | None:
        """Mean share of rows that really changed."""
        value = self.document["novelty"].get("changed_rows")
        return None if value is None else float(value)


def judge(
    reference: Dataset,
    data: Dataset,
    *,
    suite: str,
    two_sample: bool,
    folder: Path,
    key: str,
    seed: int,
    jobs: int,
) -> Scores:
    """Evaluate once; later calls read the result."""
    from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
    from g2milp.instance.io.atomic import write_json

    path = folder / f"{key}.json"
    if path.is_file():
        return Scores(json.loads(path.read_bytes()))
    folder.mkdir(parents=True, exist_ok=True)
    options = EvaluationOptions(
        suite=suite, two_sample=two_sample, seed=seed, jobs=jobs, cache=folder / "profiles"
    )
    document = evaluate_all(reference, {"generated": data}, options)[0].to_dict()
    write_json(path, document, overwrite=True)
    return Scores(json.loads(path.read_bytes()))
