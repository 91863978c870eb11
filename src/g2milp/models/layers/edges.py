"""The edges of a `GraphBatch` in the form that the kernels take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.models.kernels import Edges

if TYPE_CHECKING:
    from g2milp.graph.bipartite import GraphBatch


def edges_to_rows(batch: GraphBatch) -> Edges:
    """Messages from columns to rows; ``.flip()`` is the way back."""
    return Edges(
        target_ptr=batch.by_row.indptr.int(),
        source=batch.by_row.indices,
        code=batch.by_row.codes,
        source_ptr=batch.by_col.indptr.int(),
        target_of=batch.by_col.indices,
        code_of=batch.by_col.codes,
        target_graphs=batch.row_ptr.int(),
        source_graphs=batch.col_ptr.int(),
    )
