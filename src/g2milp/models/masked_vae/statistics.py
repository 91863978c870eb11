"""What the model knows of the numbers of a data set (algorithm 1, line 1).

    b̲, b̄, d̲, d̄, e̲, ē  and the same for objective and bounds

with, beyond the paper, whether all values were integers and, where there are few distinct values,
these values themselves. The ranges are exact: nothing is truncated to integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from g2milp.errors import DamagedArtifact
from g2milp.models.contrast.shared import paths_per_row

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray

    from g2milp.graph.bipartite import Bipartite

MAX_LEVELS = 64
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Values(BaseModel):
    """The values that one kind of number takes in the data."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    low: Finite = 0.0
    high: Finite = 0.0
    integer: bool = True
    levels: Annotated[tuple[Finite, ...], Field(max_length=MAX_LEVELS)] | None = None
    """All distinct values, ascending, if there are at most `MAX_LEVELS`."""

    @property
    def is_constant(self) -> bool:
        """Whether there is nothing to predict."""
        return self.low >= self.high


class Statistics(BaseModel):
    """Ranges over the data set, and its mean sizes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bias: Values = Values()
    degree: Values = Values()
    weights: Values = Values()
    objective: Values = Values()
    lower: Values = Values()
    upper: Values = Values()
    n_graphs: Annotated[int, Field(ge=0)] = 0
    mean_rows: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    mean_cols: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    mean_edges: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    mean_paths: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Ways from a row over a column of it and another row to a column."""


@dataclass
class _Seen:
    """Values so far: extremes always, the distinct ones as long as they are few."""

    low: float = np.inf
    high: float = -np.inf
    integer: bool = True
    levels: NDArray[np.float64] | None = None

    def add(self, values: NDArray[Any]) -> None:
        if not values.size:
            return
        distinct = np.unique(values.astype(np.float64))
        first = self.low > self.high
        self.low, self.high = min(self.low, distinct[0]), max(self.high, distinct[-1])
        self.integer = self.integer and bool(np.all(distinct == np.rint(distinct)))
        if first:
            self.levels = distinct
        elif self.levels is not None:
            self.levels = np.union1d(self.levels, distinct)
        if self.levels is not None and self.levels.size > MAX_LEVELS:
            self.levels = None

    def values(self) -> Values:
        if self.low > self.high:
            return Values()
        levels = None if self.levels is None else tuple(self.levels.tolist())
        return Values(
            low=float(self.low), high=float(self.high), integer=self.integer, levels=levels
        )


def gather(graphs: Iterable[Bipartite]) -> Statistics:
    """One pass over the graphs of a data set."""
    seen = {name: _Seen() for name in ("bias", "degree", "weights", "objective", "lower", "upper")}
    sizes = []
    for graph in graphs:
        seen["bias"].add(graph.row_features[graph.maskable, 0])
        seen["degree"].add(np.diff(graph.indptr)[graph.maskable])
        seen["weights"].add(graph.table)
        columns = graph.col_features
        seen["objective"].add(columns[:, 0])
        seen["lower"].add(columns[columns[:, 5] > 0, 7])
        seen["upper"].add(columns[columns[:, 6] > 0, 8])
        paths = paths_per_row(graph.indptr, graph.indices, graph.n_cols)
        sizes.append((graph.n_rows, graph.n_cols, graph.n_edges, paths))
    rows, cols, edges, paths = np.mean(sizes, axis=0) if sizes else (0.0,) * 4
    return Statistics(
        **{name: value.values() for name, value in seen.items()},
        n_graphs=len(sizes),
        mean_rows=float(rows),
        mean_cols=float(cols),
        mean_edges=float(edges),
        mean_paths=float(paths),
    )


def parse_statistics(content: object, source: str) -> Statistics:
    """Checked statistics from plain values of a file."""
    try:
        return Statistics.model_validate(content)
    except ValidationError as error:
        raise DamagedArtifact(source, f"the statistics are not valid: {error}") from error
