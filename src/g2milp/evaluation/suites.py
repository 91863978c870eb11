"""Suites: which statistics count, and how two samples of them are compared.

A suite never changes; what changes gets a new name. The name is printed with every score, since
scores of different suites cannot be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from g2milp.errors import UsageError
from g2milp.evaluation.structure.registry import STATISTICS

Comparison: TypeAlias = Literal["published", "robust"]

MOMENTS = (
    "coef_dens",
    "cons_degree_mean",
    "cons_degree_std",
    "var_degree_mean",
    "var_degree_std",
    "lhs_mean",
    "lhs_std",
    "rhs_mean",
    "rhs_std",
)
"""The nine statistics of the paper's table that are the same in every suite, on the ≤ form."""

NOT_IN_V1 = frozenset(
    {
        "coef_dens",
        "cons_degree_mean",
        "cons_degree_std",
        "var_degree_mean",
        "var_degree_std",
        "merged_clustering",
        "merged_modularity",
        "upper_modularity",
        "unipartite_clustering",
    }
)
"""Artefacts of the ≤ form or of node merging; v1 has their counterparts on the true graph."""


@dataclass(frozen=True)
class Suite:
    """A versioned set of metrics.

    Attributes
    ----------
    statistics
        Names of the statistics that count.
    comparison
        ``"published"``: five-bin Jensen–Shannon, plain mean. ``"robust"``: Jensen–Shannon on
        data-driven bins, Kolmogorov–Smirnov and Wasserstein; every family has the same weight.
    """

    name: str
    comparison: Comparison
    statistics: tuple[str, ...]
    description: str

    def weights(self) -> dict[str, float]:
        """Weight of each statistic in the score; they sum to 1."""
        if self.comparison == "published":
            return dict.fromkeys(self.statistics, 1 / len(self.statistics))
        families = [STATISTICS[name].family for name in self.statistics]
        share = 1 / len(set(families))
        return {
            name: share / families.count(family)
            for name, family in zip(self.statistics, families, strict=True)
        }


SUITES = {
    suite.name: suite
    for suite in (
        Suite(
            "v1",
            "robust",
            tuple(name for name in STATISTICS if name not in NOT_IN_V1),
            "Statistics of the real rows and of the true graph; per statistic the mean of "
            "Jensen–Shannon (bins from the reference), Kolmogorov–Smirnov and Wasserstein "
            "similarity; equal weight for each family.",
        ),
        Suite(
            "g2milp-2023",
            "published",
            (*MOMENTS, "merged_clustering", "merged_modularity"),
            "The paper's 11 statistics with five-bin Jensen–Shannon. Clustering and modularity "
            "are those of a graph in which row i and column i are one node, as the authors' code "
            "has it: they depend on the order of rows and columns in the files.",
        ),
        Suite(
            "g2milp-2023-14",
            "published",
            (
                *MOMENTS,
                "merged_clustering",
                "merged_modularity",
                "obj_mean",
                "obj_std",
                "ratio_cont_vars",
            ),
            "g2milp-2023 with mean and deviation of the objective coefficients and the share of "
            "continuous columns (appendix E.3).",
        ),
        Suite(
            "acm-2024",
            "published",
            (*MOMENTS, "unipartite_clustering", "upper_modularity"),
            "The 11 statistics on the true bipartite graph: clustering is 0 for every bipartite "
            "graph, so one of the eleven is always 1.",
        ),
    )
}


def suite(name: str) -> Suite:
    """The suite of that name."""
    if name not in SUITES:
        raise UsageError(f"there is no suite {name!r}", hint=f"Suites: {', '.join(SUITES)}.")
    return SUITES[name]
