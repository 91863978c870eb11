"""Ranges of the data, exactly."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.errors import DamagedArtifact
from g2milp.graph.features import build_graph
from g2milp.instance.milp import Milp
from g2milp.models.masked_vae.statistics import MAX_LEVELS, gather, parse_statistics


def instance(values, sides, upper=np.inf) -> Milp:
    n = len(values)
    return Milp.build(
        objective=np.arange(n) / 4,
        indptr=[0, n, n],
        indices=np.arange(n),
        values=values,
        row_lower=[-np.inf, -np.inf],
        row_upper=sides,
        col_upper=np.full(n, upper),
    )


def test_ranges_are_not_truncated_to_integers() -> None:
    found = gather([build_graph(instance([0.25, 0.5], [0.75, 0.5]))])
    assert (found.weights.low, found.weights.high) == (0.25, 0.5)
    assert (found.bias.low, found.bias.high) == (0.5, 0.75)
    assert not found.weights.integer
    assert found.weights.levels == (0.25, 0.5)
    assert (found.degree.low, found.degree.high, found.degree.integer) == (0, 2, True)


def test_free_rows_and_missing_bounds_do_not_count() -> None:
    found = gather([build_graph(instance([1.0], [7.0, np.inf]))])
    assert found.bias.levels == (7.0,)
    assert found.upper.levels is None
    assert found.bias.is_constant


def test_many_values_are_no_levels() -> None:
    few = gather([build_graph(instance(np.arange(1.0, MAX_LEVELS + 1), [1, 1]))])
    many = gather([build_graph(instance(np.arange(1.0, MAX_LEVELS + 2), [1, 1]))])
    assert few.weights.levels is not None
    assert many.weights.levels is None
    assert many.weights.integer


def test_sizes_are_means() -> None:
    graphs = [build_graph(instance(np.ones(n), [1, 1])) for n in (2, 4)]
    found = gather(graphs)
    assert (found.n_graphs, found.mean_rows, found.mean_cols, found.mean_edges) == (2, 2, 3, 3)


def test_a_damaged_file_is_named() -> None:
    with pytest.raises(DamagedArtifact, match="here"):
        parse_statistics({"bias": 3}, "here")
