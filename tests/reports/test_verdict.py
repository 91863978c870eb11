from __future__ import annotations

from dataclasses import replace

import pytest

from g2milp.evaluation.result import Evaluation
from g2milp.reports.verdict import as_hard, main_comparisons, realistic, valid_and_new, verdict


@pytest.fixture
def random_set(found: list[Evaluation]) -> Evaluation:
    """The set that the baseline Random made, solved and without copies."""
    return found[0]


@pytest.fixture
def other_real(found: list[Evaluation]) -> Evaluation:
    """Real instances as if they had been generated."""
    return found[1]


def with_auc(e: Evaluation, auc: float, low: float) -> Evaluation:
    assert e.two_sample is not None
    assert e.two_sample.classifier is not None
    test = replace(e.two_sample.classifier, auc=auc, interval=(low, 1.0))
    return replace(e, two_sample=replace(e.two_sample, classifier=test))


def with_score(e: Evaluation, value: float) -> Evaluation:
    return replace(e, score=value, interval=(value - 0.01, value + 0.01))


@pytest.mark.parametrize(
    ("below", "low", "answer"),
    [(0.0, 0.5, "yes"), (0.0, 0.9, "partly"), (0.2, 0.9, "no"), (0.2, 0.5, "partly")],
)
def test_realistic_is_near_and_not_recognised(
    random_set: Evaluation, below: float, low: float, answer: str
):
    assert random_set.ceiling is not None
    e = with_score(with_auc(random_set, 0.95, low), random_set.ceiling.value - below)
    line = realistic(e)
    assert line.answer == answer
    assert f"{e.score:.3f}" in line.words
    assert "0.95" in line.words


def test_similarity_alone_is_not_enough_to_be_realistic(random_set: Evaluation):
    assert random_set.ceiling is not None
    near = with_score(random_set, random_set.ceiling.value)
    line = realistic(replace(near, two_sample=None))
    assert line.answer == "partly"
    assert "No classifier" in line.words


def test_realistic_without_a_ceiling_is_unknown_unless_recognised(random_set: Evaluation):
    bare = replace(random_set, ceiling=None)
    assert realistic(replace(bare, two_sample=None)).answer == "unknown"
    assert realistic(with_auc(bare, 1.0, 0.99)).answer == "no"


@pytest.mark.parametrize(
    ("interval", "answer"),
    [((0.9, 1.1), "yes"), ((0.7, 1.1), "partly"), ((1.3, 2.0), "no"), ((0.1, 0.7), "no")],
)
def test_as_hard_looks_at_the_whole_interval(
    random_set: Evaluation, interval: tuple[float, float], answer: str
):
    hardness = tuple(replace(h, interval=interval) for h in random_set.hardness)
    assert as_hard(replace(random_set, hardness=hardness)).answer == answer


def test_the_worst_solver_decides(random_set: Evaluation):
    first = replace(main_comparisons(random_set)[0], interval=(0.9, 1.1))
    second = replace(first, solver="scip", interval=(2.0, 3.0))
    e = replace(random_set, hardness=(first, second))
    assert as_hard(e).answer == "no"
    assert "scip" in as_hard(e).words


def test_what_was_not_measured_says_how_to_measure(other_real: Evaluation):
    line = as_hard(other_real)
    assert line.answer == "unknown"
    assert "--solver" in line.words


@pytest.mark.parametrize(
    ("validity", "novelty", "answer"),
    [
        ({"feasible": 1.0, "unknown": 0.0, "infeasible": 0.0}, {}, "yes"),
        ({"feasible": 0.5, "unknown": 0.0, "infeasible": 0.5}, {}, "no"),
        ({"feasible": 0.98, "unknown": 0.0, "infeasible": 0.02}, {}, "partly"),
        ({"feasible": 0.0, "unknown": 1.0, "infeasible": 0.0}, {}, "unknown"),
        ({"feasible": 1.0, "unknown": 0.0}, {"isomorphic": 1.0}, "no"),
        ({"feasible": 1.0, "unknown": 0.0}, {"near_copies": 1.0}, "partly"),
    ],
)
def test_valid_and_new(
    random_set: Evaluation, validity: dict[str, float], novelty: dict[str, float], answer: str
):
    clean = {"isomorphic": 0.0, "near_copies": 0.0, "repeated": 0.0}
    e = replace(
        random_set,
        validity=replace(random_set.validity, unbounded=0.0, refused=0.0, wrong=0.0, **validity),
        novelty=replace(random_set.novelty, **{**clean, **novelty}),
    )
    assert valid_and_new(e).answer == answer


def test_there_are_three_lines(random_set: Evaluation):
    assert len(verdict(random_set)) == 3
    assert all(line.words.endswith(".") for line in verdict(random_set))
