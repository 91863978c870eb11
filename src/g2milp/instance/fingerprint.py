"""Two fingerprints: of the exact content, and of the structure whatever the order.

`content_hash` is SHA-256 over all numbers in order; it ignores names. `structure_hash` is the same
for every order of rows and columns: colours are refined on the bipartite graph of rows and columns
(Weisfeiler and Leman) until the partition is stable, and the hash is taken over the multiset of
colours. Equal instances always have equal hashes; different ones may share a structure hash only
when colour refinement cannot tell them apart.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:

    from g2milp.instance.milp import Milp

_CONTENT_VERSION = b"g2milp content 1\n"


def content_hash(milp: Milp) -> str:
    """SHA-256 (hex) over sense, offset, kinds, bounds, sides and matrix, in order; no names."""
    digest = hashlib.sha256(_CONTENT_VERSION)
    digest.update(milp.sense.encode())
    digest.update(np.array([milp.n_rows, milp.n_cols, milp.n_nonzeros], "<i8").tobytes())
    digest.update(np.array([milp.offset], "<f8").tobytes())
    for floats in (
        milp.objective,
        milp.col_lower,
        milp.col_upper,
        milp.row_lower,
        milp.row_upper,
        milp.values,
    ):
        digest.update(np.ascontiguousarray(floats, "<f8").data)
    digest.update(np.ascontiguousarray(milp.kinds, np.uint8).data)
    digest.update(np.ascontiguousarray(milp.indptr, "<i8").data)
    digest.update(np.ascontiguousarray(milp.indices, "<i4").data)
    return digest.hexdigest()
