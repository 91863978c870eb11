"""`Statistic`: a number of one instance that says about itself what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2milp.evaluation.structure.view import View

Family: TypeAlias = Literal[
    "size",
    "degrees",
    "coefficients",
    "sides",
    "objective",
    "kinds",
    "rows",
    "clustering",
    "communities",
    "conflicts",
    "redundancy",
]


@dataclass(frozen=True)
class Statistic:
    """One statistic of an instance.

    Attributes
    ----------
    name
        The key in tables, caches and JSON; unique.
    family
        What it is about; v1 gives every family the same weight.
    definition
        One sentence with the formula.
    compute
        The function; O(non-zeros) unless the definition says otherwise.
    paper
        The name in the paper's Table "statistics", empty where it is ours.
    is_invariant
        Whether it is independent of the order of rows and columns (the node-merged ones are not).
    """

    name: str
    family: Family
    definition: str
    compute: Callable[[View], float]
    paper: str = ""
    is_invariant: bool = True
