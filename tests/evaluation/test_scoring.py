"""Scores: transcription, determinism, copies, outliers, intervals."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluation.divergence.test_published import transcribed
from tests.evaluation.instances import random_milp
from tests.evaluation.structure import oracle

from g2milp.errors import UsageError
from g2milp.evaluation.divergence.published import draw
from g2milp.evaluation.features import Features
from g2milp.evaluation.scoring import REPLICATES, group_counts, interval, score
from g2milp.evaluation.structure.registry import STATISTICS, statistics_of
from g2milp.evaluation.suites import SUITES, suite
from g2milp.evaluation.yardsticks import ceiling, copy_score

NAMES = tuple(STATISTICS)


def table(rows: int, seed: int, shift: float = 0.0) -> Features:
    rng = np.random.default_rng(seed)
    values = rng.normal(shift, 1, (rows, len(NAMES)))
    values[:, ::3] = np.round(values[:, ::3])
    values[:, ::5] = 4.0
    return Features(NAMES, values, ())


@pytest.mark.parametrize("name", ["g2milp-2023", "g2milp-2023-14", "acm-2024"])
def test_published_suites_equal_their_definition(name: str):
    chosen = SUITES[name]
    x, y = table(60, 1), table(90, 2, 0.5)
    found = score(chosen, x, y, seed=3, replicates=0)
    rng = np.random.default_rng([3, 6])
    group_counts(np.arange(60), 0, rng)
    group_counts(np.arange(90), 0, rng)
    here, there = draw(60, rng), draw(90, rng)
    wanted = [transcribed(x.column(s)[here], y.column(s)[there]) for s in chosen.statistics]
    assert [s.similarity for s in found.statistics] == pytest.approx(wanted, abs=1e-9)
    assert found.value == pytest.approx(np.mean(wanted), abs=1e-9)


@pytest.mark.parametrize("name", ["g2milp-2023", "g2milp-2023-14", "acm-2024"])
def test_published_suites_equal_their_definition_from_the_instances_on(name: str):
    import g2milp as gm

    real, made = ([random_milp(s) for s in seeds] for seeds in (range(30), range(40, 65)))
    found = gm.evaluate(real, made, suite=name, two_sample=False, seed=5)
    sides = [[{**statistics_of(m, oracle.LOUVAIN), **oracle.expected(m)} for m in s]
             for s in (real, made)]  # fmt: skip
    rng = np.random.default_rng([5, 6])
    for side in sides:
        group_counts(np.arange(len(side)), REPLICATES, rng)
    here, there = draw(30, rng), draw(25, rng)
    for s in found.statistics:
        # Sums in another order differ in the last digits, which may decide between two bins.
        x, y = (np.array([float(f"{v[s.name]:.12g}") for v in side]) for side in sides)
        assert s.similarity == pytest.approx(transcribed(x[here], y[there]), abs=1e-9), s.name
    assert found.score == pytest.approx(np.mean([s.similarity for s in found.statistics]))


def test_the_papers_suites_have_11_and_14_statistics():
    assert len(SUITES["g2milp-2023"].statistics) == len(SUITES["acm-2024"].statistics) == 11
    assert len(SUITES["g2milp-2023-14"].statistics) == 14
    paper = {STATISTICS[s].paper for s in SUITES["g2milp-2023"].statistics}
    assert paper == {
        "coef_dens", "cons_degree_mean", "cons_degree_std", "var_degree_mean", "var_degree_std",
        "lhs_mean", "lhs_std", "rhs_mean", "rhs_std", "clustering_coef", "modularity",
    }  # fmt: skip


@pytest.mark.parametrize("name", list(SUITES))
def test_weights_sum_to_one(name: str):
    assert sum(SUITES[name].weights().values()) == pytest.approx(1.0)


@pytest.mark.parametrize("name", list(SUITES))
def test_identical_seeds_give_identical_scores(name: str):
    x, y = table(40, 1), table(50, 2, 0.2)
    a, b = (score(SUITES[name], x, y, seed=4, replicates=20) for _ in range(2))
    assert a == b
    assert 0 <= a.interval[0] <= a.value <= a.interval[1] <= 1


@pytest.mark.parametrize("where", ["reference", "generated"])
def test_one_wild_instance_among_a_thousand_moves_v1_by_less_than_two_hundredths(where: str):
    x, y = table(1000, 1), table(1000, 2, 0.4)
    before = score(SUITES["v1"], x, y, replicates=0)
    wild = (x if where == "reference" else y).values.copy()
    wild[3] = 1e15
    changed = Features(NAMES, wild, ())
    pair = (changed, y) if where == "reference" else (x, changed)
    after = score(SUITES["v1"], *pair, replicates=0)
    assert abs(after.value - before.value) <= 0.02
    for old, new in zip(before.statistics, after.statistics, strict=True):
        assert abs(old.similarity - new.similarity) <= 0.02, old.name


@pytest.mark.parametrize("where", ["reference", "generated"])
def test_one_wild_instance_moves_no_statistic_of_real_instances(where: str):
    known = [statistics_of(random_milp(seed)) for seed in range(240)]
    values = np.array([[found[name] for name in NAMES] for found in known])
    rng = np.random.default_rng(2)
    sides = [values[rng.integers(0, 120, 1000) + shift] for shift in (0, 120)]
    v1 = SUITES["v1"]
    before = score(v1, *(Features(NAMES, v, ()) for v in sides), replicates=0)
    for wild in (1e15, -1e15, 0.0):
        for row in rng.integers(0, 1000, 3):
            pair = [v.copy() for v in sides]
            pair[where == "generated"][row] = wild
            after = score(v1, *(Features(NAMES, v, ()) for v in pair), replicates=0)
            assert abs(after.value - before.value) <= 0.02
            for old, new in zip(before.statistics, after.statistics, strict=True):
                assert abs(old.similarity - new.similarity) <= 0.02, (old.name, wild)


def test_the_published_metric_is_moved_by_three_wild_instances():
    x, y = table(1000, 1), table(1000, 2, 2.0)
    wild = x.values.copy()
    wild[3:6] = 1e3
    before = score(SUITES["g2milp-2023"], x, y, replicates=0).value
    after = score(SUITES["g2milp-2023"], Features(NAMES, wild, ()), y, replicates=0).value
    assert after - before > 0.1


def test_a_copy_scores_best_and_a_fresh_sample_at_the_ceiling():
    x, fresh, bad = table(200, 1), table(100, 2), table(100, 3, 1.0)
    v1 = SUITES["v1"]
    copied = copy_score(v1, x, 100)
    most = ceiling(v1, x, 100)
    assert most is not None
    honest, worse = (score(v1, x, y, replicates=0).value for y in (fresh, bad))
    assert worse < honest < copied.value
    assert honest == pytest.approx(most.value, abs=0.03)
    given = ceiling(v1, x, 100, fresh=table(300, 5))
    assert given is not None
    assert given.value == pytest.approx(honest, abs=0.03)


def test_a_given_fresh_set_has_an_interval_though_all_of_it_is_drawn():
    most = ceiling(SUITES["v1"], table(60, 1), 100, fresh=table(20, 5))
    assert most is not None
    assert most.sample_size == 20
    assert most.interval[1] - most.interval[0] > 0.01
    assert most.interval[0] <= most.value <= most.interval[1]


def test_there_is_no_ceiling_for_three_instances():
    assert ceiling(SUITES["v1"], table(3, 1), 10) is None


def test_groups_are_drawn_together():
    counts = group_counts(np.array([0, 0, 1, 2, 2]), 50, np.random.default_rng(0))
    assert np.array_equal(counts[:, 0], counts[:, 1])
    assert np.array_equal(counts[:, 3], counts[:, 4])
    assert (counts[:, [0, 2, 3]].sum(axis=1) == 3).all()


def test_intervals_cover_the_truth_of_a_known_distribution():
    hits = 0
    v1 = SUITES["v1"]
    truth = np.mean([score(v1, table(80, s), table(80, s + 500, 0.5), replicates=0).value
                     for s in range(30)])  # fmt: skip
    for seed in range(30):
        found = score(v1, table(80, seed), table(80, seed + 900, 0.5), replicates=60)
        hits += found.interval[0] <= truth <= found.interval[1]
    assert hits >= 25


def test_interval_without_replicates_is_the_value():
    assert interval(0.4, np.zeros(0)) == (0.4, 0.4)


def test_unknown_suites_are_refused():
    with pytest.raises(UsageError, match="no suite"):
        suite("v0")
