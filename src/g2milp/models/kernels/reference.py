"""The heavy operations in plain torch: the definition of what the native kernels compute.

Always there, on every device and type; the tests hold the native kernels to these in value and
gradient. Weights have the layout of ``torch.nn.Linear`` (``[out, in]``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from g2milp.models.kernels.edges import Edges


def edge_relu_sum(left: Tensor, right: Tensor, table: Tensor, edges: Edges) -> Tensor:
    """``S_i = Σ_{j ∈ N(i)} relu(left_i + table_{code(i,j)} + right_j)``.

    Shapes: left ``[T, H]``, right ``[S, H]``, table ``[D, H]`` → ``[T, H]``.
    """
    target = edges.target_of_edge
    messages = left.index_select(0, target) + table.index_select(0, edges.code)
    messages = torch.relu(messages + right.index_select(0, edges.source))
    return torch.zeros_like(left).index_add(0, target, messages)


def mlp(parts: Sequence[Tensor], w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """``relu([part_0 | part_1 | …] w1ᵀ + b1) w2ᵀ + b2``.

    Shapes: parts ``[n, K_p]``, w1 ``[M, ΣK_p]``, w2 ``[N, M]`` → ``[n, N]``.
    """
    return functional.linear(torch.relu(functional.linear(_side_by_side(parts), w1, b1)), w2, b2)


def mlp_segmented(
    x: Tensor, graphs: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
) -> Tensor:
    """`mlp` whose first bias is that of the row's graph: b1 ``[B, M]``."""
    hidden = functional.linear(x, w1) + b1.index_select(0, graph_of_row(graphs, x.shape[0]))
    return functional.linear(torch.relu(hidden), w2, b2)


def half_convolution(
    h_target: Tensor,
    h_source: Tensor,
    table: Tensor,
    edges: Edges,
    left: Sequence[Tensor],
    right: Sequence[Tensor],
    out: Sequence[Tensor],
) -> Tensor:
    """One half-convolution of the paper's A.3.1 with the message's linear layers moved to nodes.

    ``out([S, h, degree])`` with ``S = edge_relu_sum(left(h_target), right(h_source), table)``:
    `left` and `right` are ``(w, b)`` of a linear map or ``(w1, b1, w2, b2)`` of a two-layer one.
    """
    sums = edge_relu_sum(_apply(h_target, left), _apply(h_source, right), table, edges)
    w1, b1, w2, b2 = out
    return mlp((sums, h_target, edges.degrees.to(sums.dtype)), w1, b1, w2, b2)


def graph_norm(
    x: Tensor, graphs: Tensor, weight: Tensor, bias: Tensor, mean_scale: Tensor, eps: float = 1e-5
) -> Tensor:
    """GraphNorm (Cai et al. 2021) of each graph's rows.

    ``c = x − mean_scale · mean_g(x)``, ``y = weight · c / sqrt(mean_g(c²) + eps) + bias``.
    """
    graph = graph_of_row(graphs, x.shape[0])
    centred = x - segment_mean(x, graphs).index_select(0, graph) * mean_scale
    deviation = (segment_mean(centred * centred, graphs) + eps).sqrt()
    return weight * centred / deviation.index_select(0, graph) + bias


def graph_norm_at(
    x: Tensor,
    graphs: Tensor,
    weight: Tensor,
    bias: Tensor,
    mean_scale: Tensor,
    eps: float,
    ids: Tensor,
    rows: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """``(y, y[ids])`` with y the `graph_norm` of x, whose rows `ids` are `rows` unless None.

    Replacing and picking a few rows in one operation with the norm saves copies of all of x and
    gradients full of zeros. `ids` ascend.
    """
    replaced = x if rows is None else x.index_copy(0, ids, rows)
    y = graph_norm(replaced, graphs, weight, bias, mean_scale, eps)
    return y, y.index_select(0, ids)


def segment_mean(x: Tensor, graphs: Tensor) -> Tensor:
    """Mean row of each graph ``[B, H]``; zero for a graph without rows."""
    sums = x.new_zeros((graphs.shape[0] - 1, x.shape[1])).index_add(
        0, graph_of_row(graphs, x.shape[0]), x
    )
    return sums / graphs.diff().clamp(min=1).to(x.dtype).unsqueeze(1)


def pair_score(
    left: Tensor, right: Tensor, rows: Tensor, cols: Tensor, w2: Tensor, b2: Tensor
) -> Tensor:
    """``relu(left[rows] + right[cols]) w2ᵀ + b2`` for each pair: ``[P, O]``."""
    hidden = torch.relu(left.index_select(0, rows) + right.index_select(0, cols))
    return functional.linear(hidden, w2, b2)


def gaussian(mu: Tensor, log_var: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """A latent draw and its price: ``z = μ + e^{log σ²/2} · noise``; the summed KL to N(0, I)."""
    z = mu + torch.exp(0.5 * log_var) * noise
    return z, 0.5 * torch.sum(mu * mu + torch.exp(log_var) - log_var - 1.0)


def graph_of_row(graphs: Tensor, rows: int) -> Tensor:
    """Graph number of each of the `rows` rows, from the offsets of the graphs.

    The number of rows is given, so that no device has to be asked for it.
    """
    numbers = torch.arange(graphs.shape[0] - 1, device=graphs.device)
    return torch.repeat_interleave(numbers, graphs.diff().long(), output_size=rows)


def _side_by_side(parts: Sequence[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(tuple(parts), dim=1)


def _apply(x: Tensor, weights: Sequence[Tensor]) -> Tensor:
    if len(weights) == 2:
        return functional.linear(x, weights[0], weights[1])
    w1, b1, w2, b2 = weights
    return mlp((x,), w1, b1, w2, b2)
