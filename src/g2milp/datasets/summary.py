"""The table that describes a data set: how many instances, how large, what rows and columns.

The paper's table has the number of instances and the mean numbers of rows and columns; this one
adds non-zeros, kinds and senses. Rows are real rows: a range is one, and free rows count.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.milp import Kind, RowSense

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp


@dataclass(frozen=True, kw_only=True)
class InstanceSize:
    """Counts of one instance."""

    rows: int
    cols: int
    nonzeros: int
    binary: int
    integer: int
    continuous: int
    semi: int
    equalities: int
    ranges: int
    free_rows: int


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Mean, smallest and largest of one count over a data set."""

    mean: float
    min: int
    max: int


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A data set in numbers: `counts` has a `Spread` for each field of `InstanceSize`."""

    instances: int
    counts: dict[str, Spread]
    minimise: int
    maximise: int
    density: float


def instance_size(milp: Milp) -> InstanceSize:
    """The counts of one instance; ``integer`` are the integer columns that are not binary."""
    binary = milp.is_binary
    kinds: NDArray[np.uint8] = milp.kinds
    rows = np.bincount(milp.senses, minlength=len(RowSense))
    return InstanceSize(
        rows=milp.n_rows,
        cols=milp.n_cols,
        nonzeros=milp.n_nonzeros,
        binary=int(binary.sum()),
        integer=int((np.equal(kinds, Kind.INTEGER) & ~binary).sum()),
        continuous=int(np.equal(kinds, Kind.CONTINUOUS).sum()),
        semi=int(np.greater_equal(kinds, Kind.SEMI_CONTINUOUS).sum()),
        equalities=int(rows[RowSense.EQUAL]),
        ranges=int(rows[RowSense.RANGE]),
        free_rows=int(rows[RowSense.FREE]),
    )


def summarise(milps: Iterable[Milp]) -> Summary:
    """The summary of a data set, in one pass and bounded memory."""
    sizes: list[InstanceSize] = []
    maximise = 0
    densities: list[float] = []
    for milp in milps:
        sizes.append(instance_size(milp))
        maximise += milp.sense == "max"
        densities.append(milp.n_nonzeros / max(1, milp.n_rows * milp.n_cols))
    table = [asdict(size) for size in sizes]
    counts = {
        key: Spread(
            mean=float(np.mean([row[key] for row in table])),
            min=min(row[key] for row in table),
            max=max(row[key] for row in table),
        )
        for key in InstanceSize.__dataclass_fields__
        if table
    }
    return Summary(
        instances=len(sizes),
        counts=counts,
        minimise=len(sizes) - maximise,
        maximise=maximise,
        density=float(np.mean(densities)) if densities else 0.0,
    )
