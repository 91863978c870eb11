"""The edges of a batch in the two orders that message passing reads.

Forward sums run over the edges of each target; the gradient of the sources runs over the edges of
each source, so both orders are kept, and turning a message round (`flip`) costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, eq=False)
class Edges:
    """One direction of message passing over a block-diagonal batch of graphs (int32 tensors).

    Shapes: ``target_ptr [T+1]``, ``source [E]``, ``code [E]`` hold the edges grouped by target,
    ``source_ptr [S+1]``, ``target_of [E]``, ``code_of [E]`` the same edges grouped by source;
    ``target_graphs [B+1]`` and ``source_graphs [B+1]`` are the node offsets of the graphs.
    ``code`` is the edge's row in the table of distinct edge features. ``checked_codes`` is set by
    the native kernels once they have checked that every index is in range for that many codes.
    """

    target_ptr: Tensor
    source: Tensor
    code: Tensor
    source_ptr: Tensor
    target_of: Tensor
    code_of: Tensor
    target_graphs: Tensor
    source_graphs: Tensor
    checked_codes: int | None = field(default=None, repr=False)

    @property
    def n_targets(self) -> int:
        """Number of target nodes."""
        return self.target_ptr.shape[0] - 1

    @property
    def n_sources(self) -> int:
        """Number of source nodes."""
        return self.source_ptr.shape[0] - 1

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return self.source.shape[0]

    def flip(self) -> Edges:
        """The other direction over the same edges."""
        return Edges(
            target_ptr=self.source_ptr,
            source=self.target_of,
            code=self.code_of,
            source_ptr=self.target_ptr,
            target_of=self.source,
            code_of=self.code,
            target_graphs=self.source_graphs,
            source_graphs=self.target_graphs,
        )

    @cached_property
    def degrees(self) -> Tensor:
        """Number of edges of each target, float32 ``[T, 1]``."""
        return self.target_ptr.diff().to(torch.float32).unsqueeze(1)

    @cached_property
    def target_of_edge(self) -> Tensor:
        """Target of each edge in target order, int64 ``[E]``."""
        nodes = torch.arange(self.n_targets, device=self.target_ptr.device)
        degrees = self.target_ptr.diff().long()
        return torch.repeat_interleave(nodes, degrees, output_size=self.n_edges)
