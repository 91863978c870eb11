"""Inference: what the decoder proposes for masked rows and columns (algorithm 2).

Z is drawn from the prior, for each graph from its own random generator, so that what a graph gets
does not depend on its neighbours in the batch. The proposal is in the terms of the instance: signs
and sides of its rows as they stand, whatever form the graph has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from g2milp.graph.bipartite import collate
from g2milp.graph.selection import select_rows
from g2milp.models.layers.gnn import Masked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite
    from g2milp.models.masked_vae.heads.pair_head import PairHead
    from g2milp.models.masked_vae.model import MaskedVAE


@dataclass(frozen=True, eq=False)
class ColumnRefill:
    """Proposals for masked columns of one graph; bounds are None unless the model predicts them.

    `objective` is that of the minimisation; `type_scores` (q, 4) are log odds of binary, integer,
    implicit integer, continuous; missing bounds are ±∞.
    """

    objective: NDArray[np.float64]
    type_scores: NDArray[np.float64]
    lower: NDArray[np.float64] | None
    upper: NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class RowRefill:
    """Proposals for the masked rows of one graph, in the order in which they were asked for.

    bias (k,) and degree (k,) are numbers of the instance; logits and weights are computed when they
    are asked for, since k rows and n columns make k·n of them.
    """

    bias: NDArray[np.float64]
    degree: NDArray[np.int64]
    n_cols: int
    _model: MaskedVAE
    _sign: NDArray[np.float64]
    _rows: tuple[Tensor | None, Tensor | None]
    _cols: tuple[Tensor, Tensor]

    def logits(self, row: int) -> NDArray[np.float64]:
        """δ̂' before the sigmoid of masked row number `row` with every column, (n,)."""
        return self.logits_of(row, np.arange(self.n_cols))

    @torch.no_grad()
    def logits_of(self, row: int, cols: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same for some columns only."""
        out = self._pairs(self._model.logits, 0, row, cols)
        scores: NDArray[np.float64] = out.squeeze(1).double().numpy()
        return scores

    @torch.no_grad()
    def weights(
        self, row: int, cols: NDArray[np.int64], rng: np.random.Generator | None = None
    ) -> NDArray[np.float64]:
        """Coefficients of masked row number `row` in `cols`; `rng` chooses among levels."""
        out = self._pairs(self._model.weights, 1, row, cols)
        uniforms = None if rng is None else rng.random(cols.size)
        numbers = self._model.weight_numbers.decode(out, uniforms)
        signed: NDArray[np.float64] = numbers * self._sign[row]
        return signed

    def _pairs(self, head: PairHead, which: int, row: int, cols: NDArray[np.int64]) -> Tensor:
        ids = torch.from_numpy(np.asarray(cols, dtype=np.int64))
        part = self._rows[which]
        of_row = None if part is None else part[row : row + 1]
        rows = torch.zeros(ids.numel(), dtype=torch.int64)
        of_col = self._cols[which].index_select(0, ids)
        return head.pairs(of_row, of_col, rows, torch.arange(ids.numel()))


@torch.no_grad()
def refill(
    model: MaskedVAE,
    graphs: Sequence[Bipartite],
    rows: Sequence[NDArray[np.int64]],
    cols: Sequence[NDArray[np.int64]],
    rngs: Sequence[np.random.Generator],
    *,
    temperature: float = 1.0,
    sample: bool = True,
) -> list[tuple[RowRefill, ColumnRefill | None]]:
    """Mask `rows` and `cols` of each graph (ids in its `Milp`) and propose new content.

    All masked rows of a graph are masked at once; the paper's way is one row a call. With `sample`
    numbers that are distributions are drawn, otherwise the likeliest is taken.
    """
    dtype = next(model.parameters()).dtype
    latent = model.config.network.latent
    full = collate(graphs, dtype=dtype)
    chosen = [select_rows(graph, ids) for graph, ids in zip(graphs, rows, strict=True)]
    row_start, col_start = full.row_ptr.numpy(), full.col_ptr.numpy()
    row_ids = [c.graph_rows + start for c, start in zip(chosen, row_start[:-1], strict=True)]
    col_ids = [
        np.sort(ids).astype(np.int64) + start
        for ids, start in zip(cols, col_start[:-1], strict=True)
    ]
    counts = [ids.size for ids in row_ids]
    masked_ids = torch.from_numpy(np.concatenate(row_ids))
    masked = Masked(
        masked_ids, torch.from_numpy(np.concatenate([[0], np.cumsum(counts)])), full.col_ptr
    )
    batch = full.without_rows(masked_ids.numpy())
    masked_cols = torch.from_numpy(np.concatenate(col_ids))
    states = model.decoder_states(batch, masked, masked_cols)

    noise_rows = np.concatenate(
        [rng.standard_normal((n, latent)) for rng, n in zip(rngs, counts, strict=True)]
    )
    noise_cols = np.concatenate(
        [rng.standard_normal((g.n_cols, latent)) for rng, g in zip(rngs, graphs, strict=True)]
    )
    row_z = torch.from_numpy(temperature * noise_rows).to(dtype)
    col_z = torch.from_numpy(temperature * noise_cols).to(dtype)
    row_h = model.decoder.row_states(states, masked_ids)
    col_h = model.decoder.col_states(states)
    lost = (full.by_col.degrees - batch.by_col.degrees).to(dtype).unsqueeze(1)

    of_rows = [head.row_part(row_h, row_z) for head in (model.logits, model.weights)]
    of_cols = [head.col_part(col_h, col_z, lost) for head in (model.logits, model.weights)]
    bias_out, degree_out = model.bias(row_h, row_z), model.degree(row_h, row_z)

    results: list[tuple[RowRefill, ColumnRefill | None]] = []
    first = 0
    for index, (graph, rng, selection) in enumerate(zip(graphs, rngs, chosen, strict=True)):
        leading = torch.from_numpy(first + selection.leading)
        first += counts[index]
        span = slice(int(col_start[index]), int(col_start[index + 1]))
        sign = _signs(graph, selection.graph_rows[selection.leading], rows[index])
        draws = rng.random((2, leading.numel())) if sample else (None, None)
        bias = model.bias.numbers.decode(bias_out[leading], draws[0])
        degree = model.degree.numbers.decode(degree_out[leading], draws[1])
        of_row = RowRefill(
            bias=sign * bias,
            degree=np.clip(np.rint(degree), 0, graph.n_cols).astype(np.int64),
            n_cols=graph.n_cols,
            _model=model,
            _sign=sign,
            _rows=_each(of_rows, leading),
            _cols=(of_cols[0][span], of_cols[1][span]),
        )
        here = torch.from_numpy(col_ids[index])
        results.append((of_row, _columns(model, col_h[here], col_z[here], rng if sample else None)))
    return results


def _each(parts: list[Tensor | None], ids: Tensor) -> tuple[Tensor | None, Tensor | None]:
    logits, weights = (None if part is None else part.index_select(0, ids) for part in parts)
    return logits, weights


def _signs(
    graph: Bipartite, leading: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """−1 for rows that the canonical form holds negated, that is by their lower side only."""
    if graph.negated is None:
        return np.ones(rows.size)
    return np.where(graph.negated[leading], -1.0, 1.0)


def _columns(
    model: MaskedVAE, h: Tensor, z: Tensor, rng: np.random.Generator | None
) -> ColumnRefill | None:
    head = model.columns
    if head is None or not h.shape[0]:
        return None

    def uniforms() -> NDArray[np.float64] | None:
        return None if rng is None else rng.random(h.shape[0])

    objective = head.objective.numbers.decode(head.objective(h, z), uniforms())
    scores = head.column_type(h, z).double().numpy()
    lower = upper = None
    if head.has_bounds is not None and head.lower is not None and head.upper is not None:
        there = torch.sigmoid(head.has_bounds(h, z)).double().numpy()
        limit = np.full(there.shape, 0.5) if rng is None else rng.random(there.shape)
        low = head.lower.numbers.decode(head.lower(h, z), uniforms())
        high = head.upper.numbers.decode(head.upper(h, z), uniforms())
        lower = np.where(there[:, 0] > limit[:, 0], low, -np.inf)
        upper = np.where(there[:, 1] > limit[:, 1], np.maximum(low, high), np.inf)
    return ColumnRefill(objective, scores, lower, upper)
