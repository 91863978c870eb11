"""The conflict graph of the packing rows: what refilling rows one by one destroys first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.evaluation.structure.base import Statistic
from g2milp.evaluation.structure.moments import deviation, share, smallest

if TYPE_CHECKING:
    from g2milp.evaluation.structure.view import View


def _repeated(view: View) -> float:
    found = view.conflicts
    return share(found.pairs - found.edges, found.pairs)


STATISTICS = (
    Statistic(
        "conflict_edges",
        "conflicts",
        "Distinct pairs of binaries that one packing row excludes (estimated above 2 million).",
        lambda v: v.conflicts.edges,
    ),
    Statistic(
        "conflict_repeats",
        "conflicts",
        "Share of the pairs of packing rows that an earlier row excludes already.",
        _repeated,
    ),
    Statistic(
        "conflict_degree_std",
        "conflicts",
        "Standard deviation of the conflict degrees.",
        lambda v: deviation(v.conflicts.degrees),
    ),
    Statistic(
        "conflict_degree_min",
        "conflicts",
        "Smallest conflict degree of a column in a packing row.",
        lambda v: smallest(v.conflicts.degrees),
    ),
)
