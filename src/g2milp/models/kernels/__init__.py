"""Reference and native implementations of the heavy operations.

``use`` and ``active`` choose and name what runs; the operations are the same functions either way.
"""

from __future__ import annotations

from g2milp.models.kernels.dispatch import (
    active,
    graph_norm,
    graph_norm_at,
    half_convolution,
    mlp,
    mlp_segmented,
    use,
    using,
)
from g2milp.models.kernels.edges import Edges
from g2milp.models.kernels.extension import keep_memory
from g2milp.models.kernels.reference import (
    edge_relu_sum,
    gaussian,
    pair_score,
    segment_mean,
)

__all__ = [
    "Edges",
    "active",
    "edge_relu_sum",
    "gaussian",
    "graph_norm",
    "graph_norm_at",
    "half_convolution",
    "keep_memory",
    "mlp",
    "mlp_segmented",
    "pair_score",
    "segment_mean",
    "use",
    "using",
]
