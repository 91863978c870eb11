"""Checkpoint selectors: less is better, and the reference is measured once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

import g2milp as gm
from g2milp.evaluation.selection import ByHardness, BySimilarity
from g2milp.problems.registry import make_many

REAL = gm.Dataset.from_milps(list(make_many("mis", 12, 0, n_nodes=20)))


@dataclass
class Stub:
    """Stands for a generator whose samples are known; the model is what it makes."""

    model_: Any = None
    templates_: Any = None
    asked: list[int] = field(default_factory=list)

    def sample(self, n: int, *, seed: int, templates: Any) -> list[gm.Milp]:
        self.asked.append(n)
        return list(self.model_)


def test_similarity_prefers_the_nearer_set(monkeypatch: pytest.MonkeyPatch):
    selector = BySimilarity(Stub())
    near = selector(list(make_many("mis", 12, 5, n_nodes=20)), REAL)
    monkeypatch.setattr(gm.Dataset, "content_hash", None)
    far = selector(list(make_many("setcover", 12, 5, n_rows=20, n_cols=30, density=0.2)), REAL)
    assert 0 <= near < far <= 1
    assert selector.generator.asked == [20, 20]


def test_hardness_of_the_same_instances_is_no_error():
    selector = ByHardness(Stub())
    assert selector(list(REAL), REAL) == 0.0
    harder = list(make_many("setcover", 12, 5, n_rows=40, n_cols=60, density=0.1))
    assert selector(harder, REAL) > 0.1
