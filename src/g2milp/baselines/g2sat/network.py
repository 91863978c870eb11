r"""The merge classifier of G2SAT: three graph convolutions and a dot product.

    H' = ReLU(D^{-1/2} (A + I) D^{-1/2} H W),    score(u, v) = ⟨h_u, h_v⟩,   ‖h‖ = 1

over the graph of variables and clauses. Variables enter with their objective coefficient, kind and
bounds beside the one-hot type of the original. Sizes and rates are G2SAT's: width 32, Adam 1e-3,
weight decay 5e-4, binary cross-entropy, batches of 64 pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

WIDTH = 32
N_FEATURES = 6


@dataclass(frozen=True, eq=False)
class ClauseGraph:
    """Variables 0 … n − 1, then clauses.

    An edge for each entry. Shapes: features (N, 6), ends (nnz,).
    """

    features: torch.Tensor
    variable: torch.Tensor
    clause: torch.Tensor


def variable_features(milp: Milp) -> NDArray[np.float32]:
    """(1, 0, objective / max |objective|, integer, finite lower, finite upper) of each variable."""
    scale = max(float(np.abs(milp.objective).max(initial=0.0)), 1e-300)
    columns = [
        np.ones(milp.n_cols),
        np.zeros(milp.n_cols),
        milp.objective / scale,
        milp.is_integer,
        np.isfinite(milp.col_lower),
        np.isfinite(milp.col_upper),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def clause_graph(
    of_variables: NDArray[np.float32],
    variable: NDArray[np.int64],
    clause: NDArray[np.int64],
    n_clauses: int,
) -> ClauseGraph:
    """The graph in which entry k joins ``variable[k]`` and ``clause[k]``."""
    n = of_variables.shape[0]
    features = np.zeros((n + n_clauses, N_FEATURES), np.float32)
    features[:n] = of_variables
    features[n:, 1] = 1.0
    return ClauseGraph(
        torch.from_numpy(features), torch.from_numpy(variable), torch.from_numpy(clause + n)
    )


class MergeScorer(nn.Module):
    """Embeds the nodes of clause graphs; see the module for the formula."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(N_FEATURES, WIDTH)
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))

    def forward(self, graph: ClauseGraph) -> torch.Tensor:
        """Unit embeddings of all nodes. Shapes: (N, 6) → (N, 32)."""
        n = graph.features.shape[0]
        degree = torch.ones(n).index_add_(0, graph.variable, torch.ones(graph.variable.shape[0]))
        degree.index_add_(0, graph.clause, torch.ones(graph.clause.shape[0]))
        root = degree.rsqrt().unsqueeze(1)
        h = self.embed(graph.features)
        for position, layer in enumerate(self.layers):
            h = layer(h) * root
            gathered = h.index_add(0, graph.clause, h[graph.variable])
            gathered = gathered.index_add(0, graph.variable, h[graph.clause])
            h = gathered * root
            if position + 1 < len(self.layers):
                h = torch.relu(h)
        return nn.functional.normalize(h, dim=1)
