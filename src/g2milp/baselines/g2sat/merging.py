"""Generation: single entries are merged into rows, the smallest row with its best partner first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from g2milp.baselines.g2sat.network import MergeScorer, clause_graph, variable_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


def merge(
    milp: Milp,
    variable: NDArray[np.int64],
    scorer: MergeScorer,
    rng: np.random.Generator,
    n_candidates: int,
) -> tuple[NDArray[np.int64], int]:
    """The row of each entry after merging down to the template's number of non-empty rows.

    A clause of least degree (ties at random) is merged with the clause of the highest score among
    at most `n_candidates` random ones that share no variable with it. One without a partner is
    left.
    """
    features = variable_features(milp)
    clause = np.arange(variable.size)
    degree = np.ones(variable.size, np.int64)
    wanted = int((milp.row_degrees > 0).sum())
    alive = variable.size
    stuck = np.zeros(variable.size, dtype=bool)
    tie = rng.random(variable.size)
    while alive > wanted:
        open_ = (degree > 0) & ~stuck
        if not open_.any():
            break
        least = np.flatnonzero(open_ & (degree == degree[open_].min()))
        u = int(least[tie[least].argmin()])
        partners = _partners(clause, variable, degree, u)
        if not partners.size:
            stuck[u] = True
            continue
        if partners.size > n_candidates:
            partners = rng.choice(partners, size=n_candidates, replace=False)
        with torch.no_grad():
            h = scorer(clause_graph(features, variable, clause, variable.size))[milp.n_cols :]
            scores = (h[torch.from_numpy(partners)] @ h[u]).numpy()
        v = int(partners[scores.argmax()])
        clause[clause == v] = u
        degree[u] += degree[v]
        degree[v] = 0
        tie[u] = rng.random()
        alive -= 1
    _, compact = np.unique(clause, return_inverse=True)
    return compact.reshape(-1), int(compact.max(initial=-1)) + 1


def _partners(
    clause: NDArray[np.int64], variable: NDArray[np.int64], degree: NDArray[np.int64], u: int
) -> NDArray[np.int64]:
    """Clauses that are there and share no variable with `u`."""
    mine = np.zeros(int(variable.max()) + 1, dtype=bool)
    mine[variable[clause == u]] = True
    fits = degree > 0
    fits[clause[mine[variable]]] = False
    return np.flatnonzero(fits)
