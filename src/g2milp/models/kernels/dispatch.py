"""Which implementation runs: the native kernels where they apply, plain torch everywhere else.

``use("auto")`` is the default; ``use("reference")`` switches the native kernels off,
``use("native")`` insists that the extension is there (tensors it cannot take still go to torch).
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, get_args

from g2milp.errors import UnavailableError
from g2milp.models.kernels import extension, native, reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor

    from g2milp.models.kernels.edges import Edges

Choice = Literal["auto", "reference", "native"]
_state: dict[str, Choice] = {"choice": "auto"}


def use(choice: Choice) -> None:
    """Choose the implementation for this process."""
    if choice not in get_args(Choice):
        raise ValueError(f"kernels.use: unknown choice {choice!r}; one of {get_args(Choice)}")
    if choice == "native" and not extension.available():
        raise UnavailableError(
            "the native kernels are not in this installation: reinstall g2milp where a C++ "
            "compiler is found, or use the reference kernels"
        )
    _state["choice"] = choice


@contextmanager
def using(choice: Choice) -> Iterator[None]:
    """`use` for the length of a block."""
    before = _state["choice"]
    use(choice)
    try:
        yield
    finally:
        _state["choice"] = before


def active() -> str:
    """What runs on CPU tensors now: ``reference`` or ``native (<instruction set>)``."""
    if _state["choice"] == "reference" or not extension.available():
        return "reference"
    return f"native ({extension.instruction_set()})"


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
    if _native(h_target, h_source, table, *left, *right, *out):
        return native.half_convolution(h_target, h_source, table, edges, left, right, out)
    return reference.half_convolution(h_target, h_source, table, edges, left, right, out)


def mlp(parts: Sequence[Tensor], w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """See `reference.mlp`."""
    if len(parts) <= native.MAX_PARTS and _native(*parts, w1, b1, w2, b2):
        return native.mlp(parts, w1, b1, w2, b2)
    return reference.mlp(parts, w1, b1, w2, b2)


def mlp_segmented(
    x: Tensor, graphs: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
) -> Tensor:
    """See `reference.mlp_segmented`."""
    if _native(x, w1, b1, w2, b2):
        return native.mlp_segmented(x, graphs, w1, b1, w2, b2)
    return reference.mlp_segmented(x, graphs, w1, b1, w2, b2)


def graph_norm(
    x: Tensor, graphs: Tensor, weight: Tensor, bias: Tensor, mean_scale: Tensor, eps: float = 1e-5
) -> Tensor:
    """See `reference.graph_norm`."""
    if x.shape[1] % native.PAD == 0 and _native(x, weight, bias, mean_scale):
        return native.graph_norm(x, graphs, weight, bias, mean_scale, eps)
    return reference.graph_norm(x, graphs, weight, bias, mean_scale, eps)


def graph_norm_at(
    x: Tensor,
    graphs: Tensor,
    weight: Tensor,
    bias: Tensor,
    mean_scale: Tensor,
    eps: float,
    ids: Tensor,
    rows: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """See `reference.graph_norm_at`."""
    given = (x, weight, bias, mean_scale) if rows is None else (x, weight, bias, mean_scale, rows)
    if x.shape[1] % native.PAD == 0 and _native(*given):
        return native.graph_norm_at(x, graphs, weight, bias, mean_scale, eps, ids, rows)
    return reference.graph_norm_at(x, graphs, weight, bias, mean_scale, eps, ids, rows)


def _native(*tensors: Tensor) -> bool:
    return _state["choice"] != "reference" and extension.accepts(tensors)
