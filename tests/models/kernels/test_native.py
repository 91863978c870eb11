"""The native kernels against the reference, in value and gradient, on every instruction set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.models.kernels import extension, native, reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torch import Tensor

pytestmark = pytest.mark.skipif(not extension.available(), reason="no compiled kernels")
TOLERANCE = {torch.float64: 1e-11, torch.float32: 2e-4}
SHAPES = {
    "one graph": [(7, 5, 0.4)],
    "several": [(40, 9, 0.3), (3, 30, 0.5), (130, 20, 0.1)],
    "no edges": [(6, 4, 0.0)],
    "empty rows": [(200, 6, 0.05), (90, 3, 0.02)],
    "a graph without targets": [(5, 4, 0.5), (0, 3, 0.0), (4, 4, 0.5)],
    "a graph without sources": [(5, 4, 0.5), (3, 0, 0.0)],
    "full": [(64, 64, 1.0)],
    "one large": [(3000, 40, 0.05)],
    "many": [(20, 10, 0.3)] * 21,
}


@pytest.fixture(params=["base", "avx2", "avx512"])
def isa(request: pytest.FixtureRequest) -> Iterator[str]:
    module = extension.module()
    best = module.instruction_set()
    if not module.select_instruction_set(request.param):
        pytest.skip(f"this processor has no {request.param}")
    yield request.param
    module.select_instruction_set(best)


def _random(*shape: int, dtype: torch.dtype, seed: list[int]) -> Tensor:
    seed[0] += 1
    generator = torch.Generator().manual_seed(seed[0])
    return torch.randn(*shape, dtype=torch.float64, generator=generator).to(dtype)


def _gradients(run: Callable[[], Tensor], leaves: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
    y = run()
    weights = torch.linspace(-1, 1, y.numel(), dtype=y.dtype).reshape(y.shape).cos()
    found = torch.autograd.grad((y * weights).sum(), leaves, allow_unused=True)
    gradients = [
        torch.zeros_like(x) if g is None else g for x, g in zip(leaves, found, strict=True)
    ]
    return y.detach(), gradients


def _assert_same(
    ours: Callable[[], Tensor], theirs: Callable[[], Tensor], leaves: list[Tensor]
) -> None:
    tolerance = TOLERANCE[leaves[0].dtype]
    y, gradients = _gradients(ours, leaves)
    expected, expected_gradients = _gradients(theirs, leaves)
    for a, b in zip([y, *gradients], [expected, *expected_gradients], strict=True):
        assert a.shape == b.shape
        scale = float(b.abs().max()) if b.numel() else 0.0
        assert torch.allclose(a, b, rtol=0, atol=tolerance * max(1.0, scale))


def _layer(
    widths: int, mid: int, out: int | None, dtype: torch.dtype, seed: list[int]
) -> list[Tensor]:
    shapes: list[tuple[int, ...]] = [(mid, widths), (mid,)]
    if out is not None:
        shapes += [(out, mid), (out,)]
    return [_random(*s, dtype=dtype, seed=seed).div(2).requires_grad_() for s in shapes]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("form", ["paper", "code"])
@pytest.mark.parametrize(
    ("hidden", "codes"), [(16, 1), (16, 5), (32, 1), (32, 700), (5, 3), (5, 1)]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_half_convolution(shape, hidden, codes, form, dtype, make_edges, isa) -> None:
    _compare_half(make_edges(SHAPES[shape], codes, 3), hidden, codes, form, dtype)


def _compare_half(edges, hidden: int, codes: int, form: str, dtype: torch.dtype) -> None:
    seed = [hidden * 1000 + codes]
    h_target = _random(edges.n_targets, hidden, dtype=dtype, seed=seed).requires_grad_()
    h_source = _random(edges.n_sources, hidden, dtype=dtype, seed=seed).requires_grad_()
    table = _random(codes, hidden, dtype=dtype, seed=seed).requires_grad_()
    second = hidden if form == "code" else None
    left = _layer(hidden, hidden, second, dtype, seed)
    right = _layer(hidden, hidden, second, dtype, seed)
    out = _layer(2 * hidden + 1, hidden, hidden, dtype, seed)
    _assert_same(
        lambda: native.half_convolution(h_target, h_source, table, edges, left, right, out),
        lambda: reference.half_convolution(h_target, h_source, table, edges, left, right, out),
        [h_target, h_source, table, *left, *right, *out],
    )


@settings(deadline=None, max_examples=40)
@given(
    sizes=st.lists(
        st.tuples(st.integers(0, 90), st.integers(0, 30), st.sampled_from([0.0, 0.05, 0.5, 1.0])),
        min_size=1,
        max_size=5,
    ),
    hidden=st.integers(1, 40),
    codes=st.sampled_from([1, 2, 50]),
    form=st.sampled_from(["paper", "code"]),
    flip=st.booleans(),
)
def test_half_convolution_of_any_shape(make_edges, sizes, hidden, codes, form, flip) -> None:
    edges = make_edges(sizes, codes, 7)
    _compare_half(edges.flip() if flip else edges, hidden, codes, form, torch.float64)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 1500, 5000])
@pytest.mark.parametrize(
    ("widths", "mid", "out"),
    [([1], 16, 16), ([9], 16, 16), ([16, 16], 16, 1), ([16] * 7, 16, 16), ([32], 32, 32),
     ([5, 1, 33], 7, 3), ([100], 80, 90)],
)  # fmt: skip
def test_mlp(widths, mid, out, rows, dtype, isa) -> None:
    seed = [1]
    parts = [_random(rows, w, dtype=dtype, seed=seed).requires_grad_() for w in widths]
    weights = _layer(sum(widths), mid, out, dtype, seed)
    _assert_same(
        lambda: native.mlp(parts, *weights),
        lambda: reference.mlp(parts, *weights),
        [*parts, *weights],
    )


@pytest.mark.parametrize("offsets", [[0, 4], [0, 3, 3, 70], [0, 0, 200, 201]])
@pytest.mark.parametrize("hidden", [16, 32, 6])
def test_mlp_segmented(offsets, hidden, isa) -> None:
    seed = [2]
    graphs = torch.tensor(offsets)
    x = _random(offsets[-1], hidden, dtype=torch.float64, seed=seed).requires_grad_()
    w1, _, w2, b2 = _layer(hidden, hidden, 4, torch.float64, seed)
    b1 = _random(len(offsets) - 1, hidden, dtype=torch.float64, seed=seed).requires_grad_()
    _assert_same(
        lambda: native.mlp_segmented(x, graphs, w1, b1, w2, b2),
        lambda: reference.mlp_segmented(x, graphs, w1, b1, w2, b2),
        [x, w1, b1, w2, b2],
    )


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("offsets", [[0, 1], [0, 4], [0, 3, 3, 700], [0, 0, 200, 201]])
@pytest.mark.parametrize("width", [16, 32])
def test_graph_norm(offsets, width, dtype, isa) -> None:
    seed = [3]
    graphs = torch.tensor(offsets)
    x = _random(offsets[-1], width, dtype=dtype, seed=seed).requires_grad_()
    weights = [_random(width, dtype=dtype, seed=seed).requires_grad_() for _ in range(3)]
    # A graph of one row has no deviation: a larger eps keeps its gradient on scale.
    _assert_same(
        lambda: native.graph_norm(x, graphs, *weights, 1e-2),
        lambda: reference.graph_norm(x, graphs, *weights, 1e-2),
        [x, *weights],
    )


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("used", ["both", "all rows", "picked rows"])
@pytest.mark.parametrize(
    ("offsets", "ids"),
    [([0, 5], [0]), ([0, 5], [4]), ([0, 70, 70, 90], [0, 1, 69, 70, 89]), ([0, 3, 9], [])],
)
def test_graph_norm_at(offsets, ids, used, replace, isa) -> None:
    seed, dtype = [5], torch.float64
    graphs, at = torch.tensor(offsets), torch.tensor(ids, dtype=torch.int64)
    x = _random(offsets[-1], 16, dtype=dtype, seed=seed).requires_grad_()
    rows = _random(len(ids), 16, dtype=dtype, seed=seed).requires_grad_() if replace else None
    weights = [_random(16, dtype=dtype, seed=seed).requires_grad_() for _ in range(3)]

    def run(module) -> Tensor:
        y, picked = module.graph_norm_at(x, graphs, *weights, 1e-5, at, rows)
        return {"both": torch.cat([y, picked]), "all rows": y, "picked rows": picked}[used]

    leaves = [x, *weights] if rows is None else [x, rows, *weights]
    _assert_same(lambda: run(native), lambda: run(reference), leaves)


def test_numerical_gradients(make_edges) -> None:
    edges = make_edges([(5, 4, 0.5), (3, 6, 0.4)], 3, 1)
    seed, dtype = [11], torch.float64
    h_target = _random(8, 4, dtype=dtype, seed=seed).requires_grad_()
    h_source = _random(10, 4, dtype=dtype, seed=seed).requires_grad_()
    table = _random(3, 4, dtype=dtype, seed=seed).requires_grad_()
    left, right = _layer(4, 3, 4, dtype, seed), _layer(4, 4, None, dtype, seed)
    out = _layer(9, 5, 2, dtype, seed)

    def run(h_t: Tensor, h_s: Tensor, e: Tensor, *w: Tensor) -> Tensor:
        return native.half_convolution(h_t, h_s, e, edges, w[:4], w[4:6], w[6:])

    assert torch.autograd.gradcheck(run, (h_target, h_source, table, *left, *right, *out))


@pytest.mark.parametrize("sizes", [[(6000, 300, 0.01)], [(300, 80, 0.1)] * 20])
@pytest.mark.parametrize("codes", [1, 400])
def test_results_do_not_depend_on_threads(sizes, codes, make_edges) -> None:
    edges = make_edges(sizes, codes, 5)
    dtype = torch.float32

    def everything() -> list[Tensor]:
        seed = [4]
        h_target = _random(edges.n_targets, 16, dtype=dtype, seed=seed).requires_grad_()
        h_source = _random(edges.n_sources, 16, dtype=dtype, seed=seed).requires_grad_()
        table = _random(codes, 16, dtype=dtype, seed=seed).requires_grad_()
        layers = [_layer(16, 16, 16, dtype, seed), _layer(16, 16, 16, dtype, seed)]
        out, norm = _layer(33, 16, 16, dtype, seed), _layer(16, 16, None, dtype, seed)
        leaves = [h_target, h_source, table, *layers[0], *layers[1], *out]

        def run() -> Tensor:
            y = native.half_convolution(h_target, h_source, table, edges, *layers, out)
            y = native.mlp((y,), *layers[0])
            return native.graph_norm(y, edges.target_graphs, norm[1], norm[1], norm[1], 1e-5)

        y, gradients = _gradients(run, leaves)
        return [y, *gradients]

    before = torch.get_num_threads()
    try:
        results = []
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            results.append(everything())
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        assert all(torch.equal(a, b) for a, b in zip(results[0], other, strict=True))


def test_wrong_shapes_and_indices_are_refused(make_edges) -> None:
    edges = make_edges([(5, 4, 1.0)], 2, 1)
    x, weights = torch.randn(5, 16), [torch.randn(16, 16), torch.randn(16)] * 2
    with pytest.raises(ValueError, match="expected"):
        native.mlp((x,), weights[0][:, :9].contiguous(), *weights[1:])
    with pytest.raises(ValueError, match="rows"):
        native.mlp((x, x[:3]), torch.randn(16, 32), *weights[1:])
    with pytest.raises(ValueError, match="offsets"):
        native.mlp_segmented(x, torch.tensor([0, 9]), weights[0], torch.randn(1, 16), *weights[2:])
    out = [torch.randn(16, 33), *weights[1:]]
    sources = torch.randn(4, 16)
    with pytest.raises(ValueError, match="out of range"):
        native.half_convolution(x, sources, torch.randn(1, 16), edges, weights, weights, out)
    edges.source[0] = 99
    with pytest.raises(ValueError, match="out of range"):
        native.half_convolution(x, sources, torch.randn(2, 16), edges, weights, weights, out)
    with pytest.raises(ValueError, match="sources"):
        native.half_convolution(x, x, torch.randn(2, 16), edges, weights, weights, out)
