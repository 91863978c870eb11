"""The heavy operations as autograd functions over the C++ extension.

Same signatures and results as `reference`. Nothing but the inputs is kept for the backward (and,
where edges outnumber nodes, the message sums): the kernels compute the rest again block by block,
within the cache. Sums run in an order that depends on the data only, so results do not depend on
the number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from g2milp.models.kernels.extension import (
    addresses,
    check_edges,
    check_layer,
    contiguous,
    function,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from g2milp.models.kernels.edges import Edges

MAX_PARTS = 12
PAD = 16
KEEP_SUMS = 6  # edges per target from which the message sums are kept for the backward


def mlp(parts: Sequence[Tensor], w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """See `reference.mlp`."""
    result: Tensor = _Mlp.apply(None, w1, b1, w2, b2, *parts)  # type: ignore[no-untyped-call]
    return result


def mlp_segmented(
    x: Tensor, graphs: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
) -> Tensor:
    """See `reference.mlp_segmented`."""
    result: Tensor = _Mlp.apply(_offsets(graphs, x), w1, b1, w2, b2, x)  # type: ignore[no-untyped-call]
    return result


def graph_norm(
    x: Tensor, graphs: Tensor, weight: Tensor, bias: Tensor, mean_scale: Tensor, eps: float
) -> Tensor:
    """See `reference.graph_norm`; the width must be a multiple of `PAD`."""
    none = torch.empty(0, dtype=torch.int64)
    result: Tensor = _GraphNorm.apply(  # type: ignore[no-untyped-call]
        x, _offsets(graphs, x), weight, bias, mean_scale, eps, none, None
    )[0]
    return result


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
    """See `reference.graph_norm_at`; the width must be a multiple of `PAD`."""
    result: tuple[Tensor, Tensor] = _GraphNorm.apply(  # type: ignore[no-untyped-call]
        x, _offsets(graphs, x), weight, bias, mean_scale, eps, _ascending(ids, x), rows
    )
    return result


def half_convolution(
    h_target: Tensor,
    h_source: Tensor,
    table: Tensor,
    edges: Edges,
    left: Sequence[Tensor],
    right: Sequence[Tensor],
    out: Sequence[Tensor],
) -> Tensor:
    """See `reference.half_convolution`."""
    counts = (len(left), len(right))
    result: Tensor = _HalfConvolution.apply(  # type: ignore[no-untyped-call]
        edges, counts, h_target, h_source, table, *left, *right, *out
    )
    return result


class _Mlp(Function):
    @staticmethod
    def forward(ctx: Any, graphs: Tensor | None, *tensors: Tensor) -> Tensor:
        tensors = tuple(contiguous(tensors))
        weights, parts = tensors[:4], tensors[4:]
        rows, widths = parts[0].shape[0], [part.shape[1] for part in parts]
        if any(part.shape[0] != rows for part in parts):
            raise ValueError(f"mlp: inputs of {[part.shape[0] for part in parts]} rows")
        segments = None if graphs is None else graphs.shape[0] - 1
        mid, out = check_layer("mlp", widths, weights, segments)
        y = parts[0].new_empty((rows, out))
        ctx.sizes = (rows, widths, mid, out, segments)
        ctx.save_for_backward(graphs, *tensors)
        function("mlp_forward", y)(
            torch.get_num_threads(), rows, widths, mid, out, addresses(weights), addresses(parts),
            _address(graphs), segments or 0, y.data_ptr(),
        )  # fmt: skip
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gy: Tensor) -> tuple[Tensor | None, ...]:
        graphs, *tensors = ctx.saved_tensors
        rows, widths, mid, out, segments = ctx.sizes
        weights, parts = tensors[:4], tensors[4:]
        gy = gy.contiguous()
        g_weights = [torch.empty_like(w) for w in weights]
        needed = ctx.needs_input_grad[5:]
        g_parts = [torch.empty_like(x) if n else None for x, n in zip(parts, needed, strict=True)]
        function("mlp_backward", gy)(
            torch.get_num_threads(), rows, widths, mid, out, addresses(weights), addresses(parts),
            _address(graphs), segments or 0, gy.data_ptr(),
            [_address(g) for g in g_parts], addresses(g_weights),
        )  # fmt: skip
        return None, *g_weights, *g_parts


class _GraphNorm(Function):
    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        graphs: Tensor,
        weight: Tensor,
        bias: Tensor,
        scale: Tensor,
        eps: float,
        ids: Tensor,
        rows: Tensor | None,
    ) -> tuple[Tensor, Tensor]:
        x, weight, bias, scale = contiguous((x, weight, bias, scale))
        rows = None if rows is None else rows.contiguous()
        count, width = graphs.shape[0] - 1, x.shape[1]
        if any(t.shape != (width,) for t in (weight, bias, scale)):
            raise ValueError(f"graph_norm: weights must have the shape ({width},)")
        if rows is not None and rows.shape != (ids.shape[0], width):
            raise ValueError(f"graph_norm: rows of shape {tuple(rows.shape)} for {len(ids)} ids")
        y, statistics = torch.empty_like(x), x.new_empty((count, 2 * width))
        function("norm_forward", x)(
            torch.get_num_threads(), graphs.data_ptr(), count, width,
            addresses((x, weight, bias, scale)), eps, [ids.data_ptr(), _address(rows)],
            0 if rows is None else ids.shape[0], y.data_ptr(), statistics.data_ptr(),
        )  # fmt: skip
        ctx.eps = eps
        ctx.save_for_backward(x, graphs, weight, bias, scale, ids, rows, statistics)
        ctx.set_materialize_grads(False)
        return y, y.index_select(0, ids)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gy: Tensor | None, picked: Tensor | None) -> tuple[Tensor | None, ...]:
        x, graphs, weight, bias, scale, ids, rows, statistics = ctx.saved_tensors
        gy = torch.zeros_like(x) if gy is None else gy.contiguous()
        apart = gy.index_select(0, ids)
        if picked is not None:
            apart += picked
        gx, g_weight, g_bias, g_scale = (torch.empty_like(t) for t in (x, weight, weight, weight))
        g_rows = None if rows is None else torch.empty_like(rows)
        function("norm_backward", x)(
            torch.get_num_threads(), graphs.data_ptr(), graphs.shape[0] - 1, x.shape[1],
            addresses((x, weight, bias, scale)), ctx.eps, [ids.data_ptr(), _address(rows)],
            ids.shape[0], statistics.data_ptr(), addresses((gy, apart)),
            [*addresses((gx, g_weight, g_bias, g_scale)), _address(g_rows)],
        )  # fmt: skip
        return gx, None, g_weight, g_bias, g_scale, None, None, g_rows


class _HalfConvolution(Function):
    @staticmethod
    def forward(ctx: Any, edges: Edges, counts: tuple[int, int], *tensors: Tensor) -> Tensor:
        tensors = tuple(contiguous(tensors))
        h_target, h_source, table = tensors[:3]
        left, right, out = _layers(tensors[3:], counts)
        width, (wide_t, wide_s) = table.shape[1], (h_target.shape[1], h_source.shape[1])
        sizes = [edges.target_graphs.shape[0] - 1, table.shape[0], width, wide_t, wide_s]
        sizes.append(_message_layer("left", wide_t, left, width))
        sizes.append(_message_layer("right", wide_s, right, width))
        sizes += check_layer("out", (width, wide_t, 1), out)
        if (h_target.shape[0], h_source.shape[0]) != (edges.n_targets, edges.n_sources):
            raise ValueError(
                f"half_convolution: {h_target.shape[0]} targets and {h_source.shape[0]} sources, "
                f"edges of {edges.n_targets} and {edges.n_sources}"
            )
        index = check_edges(edges, table.shape[0])
        y = h_target.new_empty((edges.n_targets, sizes[-1]))
        padded = (width + PAD - 1) // PAD * PAD
        keep = edges.n_edges > KEEP_SUMS * edges.n_targets and any(ctx.needs_input_grad)
        sums = h_target.new_empty((edges.n_targets, padded)) if keep else None
        function("half_forward", y)(
            torch.get_num_threads(), sizes, index, addresses(tensors[:3]), addresses(left),
            addresses(right), addresses(out), _address(sums), y.data_ptr(),
        )  # fmt: skip
        ctx.edges, ctx.counts, ctx.sizes = edges, counts, sizes
        ctx.save_for_backward(sums, *tensors)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gy: Tensor) -> tuple[Tensor | None, ...]:
        sums, *tensors = ctx.saved_tensors
        gy = gy.contiguous()
        gradients = [torch.empty_like(t) for t in tensors]
        left, right, out = _layers(tensors[3:], ctx.counts)
        g_left, g_right, g_out = _layers(gradients[3:], ctx.counts)
        function("half_backward", gy)(
            torch.get_num_threads(), ctx.sizes, check_edges(ctx.edges, ctx.sizes[1]),
            addresses(tensors[:3]), addresses(left), addresses(right), addresses(out),
            _address(sums), gy.data_ptr(), addresses(gradients[:3]),
            addresses(g_left), addresses(g_right), addresses(g_out),
        )  # fmt: skip
        return None, None, *gradients


def _layers(
    weights: Sequence[Tensor], counts: tuple[int, int]
) -> tuple[Sequence[Tensor], Sequence[Tensor], Sequence[Tensor]]:
    first, second = counts[0], counts[0] + counts[1]
    return weights[:first], weights[first:second], weights[second:]


def _message_layer(name: str, wide: int, weights: Sequence[Tensor], width: int) -> int:
    mid, out = check_layer(name, (wide,), weights)
    if out != width:
        raise ValueError(f"half_convolution: {name} gives {out} numbers, the table has {width}")
    return mid


def _offsets(graphs: Tensor, x: Tensor) -> Tensor:
    """Offsets of graphs as the kernels read them, checked against the rows of `x`."""
    offsets = graphs.to(torch.int32).contiguous()
    if int(offsets[0]) != 0 or int(offsets[-1]) != x.shape[0] or bool((offsets.diff() < 0).any()):
        raise ValueError(f"graphs: offsets must rise from 0 to the {x.shape[0]} rows")
    return offsets


def _ascending(ids: Tensor, x: Tensor) -> Tensor:
    """Row numbers as the kernels read them: int64, ascending, within `x`."""
    ids = ids.to(torch.int64).contiguous()
    if ids.numel() and (
        int(ids[0]) < 0 or int(ids[-1]) >= x.shape[0] or bool((ids.diff() <= 0).any())
    ):
        raise ValueError(f"ids: row numbers must ascend within the {x.shape[0]} rows")
    return ids


def _address(tensor: Tensor | None) -> int:
    return 0 if tensor is None else tensor.data_ptr()
