"""Random batches of bipartite graphs of every shape, and layers to run over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from g2milp.models.kernels import Edges

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor


def _int32(values: object) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(values, dtype=np.int32))


def _edges(sizes: Sequence[tuple[int, int, float]], n_codes: int, seed: int) -> Edges:
    """One graph for each (targets, sources, density), with every edge's code drawn at random."""
    rng = np.random.default_rng(seed)
    targets, sources = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    target_graphs, source_graphs = [0], [0]
    for n_targets, n_sources, density in sizes:
        at, to = np.nonzero(rng.random((n_targets, n_sources)) < density)
        targets.append(at + target_graphs[-1])
        sources.append(to + source_graphs[-1])
        target_graphs.append(target_graphs[-1] + n_targets)
        source_graphs.append(source_graphs[-1] + n_sources)
    target, source = np.concatenate(targets), np.concatenate(sources)
    code = rng.integers(0, n_codes, len(target))
    by_source = np.argsort(source, kind="stable")
    counts = np.bincount(target, minlength=target_graphs[-1])
    source_counts = np.bincount(source, minlength=source_graphs[-1])
    return Edges(
        target_ptr=_int32(np.concatenate([[0], np.cumsum(counts)])),
        source=_int32(source),
        code=_int32(code),
        source_ptr=_int32(np.concatenate([[0], np.cumsum(source_counts)])),
        target_of=_int32(target[by_source]),
        code_of=_int32(code[by_source]),
        target_graphs=_int32(target_graphs),
        source_graphs=_int32(source_graphs),
    )


@pytest.fixture(scope="session")
def make_edges() -> Callable[[Sequence[tuple[int, int, float]], int, int], Edges]:
    return _edges
