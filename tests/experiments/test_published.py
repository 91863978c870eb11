"""The published numbers fit what the paper prints beside them: relative errors and gains."""

from __future__ import annotations

import pytest

from g2milp.experiments import (
    branching_nodes,
    dataset_size,
    orders,
    scopes,
    similarity,
    similarity_14,
    solving_time,
)

TIME_ERRORS = {
    ("mis", "random", 0.1): 578.2,
    ("setcover", "random", 0.05): 14.3,
    ("mis", "code", 0.05): 16.3,
    ("setcover", "code", 0.1): 10.0,
    ("mik", "code", 0.1): 63.9,
}
NODE_ERRORS = {
    ("mis", "random", 0.1): 2911.2,
    ("setcover", "random", 0.1): 12.8,
    ("mis", "code", 0.1): 71.3,
    ("setcover", "code", 0.05): 4.3,
    ("mik", "code", 0.05): 34.2,
}


@pytest.mark.parametrize(
    ("paper", "errors"), [(solving_time.PAPER, TIME_ERRORS), (branching_nodes.PAPER, NODE_ERRORS)]
)
def test_errors_follow_from_means(paper, errors):
    for (of, generator, ratio), percent in errors.items():
        training = paper[of, "training", None]
        error = 100 * abs(paper[of, generator, ratio] - training) / training
        assert error == pytest.approx(percent, abs=0.5)


@pytest.mark.parametrize("paper", [solving_time.PAPER, branching_nodes.PAPER])
def test_effort_tables_are_complete(paper):
    cells = {(g, r) for g in ("random", "code") for r in (0.01, 0.05, 0.1)}
    cells |= {("bowly", None), ("training", None)}
    assert set(paper) == {(of, *cell) for of in ("mis", "setcover", "mik") for cell in cells}


@pytest.mark.parametrize("paper", [similarity.PAPER, similarity_14.PAPER])
def test_similarity_tables_are_complete(paper):
    assert len(paper) == 3 * 3 * 2 + 2  # Bowly has none on MIK
    for of in ("mis", "setcover", "mik"):
        for ratio in (0.01, 0.05, 0.1):
            assert paper[of, "code", ratio] > paper[of, "random", ratio]


def test_one_cell_has_one_number_in_all_tables():
    """η = 0.05 on MIK stands in three tables."""
    uniform = orders.PAPER["uniform", "code"]
    assert uniform[0] == similarity.PAPER["mik", "code", 0.05]
    assert uniform[1] == solving_time.PAPER["mik", "code", 0.05]
    assert uniform[2] == branching_nodes.PAPER["mik", "code", 0.05]
    assert solving_time.PAPER["mik", "training", None] == orders.TRAINING[0] == scopes.TRAINING[1]


def test_gains_of_the_first_block_follow_from_its_errors():
    paper = dataset_size.published(50)
    for share in ("25%", "50%", "100%"):
        gain = 1 - paper[f"g2milp +{share}/mse"] / paper["real only/mse"]
        assert gain == pytest.approx(paper[f"g2milp +{share}/improvement"], abs=0.002)
    assert dataset_size.published(8) == {}
