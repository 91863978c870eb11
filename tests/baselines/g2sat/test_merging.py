"""Merging ends at the template's number of rows and never puts a variable into a row twice."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from g2milp.baselines.g2sat.merging import merge  # noqa: E402
from g2milp.baselines.g2sat.network import MergeScorer  # noqa: E402
from g2milp.testing import tiny_milps, training_milps  # noqa: E402


@pytest.fixture
def scorer() -> MergeScorer:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return MergeScorer().eval()


@pytest.mark.parametrize("n_candidates", [3, 20_000])
def test_rows_are_as_many_as_the_template_has(scorer: MergeScorer, n_candidates: int) -> None:
    milp = training_milps()[0]
    variable = milp.indices.astype(np.int64)
    clause, count = merge(milp, variable, scorer, np.random.default_rng(0), n_candidates)
    assert count == milp.n_rows
    assert set(clause.tolist()) == set(range(count))
    pairs = clause * milp.n_cols + variable
    assert np.unique(pairs).size == pairs.size


def test_entries_that_fit_nowhere_are_left(scorer: MergeScorer) -> None:
    """One variable in every entry: no two can be merged, and merging ends all the same."""
    milp = tiny_milps()["range"]
    variable = np.zeros(milp.n_nonzeros, np.int64)
    _, count = merge(milp, variable, scorer, np.random.default_rng(0), 10)
    assert count == milp.n_nonzeros


def test_the_best_partner_of_the_smallest_row_is_taken() -> None:
    """Scores that favour equal costs put variables of equal cost together."""

    class ByCost(MergeScorer):
        def forward(self, graph):
            n = int(graph.clause.min())
            h = torch.zeros(graph.features.shape[0], 2)
            cost = graph.features[:n, 2] > 0.5
            h[graph.clause, cost[graph.variable].long()] = 1.0
            return h

    from g2milp.instance.milp import Milp

    milp = Milp.build(
        objective=[1.0, 1.0, 0.1, 0.1],
        indptr=[0, 2, 4],
        indices=[0, 2, 1, 3],
        values=np.ones(4),
        row_lower=[-np.inf] * 2,
        row_upper=[1.0, 1.0],
    )
    variable = milp.indices.astype(np.int64)
    clause, count = merge(milp, variable, ByCost(), np.random.default_rng(0), 10)
    assert count == 2
    rows = {tuple(sorted(variable[clause == k].tolist())) for k in range(count)}
    assert rows == {(0, 1), (2, 3)}
