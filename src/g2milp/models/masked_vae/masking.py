"""The masking process p̃(G̃ | G) and what the decoder has to restore (section 3.3, algorithm 1).

A `Task` is everything of one training step that random choice decides: which graphs, which rows or
columns are masked in each copy, which columns serve as negative samples. It is made in NumPy from
one generator and holds tensors only; the networks draw nothing but the latent noise.

Departures: k rows of one graph may be masked at once (`Masking.rows_per_mask`), k uniform in
{1, …, rows_per_mask}; negatives are drawn with replacement, which leaves the loss's expectation.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import torch
from torch import Tensor

from g2milp.graph.bipartite import collate
from g2milp.models.layers.gnn import Masked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite, GraphBatch
    from g2milp.models.masked_vae.config import Masking

Ids: TypeAlias = "NDArray[np.int64]"
Side: TypeAlias = Literal["rows", "cols"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """One batch of masked graphs with their labels.

    `distinct` holds each chosen graph once (the encoder's input), `masked` its masked copies. Ids
    without suffix count in `masked`, those called ``*_source`` in `distinct`. Pairs are (index into
    the masked rows, index into `needed`), the true ones first.

    Shapes
    ------
    rows : R masked rows; bias, degree : float64 (R,)
    needed, needed_source : (U,) the columns that pairs refer to; slots : (U, 1)
    pair_row, pair_col : (P,); weights : float64 (n_true,)
    cols, cols_source : (Q,) masked columns; col_features : float64 (Q, 9)
    *_share : the weight of each item in a mean over items and then over graphs
    """

    distinct: GraphBatch
    masked: GraphBatch
    rows: Masked
    rows_source: Tensor
    bias: Tensor
    degree: Tensor
    needed: Tensor
    needed_source: Tensor
    slots: Tensor
    pair_row: Tensor
    pair_col: Tensor
    n_true: int
    weights: Tensor
    cols: Tensor
    cols_source: Tensor
    col_features: Tensor
    row_share: Tensor
    true_share: Tensor
    false_share: Tensor
    col_share: Tensor

    def to(self, device: torch.device) -> Task:
        """A copy on `device`; on the CPU the task itself."""
        if device.type == "cpu":
            return self
        moved = {
            entry.name: getattr(self, entry.name).to(device)
            for entry in fields(self)
            if entry.name != "n_true"
        }
        return replace(self, **moved)


def make_task(
    graphs: Sequence[Bipartite],
    repeats: int,
    masking: Masking,
    rng: np.random.Generator,
    *,
    turn: int = 0,
    mean: bool = True,
    dtype: torch.dtype = torch.float32,
) -> Task:
    """Mask each graph `repeats` times; with scope "both" the copies take turns from `turn` on."""
    sides: list[Side] = [side_of(masking, turn + copy) for _ in graphs for copy in range(repeats)]
    copies = [graph for graph in graphs for _ in range(repeats)]
    rows = [
        _choice(np.flatnonzero(g.maskable), masking.rows_per_mask, rng) if s == "rows" else _NONE
        for g, s in zip(copies, sides, strict=True)
    ]
    cols = [
        _choice(np.arange(g.n_cols), masking.cols_per_mask, rng) if s == "cols" else _NONE
        for g, s in zip(copies, sides, strict=True)
    ]
    return task_of(graphs, repeats, rows, cols, rng, mean=mean, dtype=dtype)


def side_of(masking: Masking, turn: int) -> Side:
    """What is masked in the copy number `turn`."""
    if masking.scope == "both":
        return "cols" if turn % 2 == 0 else "rows"
    return masking.scope


def task_of(
    graphs: Sequence[Bipartite],
    repeats: int,
    rows: Sequence[Ids],
    cols: Sequence[Ids],
    rng: np.random.Generator,
    *,
    mean: bool = True,
    dtype: torch.dtype = torch.float32,
) -> Task:
    """The task for given masks, one of local row and column ids a copy, ascending."""
    copies = [graph for graph in graphs for _ in range(repeats)]
    distinct = collate(graphs, dtype=dtype)
    full = collate(copies, dtype=dtype) if repeats > 1 else distinct
    row_start, col_start = full.row_ptr.numpy()[:-1], full.col_ptr.numpy()[:-1]
    source = np.repeat(np.arange(len(graphs)), repeats)
    row_shift = distinct.row_ptr.numpy()[source] - row_start
    col_shift = distinct.col_ptr.numpy()[source] - col_start

    n_masked = np.array([ids.size for ids in rows], dtype=np.int64)
    owner = np.repeat(np.arange(len(copies)), n_masked)
    row_ids = np.concatenate([*rows, _NONE]) + row_start[owner]
    col_owner = np.repeat(np.arange(len(copies)), [ids.size for ids in cols])
    col_ids = np.concatenate([*cols, _NONE]) + col_start[col_owner]

    true_row, places = full.entries(row_ids)
    true_col = full.by_row.indices.numpy()[places].astype(np.int64)
    codes = full.by_row.codes[torch.from_numpy(places)].long()
    n_cols = np.diff(full.col_ptr.numpy())[owner]
    false_row, false_local = _negatives(
        true_row, true_col - col_start[owner][true_row], row_ids.size, n_cols, rng
    )
    false_col = false_local + col_start[owner][false_row]
    needed, pair_col = np.unique(np.concatenate([true_col, false_col]), return_inverse=True)
    lost = np.bincount(pair_col.ravel()[: true_col.size], minlength=needed.size)
    needed_owner = np.searchsorted(full.col_ptr.numpy(), needed, side="right") - 1

    bias = np.concatenate(
        [*(g.row_features[ids, 0] for g, ids in zip(copies, rows, strict=True)), np.empty(0)]
    )
    features = np.concatenate(
        [
            *(g.col_features[ids] for g, ids in zip(copies, cols, strict=True)),
            np.empty((0, full.col_features.shape[1])),
        ]
    )
    total = len(copies)
    return Task(
        distinct=distinct,
        masked=full.without_rows(row_ids),
        rows=Masked(
            torch.from_numpy(row_ids),
            torch.from_numpy(np.concatenate([[0], np.cumsum(n_masked)])),
            full.col_ptr,
        ),
        rows_source=torch.from_numpy(row_ids + row_shift[owner]),
        bias=torch.from_numpy(bias),
        degree=torch.from_numpy(np.bincount(true_row, minlength=row_ids.size).astype(np.float64)),
        needed=torch.from_numpy(needed),
        needed_source=torch.from_numpy(needed + col_shift[needed_owner]),
        slots=torch.from_numpy(lost).to(dtype).unsqueeze(1),
        pair_row=torch.from_numpy(np.concatenate([true_row, false_row])),
        pair_col=torch.from_numpy(pair_col.ravel().astype(np.int64)),
        n_true=true_row.size,
        weights=full.exact[codes],
        cols=torch.from_numpy(col_ids),
        cols_source=torch.from_numpy(col_ids + col_shift[col_owner]),
        col_features=torch.from_numpy(features),
        row_share=_shares(owner, total, mean, dtype),
        true_share=_shares(owner[true_row], total, mean, dtype),
        false_share=_shares(owner[false_row], total, mean, dtype),
        col_share=_shares(col_owner, total, mean, dtype),
    )


_NONE: Ids = np.empty(0, dtype=np.int64)


def _choice(candidates: Ids, most: int, rng: np.random.Generator) -> Ids:
    """Up to `most` of the candidates, but at most half of them, and one if there is any."""
    if not candidates.size:
        return _NONE
    limit = min(most, max(candidates.size // 2, 1))
    count = int(rng.integers(1, limit + 1)) if limit > 1 else 1
    if count == 1:
        return candidates[rng.integers(candidates.size, size=1)].astype(np.int64)
    return np.sort(rng.choice(candidates, size=count, replace=False)).astype(np.int64)


def _negatives(
    true_row: Ids, true_col: Ids, n_rows: int, n_cols: Ids, rng: np.random.Generator
) -> tuple[Ids, Ids]:
    """For each true pair one column that its row does not have; none where a row has all columns.

    The q-th column outside a row with the ascending columns c_0, c_1, … is q plus the number of
    t with c_t − t ≤ q; all rows are searched at once by adding a multiple of a common stride.
    """
    degrees = np.bincount(true_row, minlength=n_rows)
    free = n_cols - degrees
    row = np.repeat(np.arange(n_rows), np.where(free > 0, degrees, 0))
    rank = (rng.random(row.size) * free[row]).astype(np.int64)
    first = np.cumsum(degrees) - degrees
    gaps = true_col - (np.arange(true_row.size) - first[true_row])
    stride = int(n_cols.max(initial=0)) + 1
    before = np.searchsorted(gaps + true_row * stride, rank + row * stride, side="right")
    return row, rank + before - first[row]


def _shares(owner: Ids, n_graphs: int, mean: bool, dtype: torch.dtype) -> Tensor:
    """Weights that make Σ share·loss the mean over graphs of the items' mean or sum."""
    counts = np.bincount(owner, minlength=n_graphs)[owner] if mean else np.ones(owner.size)
    return torch.from_numpy(1.0 / (counts * n_graphs)).to(dtype)
