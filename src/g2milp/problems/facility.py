r"""Capacitated facility location (Cornuéjols et al. 1991) in the form of Gasse et al. (2019).

    min  \sum_{ij} t_{ij} x_{ij} + \sum_j f_j y_j
    subject to  \sum_j x_{ij} \ge 1            every customer i is served,
                \sum_i d_i x_{ij} \le s_j y_j  no facility j gives more than it has,
                \sum_j s_j y_j \ge \sum_i d_i  open facilities suffice (redundant, tightens),
                x_{ij} \le y_j                 (redundant, tightens),   x in [0, 1],  y binary

Customers and facilities are uniform in the unit square; demands d are whole numbers in 5..35,
capacities s in 10..160, then scaled so that they sum to `ratio` times the demand and cut to whole
numbers; f = ⌊U{100..110} √s₀ + U{0..90}⌋ with the unscaled s₀; t is 10 · distance · demand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from g2milp.instance.milp import Kind, Milp
from g2milp.problems.parameters import Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class FacilityParameters(Parameters):
    """Sizes, and how many times the total demand all facilities together can serve."""

    n_customers: int = 100
    n_facilities: int = 100
    ratio: float = 5.0

    RANGES: ClassVar[dict[str, tuple[float, float]]] = {
        "n_customers": (1, 10**5),
        "n_facilities": (1, 10**5),
        "ratio": (1, 10**6),
    }


PARAMETERS = FacilityParameters


def make(parameters: FacilityParameters, rng: np.random.Generator) -> Milp:
    """Draw one instance; the columns are x by customer, then y."""
    m, n = parameters.n_customers, parameters.n_facilities
    customers, facilities = rng.random((m, 2)), rng.random((n, 2))
    demand = rng.integers(5, 35, size=m, endpoint=True).astype(np.float64)
    capacity = rng.integers(10, 160, size=n, endpoint=True).astype(np.float64)
    fixed = np.floor(
        rng.integers(100, 110, size=n, endpoint=True) * np.sqrt(capacity)
        + rng.integers(0, 90, size=n, endpoint=True)
    )
    capacity = np.floor(capacity * (parameters.ratio * demand.sum() / capacity.sum()))
    short = demand.sum() - capacity.sum()
    capacity[0] += max(short, 0.0)  # cutting to whole numbers must not make the instance infeasible
    distance = np.hypot(*np.moveaxis(customers[:, None] - facilities[None], 2, 0))
    pairs = np.arange(m * n).reshape(m, n)
    opened = m * n + np.arange(n)
    sizes, indices, values = _rows(pairs, opened, demand, capacity)
    free_below = np.full(n, -np.inf)
    return Milp.build(
        name=f"facility-{m}-{n}-{parameters.ratio:g}",
        objective=np.concatenate([(10 * distance * demand[:, None]).ravel(), fixed]),
        objective_name="cost",
        indptr=np.concatenate([[0], np.cumsum(sizes)]),
        indices=indices,
        values=values,
        row_lower=np.concatenate([np.ones(m), free_below, [demand.sum()], np.full(m * n, -np.inf)]),
        row_upper=np.concatenate([np.full(m, np.inf), np.zeros(n), [np.inf], np.zeros(m * n)]),
        col_upper=np.ones(m * n + n),
        kinds=np.repeat([Kind.CONTINUOUS, Kind.INTEGER], [m * n, n]),
        row_names=[
            *(f"serve_{i}" for i in range(m)),
            *(f"capacity_{j}" for j in range(n)),
            "total_capacity",
            *(f"open_{i}_{j}" for i in range(m) for j in range(n)),
        ],
        col_names=[
            *(f"x_{i}_{j}" for i in range(m) for j in range(n)),
            *(f"y_{j}" for j in range(n)),
        ],
    )


def _rows(
    pairs: NDArray[np.int64],
    opened: NDArray[np.int64],
    demand: NDArray[np.float64],
    capacity: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Entries of each row, their columns and coefficients: serve, capacity, total, open."""
    m, n = pairs.shape
    sizes = np.repeat([n, m + 1, n, 2], [m, n, 1, m * n])
    supply_cols = np.column_stack([pairs.T, opened])
    supply = np.column_stack([np.tile(demand, (n, 1)), -capacity])
    link_cols = np.column_stack([pairs.ravel(), np.tile(opened, m)])
    indices = np.concatenate([pairs.ravel(), supply_cols.ravel(), opened, link_cols.ravel()])
    values = np.concatenate([np.ones(m * n), supply.ravel(), capacity, np.tile([1.0, -1.0], m * n)])
    return sizes, indices, values
