"""The parameters of HiGHS that are tuned, and points of their space.

A configuration is a choice for every parameter; the first choices are HiGHS's defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

Value: TypeAlias = str | int | float | bool
Configuration: TypeAlias = tuple[int, ...]
"""The place of the choice for each parameter, in the order of the space."""

HIGHS: dict[str, tuple[Value, ...]] = {
    "presolve": ("choose", "off"),
    "mip_heuristic_effort": (0.05, 0.0, 0.01, 0.15, 0.4),
    "mip_heuristic_run_rins": (True, False),
    "mip_heuristic_run_rens": (True, False),
    "mip_heuristic_run_root_reduced_cost": (True, False),
    "mip_heuristic_run_feasibility_jump": (True, False),
    "mip_detect_symmetry": (True, False),
    "mip_pscost_minreliable": (8, 0, 2, 32),
    "mip_lp_age_limit": (10, 3, 30),
    "mip_pool_age_limit": (30, 10, 100),
    "mip_pool_soft_limit": (10_000, 1_000),
    "simplex_dual_edge_weight_strategy": (-1, 0, 1, 2),
    "simplex_scale_strategy": (2, 0, 4),
}
"""All are settings that change the path, never the answer."""


def default(space: Mapping[str, tuple[Value, ...]]) -> Configuration:
    """HiGHS as it comes."""
    return (0,) * len(space)


def options(
    space: Mapping[str, tuple[Value, ...]], configuration: Configuration
) -> dict[str, Value]:
    """What the solver is told: the choices that are not defaults."""
    return {
        name: choices[place]
        for (name, choices), place in zip(space.items(), configuration, strict=True)
        if place
    }


def draw(
    space: Mapping[str, tuple[Value, ...]], count: int, rng: np.random.Generator
) -> list[Configuration]:
    """The default and `count` − 1 further ones, all different; fewer if there are no more.

    Each parameter keeps its default with probability 1/2: settings that differ in everything at
    once are rarely good.
    """
    sizes = np.array([len(choices) for choices in space.values()])
    found = dict.fromkeys([default(space)])
    for _ in range(50 * count):
        if len(found) >= count:
            break
        drawn = np.where(rng.random(sizes.size) < 0.5, 0, rng.integers(0, sizes))
        found[tuple(drawn.tolist())] = None
    return list(found)


def neighbours(
    space: Mapping[str, tuple[Value, ...]], configuration: Configuration
) -> list[Configuration]:
    """All that differ in one parameter."""
    near = []
    for at, choices in enumerate(space.values()):
        for place in range(len(choices)):
            if place != configuration[at]:
                near.append((*configuration[:at], place, *configuration[at + 1 :]))
    return near


def encoded(
    space: Mapping[str, tuple[Value, ...]], configurations: list[Configuration]
) -> NDArray[np.float64]:
    """One-hot columns for a surrogate, (configurations, choices)."""
    blocks = [
        np.eye(len(choices))[[c[at] for c in configurations]]
        for at, choices in enumerate(space.values())
    ]
    return np.concatenate(blocks, axis=1)
