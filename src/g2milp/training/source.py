"""The training graphs: made once from the instances, kept as far as memory allows.

Also the split into training and validation, and the refusals: what cannot be learned from is said
before the first step, with the name of the instance.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import UsageError
from g2milp.graph.features import build_graph
from g2milp.models.contrast.typed import one_bucket

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.datasets.dataset import Dataset
    from g2milp.graph.bipartite import Bipartite
    from g2milp.graph.features import RowForm
    from g2milp.models.contrast.typed import Typing, Typist
    from g2milp.models.masked_vae.config import Masking

MAX_BYTES = 600_000_000
"""Graphs are kept up to this size together; the others are read again when they are drawn."""

MIN_FOR_VALIDATION = 5
"""Smaller sets are used whole for training, and validation looks at the same instances."""

VALIDATION_TAG = 0x56414C
"""Keeps the random split apart from the other streams of the seed."""


class GraphSource:
    """Graphs of a data set by index."""

    def __init__(
        self,
        dataset: Dataset,
        row_form: RowForm,
        *,
        typist: Typist = one_bucket,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.dataset = dataset
        self.typist = typist
        self.row_form = row_form
        self.max_bytes = max_bytes
        self._kept: OrderedDict[int, Bipartite] = OrderedDict()
        self._typings: dict[int, Typing] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, index: int) -> Bipartite:
        if index in self._kept:
            self._kept.move_to_end(index)
            return self._kept[index]
        graph = build_graph(self.dataset[index], self.row_form)
        self._kept[index] = graph
        self._bytes += graph.n_bytes
        while self._bytes > self.max_bytes and len(self._kept) > 1:
            at, dropped = self._kept.popitem(last=False)
            self._bytes -= dropped.n_bytes
            self._typings.pop(at, None)
        return graph

    def typing(self, index: int) -> Typing:
        """Which entries of the graph may change places; kept as long as the graph."""
        if index not in self._typings:
            found = self.typist(self.dataset[index])
            if index not in self._kept:
                return found
            self._typings[index] = found
        return self._typings[index]

    def __iter__(self) -> Iterator[Bipartite]:
        for index in range(len(self)):
            yield self[index]


def usable(source: GraphSource, masking: Masking) -> list[int]:
    """Indices of the graphs in which there is something to mask; an error if there is none."""
    chosen = []
    for index, graph in enumerate(source):
        rows = bool(graph.maskable.any()) and graph.n_edges > 0
        cols = graph.n_cols > 0
        if (masking.scope == "rows" and rows) or (masking.scope != "rows" and cols):
            chosen.append(index)
    if not chosen:
        rows_only = masking.scope == "rows"
        what = "a constraint with entries and a finite side" if rows_only else "a variable"
        raise UsageError(
            f"there is nothing to learn from: none of the {len(source)} instances has {what}",
            hint="`g2milp info` shows what is in the set."
            + (" Variables can be redrawn without constraints: --scope cols." * rows_only),
        )
    return chosen


def split(indices: list[int], share: float, seed: int) -> tuple[list[int], list[int]]:
    """Training and validation indices; the same ones twice where the set is too small to split."""
    held = round(share * len(indices))
    if len(indices) < MIN_FOR_VALIDATION or share == 0 or held >= len(indices):
        return indices, indices
    held = max(held, 1)
    order = np.random.default_rng([seed, VALIDATION_TAG]).permutation(len(indices))
    picked = set(order[:held].tolist())
    train = [index for place, index in enumerate(indices) if place not in picked]
    return train, [indices[place] for place in sorted(picked)]
