r"""Look-alikes of Atamtürk's mixed-integer knapsack sets (2003).

    min c'x + e'y + 100 Σ z + f'w
    subject to  \sum_j a_{ij} x_j + d_i y_i - 100 z_i - \sum_k w_k \le b_i   for every knapsack i,
                x_j \le u_j,   w_k \le v_k,   x, z integer in [0, 100],  y binary,  w \ge 0

The structure and the distributions were measured on three of the published files; the published
set itself is a download, ``mik``. As there, an instance ``mik.N-C-M.k`` has N integer columns (M
binary, M general, N − 2M shared by all knapsacks), C continuous ones and M knapsack rows; that is
N − M + C rows and N + C columns altogether.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from g2milp.errors import UsageError
from g2milp.instance.milp import Kind, Milp
from g2milp.problems.parameters import Parameters

# Default sizes: (values, probabilities). Their means are N 400, C 13 and M 67, hence 346 rows and
# 413 columns on average, the published means of the original's 80 training files.
INTEGERS = ((250, 500), (0.4, 0.6))
CONTINUOUS = ((1, 10, 20), (0.2, 0.32, 0.48))
KNAPSACKS = ((50, 75, 100), (0.5, 0.32, 0.18))


@dataclass(frozen=True, kw_only=True)
class MikParameters(Parameters):
    """Sizes N, C and M; each that is not given is drawn anew for every instance."""

    n_integers: int | None = None
    n_continuous: int | None = None
    n_knapsacks: int | None = None

    RANGES: ClassVar[dict[str, tuple[float, float]]] = {
        "n_integers": (3, 10**6),
        "n_continuous": (0, 10**6),
        "n_knapsacks": (1, 10**5),
    }

    def check(self) -> None:
        """At least one shared integer column must be left."""
        n, m = self.n_integers, self.n_knapsacks
        if n is not None and m is not None and n <= 2 * m:
            raise UsageError(
                f"n_integers {n} must be larger than twice n_knapsacks {m}",
                hint="Each knapsack has two integer columns of its own.",
            )
        if m is not None and n is None and 2 * m >= INTEGERS[0][0]:
            raise UsageError(f"n_knapsacks {m} needs n_integers above {2 * m}")


PARAMETERS = MikParameters


def make(parameters: MikParameters, rng: np.random.Generator) -> Milp:
    """Draw one instance; the columns are w, y, x, z, the rows knapsacks, then bounds."""
    n, c, m = _sizes(parameters, rng)
    shared = n - 2 * m
    capacity = 2 * rng.integers(475, 499, size=m, endpoint=True) + 1
    weight = np.ceil(rng.uniform(0, 2, size=(m, shared)) * capacity[:, None])
    weight = np.maximum(weight, 1.0)
    jump = 100.0 * np.rint(rng.uniform(10, 18, size=m))
    width = c + 1 + shared + 1
    block = np.empty((m, width))
    block[:, :c] = -1.0
    block[:, c] = jump
    block[:, c + 1 : -1] = weight
    block[:, -1] = -100.0
    column = np.empty((m, width), dtype=np.int64)
    column[:, :c] = np.arange(c)
    column[:, c] = c + np.arange(m)
    column[:, c + 1 : -1] = c + m + np.arange(shared)
    column[:, -1] = c + m + shared + np.arange(m)
    bounded = np.concatenate([c + m + np.arange(shared), np.arange(c)])
    limits = np.concatenate(
        [rng.integers(1, 4, size=shared, endpoint=True), rng.integers(1, 20, size=c, endpoint=True)]
    )
    cost_x = -np.rint(weight[0] * rng.uniform(0.1, 0.9, size=shared))
    cost_y = -(jump - rng.integers(1, 500, size=m, endpoint=True))
    cost_w = rng.integers(100, 200, size=c, endpoint=True)
    kinds = np.full(n + c, Kind.INTEGER)
    kinds[:c] = Kind.CONTINUOUS
    sizes = np.concatenate([np.full(m, width), np.ones(bounded.size, np.int64)])
    return Milp.build(
        name=f"mik.{n}-{c}-{m}",
        objective=np.concatenate([cost_w, cost_y, cost_x, np.full(m, 100.0)]),
        objective_name="cost",
        indptr=np.concatenate([[0], np.cumsum(sizes)]),
        indices=np.concatenate([column.ravel(), bounded]),
        values=np.concatenate([block.ravel(), np.ones(bounded.size)]),
        row_lower=np.full(m + bounded.size, -np.inf),
        row_upper=np.concatenate([capacity, limits]),
        col_upper=np.repeat([np.inf, 1.0, 100.0, 100.0], [c, m, shared, m]),
        kinds=kinds,
        row_names=[
            *(f"knapsack_{i}" for i in range(m)),
            *(f"limit_x_{j}" for j in range(shared)),
            *(f"limit_w_{k}" for k in range(c)),
        ],
        col_names=[
            *(f"w_{k}" for k in range(c)),
            *(f"y_{i}" for i in range(m)),
            *(f"x_{j}" for j in range(shared)),
            *(f"z_{i}" for i in range(m)),
        ],
    )


def _sizes(parameters: MikParameters, rng: np.random.Generator) -> tuple[int, int, int]:
    """N, C, M as given, else from the default distributions (always drawn, in this order)."""
    n, c, m = (int(rng.choice(v, p=p)) for v, p in (INTEGERS, CONTINUOUS, KNAPSACKS))
    n = parameters.n_integers or n
    c = c if parameters.n_continuous is None else parameters.n_continuous
    m = parameters.n_knapsacks or min(m, (n - 1) // 2)
    return n, c, m


def expected_sizes() -> tuple[float, float]:
    """Mean rows and columns of the default distributions."""
    n, c, m = (
        float(np.dot(values, chances)) for values, chances in (INTEGERS, CONTINUOUS, KNAPSACKS)
    )
    return n - m + c, n + c
