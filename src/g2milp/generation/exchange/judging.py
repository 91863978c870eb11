"""The trained judge of exchanges put to work: `Scores` for the masked rows of some instances.

Here meet the typed exchange (what may change places) and the network that has learned to tell real
entries from exchanged ones (`models.contrast`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array

from g2milp.generation.exchange.engine import buckets_of
from g2milp.generation.exchange.groups import row_groups
from g2milp.generation.exchange.scores import Scores
from g2milp.graph.features import build_graph
from g2milp.models.contrast.hiding import look, visible_pattern
from g2milp.models.contrast.shared import shared
from g2milp.models.contrast.typed import Typing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.generation.exchange.structure import Structure
    from g2milp.graph.bipartite import Bipartite
    from g2milp.instance.milp import Milp
    from g2milp.models.contrast.network import ContrastNet, Factors


@dataclass(frozen=True)
class BucketTypist:
    """Which entries an exchange under these rules may swap, told to the training."""

    invariants: Invariants
    structure: Structure

    def __call__(self, milp: Milp) -> Typing:
        """Buckets of one instance; ties of the peeling are broken the same way each time."""
        rng = np.random.default_rng(0)
        return Typing(buckets_of(milp, self.invariants, self.structure, rng), row_groups(milp).of)


@torch.no_grad()
def judged(
    model: ContrastNet,
    milps: Sequence[Milp],
    rows: Sequence[NDArray[np.int64]],
    hidden: Sequence[NDArray[np.int64]],
) -> list[Scores]:
    """Scores of the pairs of `rows` of each instance with all columns.

    `hidden` are the places of the entries that are to move, ascending: the network looks at the
    others.
    """
    graphs = [build_graph(milp) for milp in milps]
    view = look(graphs, hidden, dtype=next(model.parameters()).dtype)
    factors = model.factors(view)
    answers = []
    for k, (graph, milp) in enumerate(zip(graphs, milps, strict=True)):
        own_rows = torch.from_numpy(rows[k]) + view.visible.row_ptr[k]
        span = slice(int(view.visible.col_ptr[k]), int(view.visible.col_ptr[k + 1]))
        own = type(factors)(factors.rows.index_select(0, own_rows), factors.cols[span])
        pairs = None
        if model.config.network.shared:
            pairs = _pairs(model, own, graph, milp, rows[k], hidden[k])
        answers.append(
            Scores(own.rows.numpy(), own.cols.numpy(), model.weights.detach().numpy(), pairs)
        )
    return answers


def _pairs(
    model: ContrastNet,
    factors: Factors,
    graph: Bipartite,
    milp: Milp,
    rows: NDArray[np.int64],
    hidden: NDArray[np.int64],
) -> csr_array:
    """Scores of the pairs that share something."""
    pattern, features = shared(visible_pattern(graph, hidden), rows, row_groups(milp).of)
    owner = np.repeat(np.arange(rows.size), np.diff(pattern.indptr))
    scores = model.scores(
        factors,
        torch.from_numpy(owner),
        torch.from_numpy(pattern.indices.astype(np.int64)),
        torch.from_numpy(features),
    )
    return csr_array((scores.numpy(), pattern.indices, pattern.indptr), shape=pattern.shape)
