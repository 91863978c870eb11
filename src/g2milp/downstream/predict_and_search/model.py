"""The predictor of marginals: a logit for each binary column.

    p_j = σ(MLP(h_wj)),    L = −1/|B| Σ_{j ∈ B} [q_j log p_j + (1 − q_j) log(1 − p_j)]

With q the energy-weighted shares of the pool this is the loss of Han et al. (2023), whose sum over
weighted points depends on the points through q alone; the mean over columns makes instances of
different sizes count the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from g2milp.downstream.network import NetworkSettings, Scales, Trunk
from g2milp.graph.bipartite import collate
from g2milp.models.layers.mlp import MLP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite, GraphBatch


@dataclass(frozen=True, eq=False)
class Target:
    """One instance: its graph, which columns are binary, and their marginals.

    Shapes: binary (n,) bool, marginals (B,).
    """

    graph: Bipartite
    binary: NDArray[np.bool_]
    marginals: NDArray[np.float64]


class MarginalNet(nn.Module):
    """A logit for each column."""

    def __init__(
        self, settings: NetworkSettings, scales: Scales, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.trunk = Trunk(settings, scales, generator)
        self.head = MLP(settings.width, settings.hidden, 1, generator)

    def forward(self, batch: GraphBatch) -> Tensor:
        """Shape: (N,), all columns of the batch."""
        _, cols = self.trunk(batch)
        out: Tensor = self.head(cols)
        return out.squeeze(1)


@dataclass(eq=False)
class MarginalProblem:
    """Weighted cross-entropy; a `fitting.Problem`."""

    module: MarginalNet
    targets: Sequence[Target]
    held: Sequence[Target]
    batch: int = 16

    @property
    def size(self) -> int:
        """Training instances."""
        return len(self.targets)

    def loss(self, items: NDArray[np.int64]) -> Tensor:
        """Mean cross-entropy of these instances."""
        return self._loss([self.targets[int(i)] for i in items])

    def judge(self) -> float | None:
        """Mean cross-entropy of what was held out."""
        if not self.held:
            return None
        total = 0.0
        with torch.no_grad():
            for start in range(0, len(self.held), self.batch):
                part = self.held[start : start + self.batch]
                total += float(self._loss(part)) * len(part)
        return total / len(self.held)

    def _loss(self, targets: Sequence[Target]) -> Tensor:
        logits = self.module(collate([target.graph for target in targets]))
        binary = torch.from_numpy(np.concatenate([target.binary for target in targets]))
        wanted = torch.from_numpy(np.concatenate([target.marginals for target in targets])).float()
        counts = np.array([target.marginals.size for target in targets])
        weights = torch.from_numpy(np.repeat(1.0 / counts, counts)).float() / len(targets)
        return functional.binary_cross_entropy_with_logits(
            logits[binary], wanted, weight=weights, reduction="sum"
        )


@torch.no_grad()
def predict_marginals(module: MarginalNet, target: Target) -> NDArray[np.float64]:
    """P of the binary columns, (B,)."""
    logits = module(collate([target.graph]))[torch.from_numpy(target.binary)]
    found: NDArray[np.float64] = torch.sigmoid(logits.double()).numpy()
    return found
