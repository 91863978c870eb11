"""Training of the merge classifier on random moments of random split histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from g2milp.baselines.g2sat.network import MergeScorer, clause_graph, variable_features
from g2milp.baselines.g2sat.splitting import split_history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.instance.milp import Milp

PAIRS_A_GRAPH = 8
"""Examples that share one random history, each at a moment of its own."""


def learn(
    milps: Sequence[Milp], n_pairs: int, batch: int, seed: int
) -> tuple[MergeScorer, list[float]]:
    """A trained scorer and its losses, the same for the same seed."""
    rng = np.random.default_rng(seed)
    with torch.random.fork_rng():
        torch.manual_seed(int(rng.integers(2**31)))
        scorer = MergeScorer()
    usable = [m for m in milps if m.row_degrees.max(initial=0) > 1]
    losses: list[float] = []
    if not usable:
        return scorer.eval(), losses
    optimiser = torch.optim.Adam(scorer.parameters(), lr=1e-3, weight_decay=5e-4)
    for start in range(0, n_pairs, batch):
        optimiser.zero_grad()
        total = 0.0
        size = min(batch, n_pairs - start)
        for first in range(0, size, PAIRS_A_GRAPH):
            milp = usable[int(rng.integers(len(usable)))]
            loss = _loss(scorer, milp, min(PAIRS_A_GRAPH, size - first), rng) / size
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
        optimiser.step()
        losses.append(total)
    return scorer.eval(), losses


def _loss(scorer: MergeScorer, milp: Milp, n_pairs: int, rng: np.random.Generator) -> torch.Tensor:
    """Summed cross-entropy of `n_pairs` positive and as many negative pairs of one history."""
    history = split_history(milp, rng)
    features = variable_features(milp)
    terms = []
    for _ in range(n_pairs):
        splits = int(rng.integers(1, history.detached.size + 1))
        clause, (u, v, w) = history.example(splits, rng)
        graph = clause_graph(features, history.variable, clause, milp.n_rows + splits)
        h = scorer(graph)[milp.n_cols :]
        scores = torch.stack([h[u] @ h[v], h[v] @ h[w]])
        terms.append(
            nn.functional.binary_cross_entropy_with_logits(
                scores, torch.tensor([1.0, 0.0]), reduction="sum"
            )
        )
    return torch.stack(terms).sum()
