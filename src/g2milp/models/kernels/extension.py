"""The compiled module, where it is there and fits the tensors.

The C++ side receives addresses and sizes, so that it is never compiled against torch; what it
relies on (type, device, layout, index ranges) is checked on this side.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from g2milp.models.kernels.edges import Edges

SUFFIX = {torch.float32: "_f32", torch.float64: "_f64"}


@cache
def module() -> Any | None:
    """The extension, or None where the package was installed without a compiler."""
    try:
        return importlib.import_module("g2milp.models.kernels._kernels")
    except ImportError:
        return None


def available() -> bool:
    """Whether the compiled extension is there."""
    return module() is not None


def instruction_set() -> str:
    """The instruction set chosen for this processor: base, avx2 or avx512."""
    found = module()
    return "none" if found is None else str(found.instruction_set())


def keep_memory() -> bool:
    """Keep freed memory in this process, where the C library can: for loops of equal steps.

    A training step allocates and frees the same hundred megabytes; returned to the system each
    time, they cost a tenth of a step in page faults. Peak memory does not change.
    """
    found = module()
    return found is not None and bool(found.keep_memory())


def accepts(tensors: Sequence[Tensor]) -> bool:
    """Whether the extension can take these tensors: all on the CPU and of one float type."""
    first = tensors[0].dtype
    if first not in SUFFIX or not available():
        return False
    return all(t.dtype is first and t.device.type == "cpu" for t in tensors)


def function(name: str, like: Tensor) -> Callable[..., Any]:
    """The compiled function `name` for the type of `like`."""
    found: Callable[..., Any] = getattr(module(), name + SUFFIX[like.dtype])
    return found


def addresses(tensors: Sequence[Tensor]) -> list[int]:
    """Where the numbers of contiguous tensors begin."""
    return [t.data_ptr() for t in tensors]


def contiguous(tensors: Sequence[Tensor]) -> list[Tensor]:
    """The tensors, row by row in memory."""
    return [t if t.is_contiguous() else t.contiguous() for t in tensors]


def check_layer(
    name: str, widths: Sequence[int], weights: Sequence[Tensor], biases: int | None = None
) -> tuple[int, int]:
    """Hidden and output width of a layer, whose shapes must fit its inputs of `widths`."""
    total, mid = sum(widths), weights[0].shape[0]
    out = mid if len(weights) == 2 else weights[2].shape[0]
    first_bias = (mid,) if biases is None else (biases, mid)
    expected = [(mid, total), first_bias, (out, mid), (out,)][: len(weights)]
    found = [tuple(w.shape) for w in weights]
    if found != expected or mid == 0 or out == 0:
        raise ValueError(f"{name}: weights of shapes {found}, expected {expected}")
    return mid, out


def check_edges(edges: Edges, n_codes: int) -> list[int]:
    """Addresses of the index vectors; their ranges are checked once an `Edges`."""
    index = (edges.target_graphs, edges.source_graphs, edges.target_ptr, edges.source, edges.code)
    if edges.checked_codes is None or edges.checked_codes > n_codes:
        for tensor in index:
            if tensor.dtype != torch.int32 or not tensor.is_contiguous() or tensor.is_cuda:
                raise ValueError("Edges: every field must be a contiguous int32 vector on the CPU")
        graphs = edges.target_graphs.shape[0] - 1
        ends = int(edges.target_graphs[-1]), int(edges.source_graphs[-1])
        found: Any = module()
        if (
            ends != (edges.n_targets, edges.n_sources)
            or edges.source.shape != edges.code.shape
            or edges.source_graphs.shape != edges.target_graphs.shape
            or not found.edges_are_valid(graphs, addresses(index), edges.n_edges, n_codes)
        ):
            raise ValueError("Edges: offsets, ends or codes are out of range, or cross two graphs")
        object.__setattr__(edges, "checked_codes", n_codes)
    return addresses(index)
