"""Near-optimal points of an instance: what the marginals of its binary columns are learned from.

The first point is the optimum. Each further one minimises a random direction over the points whose
objective is within a random share of the optimum:

    min r'x   subject to   x feasible,  c'x ≤ z* + u · slack · max(1, |z*|),
    r ~ N(0, I),  u ~ U(0, 1)

so the points are spread over the whole near-optimal set, for any solver. (Han et al. take the pool
of Gurobi, which fills up with neighbours of the first points found.)
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.solvers.base import Checked, Limits, Status
from g2milp.solvers.registry import get

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

POOL_TAG = 0x900


@dataclass(frozen=True, kw_only=True)
class PoolSettings:
    """How near-optimal points are collected.

    Attributes
    ----------
    points
        At most so many, the optimum among them.
    slack
        How much worse than the optimum a point may be, relative.
    direction_gap, direction_seconds
        When the search in one direction is good enough: it needs no optimum.
    sharpness
        β of the energy weights; see `marginals`.
    """

    points: int = 8
    slack: float = 0.02
    direction_gap: float = 0.2
    direction_seconds: float = 5.0
    sharpness: float = 2.0

    def __post_init__(self) -> None:
        if self.points < 1 or self.slack <= 0 or self.direction_seconds <= 0:
            raise UsageError("points, slack and direction_seconds must be positive")


@dataclass(frozen=True, eq=False)
class Pool:
    """Points on the binary columns, with their objectives in the instance's own sense.

    Shapes: points (P, B) bool, objectives (P,); the first is the optimum.
    """

    points: NDArray[np.bool_]
    objectives: NDArray[np.float64]

    @property
    def optimum(self) -> float:
        """The objective of the first point."""
        return float(self.objectives[0])

    def to_record(self) -> dict[str, Any]:
        """As JSON: a bit a column."""
        packed = [b64encode(np.packbits(point).tobytes()).decode() for point in self.points]
        return {
            "columns": int(self.points.shape[1]),
            "points": packed,
            "objectives": self.objectives.tolist(),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any], milp: Milp) -> Pool:
        """Read back, for the instance that it belongs to."""
        columns = int(milp.is_binary.sum())
        if record["columns"] != columns or len(record["points"]) != len(record["objectives"]):
            raise DamagedArtifact(milp.name, "a pool does not fit its instance")
        bits = [
            np.unpackbits(np.frombuffer(b64decode(text), np.uint8), count=columns)
            for text in record["points"]
        ]
        return cls(np.array(bits, dtype=bool), np.array(record["objectives"], dtype=np.float64))


def marginals(pool: Pool, settings: PoolSettings) -> NDArray[np.float64]:
    """Energy-weighted shares of ones, (B,): q_d = Σ_j w_j x_jd, w_j ∝ exp(−E_j).

    Han et al. take the objective as the energy E. Objectives of different families differ by
    orders of magnitude, so here E = β |z_j − z*| / (slack · max(1, |z*|)): 0 at the optimum and β
    for the worst point that may be in the pool.
    """
    width = settings.slack * max(1.0, abs(pool.optimum))
    energy = settings.sharpness * np.abs(pool.objectives - pool.optimum) / max(width, 1e-12)
    weights = np.exp(-energy)
    shares: NDArray[np.float64] = (weights / weights.sum()) @ pool.points.astype(np.float64)
    return shares


def collect(
    milp: Milp, settings: PoolSettings, solver: str, seed: int, time_limit: float | None
) -> Pool | str:
    """The pool of an instance, or how its solve ended instead of with an optimum."""
    engine = get(solver)
    best = engine.solve(milp, limits=Limits(seconds=time_limit), seed=seed)
    if best.status is not Status.OPTIMAL or best.solution is None or best.objective is None:
        return best.status.value
    if best.checked is Checked.WRONG:
        return "wrong claim"
    binary = milp.is_binary
    if not binary.any():
        return "no binary columns"
    rng = np.random.default_rng([seed, POOL_TAG])
    found = {best.solution[binary].astype(bool).tobytes(): best.objective}
    limits = Limits(seconds=settings.direction_seconds, gap=settings.direction_gap)
    for _ in range(settings.points - 1):
        bounded = toward(milp, best.objective, settings.slack * rng.random(), rng)
        outcome = engine.solve(bounded, limits=limits, seed=seed)
        if outcome.solution is not None and outcome.checked is not Checked.WRONG:
            objective = float(milp.objective @ outcome.solution) + milp.offset
            found.setdefault(outcome.solution[binary].astype(bool).tobytes(), objective)
    points = np.array([np.frombuffer(key, dtype=bool) for key in found])
    return Pool(points, np.array(list(found.values())))


def toward(milp: Milp, optimum: float, slack: float, rng: np.random.Generator) -> Milp:
    """The instance with a random objective on its binary columns, kept near the optimum."""
    width = slack * max(1.0, abs(optimum))
    used = np.flatnonzero(milp.objective)
    lower, upper = -np.inf, np.inf
    if milp.sense == "min":
        upper = optimum - milp.offset + width
    else:
        lower = optimum - milp.offset - width
    direction = np.where(milp.is_binary, rng.normal(size=milp.n_cols), 0.0)
    bounded = with_row(milp, used.astype(np.int32), milp.objective[used], lower, upper)
    return replace(bounded, objective=_frozen(direction), sense="min", offset=0.0)


def with_row(
    milp: Milp,
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    lower: float,
    upper: float,
) -> Milp:
    """The instance with one more row at its end."""
    name = "added"
    while name in milp.row_names:
        name += "_"
    return replace(
        milp,
        row_lower=_frozen(np.append(milp.row_lower, lower)),
        row_upper=_frozen(np.append(milp.row_upper, upper)),
        row_names=(*milp.row_names, name),
        indptr=_frozen(np.append(milp.indptr, milp.indptr[-1] + indices.size)),
        indices=_frozen(np.append(milp.indices, indices).astype(np.int32)),
        values=_frozen(np.append(milp.values, values)),
    )


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
