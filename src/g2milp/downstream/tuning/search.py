"""Choosing a configuration on a set of instances: the best of a design, or a sequential search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from g2milp.downstream.tuning.space import HIGHS, Configuration, draw
from g2milp.downstream.tuning.surrogate import propose
from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2milp.datasets.dataset import Dataset
    from g2milp.downstream.tuning.costs import Costs

DESIGN_TAG = 0x7E57


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How a configuration is chosen.

    Attributes
    ----------
    method
        ``"grid"``: the cheapest of `budget` configurations, the same design for every training
        set; ``"smac"``: half of the budget is that design's beginning, the rest follows the
        surrogate.
    budget
        Configurations that are tried, the default among them.
    """

    method: Literal["grid", "smac"] = "grid"
    budget: int = 20

    def __post_init__(self) -> None:
        if self.method not in ("grid", "smac"):
            raise UsageError(f"method must be grid or smac, not {self.method!r}")
        if self.budget < 2:
            raise UsageError(f"a budget of {self.budget} leaves nothing to choose from")


@dataclass(frozen=True)
class Chosen:
    """The winner, and everything that was tried with its cost, in order."""

    configuration: Configuration
    cost: float
    tried: tuple[tuple[Configuration, float], ...]


def choose(
    costs: Costs,
    data: Dataset,
    settings: SearchSettings,
    seed: int,
    advance: Callable[..., None] = lambda items=1, note="": None,
) -> Chosen:
    """The cheapest configuration on `data`; of equals the one tried first (the default is)."""
    design = draw(HIGHS, settings.budget, np.random.default_rng([seed, DESIGN_TAG]))
    sequential = settings.method == "smac"
    first = design[: max(2, settings.budget // 2)] if sequential else design
    tried = []
    for configuration in first:
        tried.append((configuration, costs.cost(configuration, data)))
        advance(1)
    rng = np.random.default_rng([seed, DESIGN_TAG, 1])
    while sequential and len(tried) < settings.budget:
        following = propose(HIGHS, [c for c, _ in tried], [cost for _, cost in tried], rng)
        if following is None:
            break
        tried.append((following, costs.cost(following, data)))
        advance(1)
    best = min(range(len(tried)), key=lambda i: tried[i][1])
    return Chosen(tried[best][0], tried[best][1], tuple(tried))
