"""What Bowly's search can walk towards: statistics of an instance, or the effort of solving it.

Written as ``NAME``, ``NAME:NUMBER`` or ``NAME:max``. Without a number the training set's mean is
the target: ``nodes`` asks for instances as hard as those. From Python, `search` takes any function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from g2milp.errors import DamagedArtifact, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from g2milp.instance.milp import Milp

NODE_LIMIT = 5_000
"""A neighbour is not solved further: effort beyond it counts as the same."""

SOLVED = 5
"""Training instances that are solved at most for the mean effort."""


@dataclass(frozen=True)
class Target:
    """The number of an instance that the search watches, and where it should be."""

    name: str
    value: float

    @classmethod
    def parse(cls, text: str, milps: Sequence[Milp]) -> Self:
        """Read ``NAME[:NUMBER|:max]``; the mean of `milps` where there is no number."""
        name, colon, wanted = text.partition(":")
        measure = measure_of(name)
        if wanted == "max":
            return cls(name, math.inf)
        if colon:
            try:
                number = float(wanted)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                raise UsageError(f"{text!r}: behind the colon stands a number or 'max'")
            return cls(name, number)
        shown = milps[:SOLVED] if name in EFFORTS else milps
        return cls(name, float(np.mean([measure(milp) for milp in shown])))

    def of(self, milp: Milp) -> float:
        """The watched number of one instance."""
        return measure_of(self.name)(milp)

    def to_dict(self) -> dict[str, Any]:
        """JSON values; `from_dict` is the inverse."""
        return {"name": self.name, "value": "max" if math.isinf(self.value) else self.value}

    @classmethod
    def from_dict(cls, values: Any) -> Self:
        """Read back what `to_dict` gave; anything else is refused."""
        if not isinstance(values, dict) or set(values) != {"name", "value"}:
            raise DamagedArtifact("bowly", "not the target of a search")
        name, value = values["name"], values["value"]
        if not isinstance(name, str) or name not in MEASURES:
            raise DamagedArtifact("bowly", f"there is no statistic {name!r} to search for")
        if value == "max":
            return cls(name, math.inf)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise DamagedArtifact("bowly", "the target of a search is no number")
        return cls(name, float(value))


def measure_of(name: str) -> Callable[[Milp], float]:
    """The function behind a name."""
    if name not in MEASURES:
        raise UsageError(
            f"Bowly's search knows no {name!r}",
            hint=f"It can watch: {', '.join(MEASURES)}; write NAME, NAME:NUMBER or NAME:max.",
        )
    return MEASURES[name]


def _effort(measure: str) -> Callable[[Milp], float]:
    def solve(milp: Milp) -> float:
        from g2milp.solvers.base import Limits
        from g2milp.solvers.registry import get_ready

        outcome = get_ready("highs").solve(milp, limits=Limits(nodes=NODE_LIMIT))
        return float(getattr(outcome, measure) or 0.0)

    return solve


def _spread(values: np.ndarray[Any, Any]) -> float:
    return float(values.std()) if values.size else 0.0


EFFORTS: dict[str, Callable[[Milp], float]] = {
    "nodes": _effort("nodes"),
    "lp_iterations": _effort("lp_iterations"),
}

MEASURES: dict[str, Callable[[Milp], float]] = {
    **EFFORTS,
    "density": lambda m: m.n_nonzeros / max(m.n_rows * m.n_cols, 1),
    "row_degree_std": lambda m: _spread(m.row_degrees),
    "col_degree_std": lambda m: _spread(m.col_degrees),
    "coefficient_mean": lambda m: float(m.values.mean()) if m.n_nonzeros else 0.0,
    "coefficient_std": lambda m: _spread(m.values),
    "side_mean": lambda m: float(_sides(m).mean()) if m.n_rows else 0.0,
    "side_std": lambda m: _spread(_sides(m)),
    "objective_mean": lambda m: float(m.objective.mean()) if m.n_cols else 0.0,
    "objective_std": lambda m: _spread(m.objective),
}
"""All that can be watched. Effort is HiGHS's, one thread, at most `NODE_LIMIT` nodes."""


def _sides(milp: Milp) -> np.ndarray[Any, Any]:
    side = np.where(np.isfinite(milp.row_upper), milp.row_upper, milp.row_lower)
    return np.where(np.isfinite(side), side, 0.0)
