from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from g2milp.evaluation.result import Evaluation
from g2milp.reports.pairs import gaps_of, pairs, partners_of


def test_the_best_pair_is_nearer_than_the_worst(found: list[Evaluation]):
    best, worst = pairs(found[0])
    assert (best.rank, worst.rank) == ("Best pair", "Worst pair")
    partners = partners_of(found[0])
    gaps, weights = gaps_of(found[0], partners)
    apart = gaps @ weights
    assert best.distance == apart.min()
    assert worst.distance == apart.max()
    assert weights.sum() == pytest.approx(1.0)


def test_pairs_are_those_of_the_manifest(found: list[Evaluation]):
    for pair in pairs(found[0]):
        assert pair.known
        assert pair.child.startswith(pair.template)
        assert 0 < pair.changed <= pair.rows
        assert f"{pair.changed} constraints differ" in pair.child_picture.description


def test_moved_statistics_are_the_largest_gaps(found: list[Evaluation]):
    for pair in pairs(found[0]):
        gaps = [moved.gap for moved in pair.moved]
        assert gaps == sorted(gaps, reverse=True)
        assert all(moved.template != moved.child for moved in pair.moved)


def test_without_a_manifest_the_nearest_one_is_named(found: list[Evaluation]):
    assert not any(pair.known for pair in pairs(found[1]))


def test_a_copy_is_no_best_pair(found: list[Evaluation]):
    e = found[0]
    evidence = e.evidence
    best = pairs(e)[0]
    child = evidence.generated_data.names.index(best.child)
    parent = int(partners_of(e)[child])
    profiles = list(evidence.generated.profiles)
    profiles[child] = evidence.reference.profiles[parent]
    generated = replace(evidence.generated, profiles=tuple(profiles))
    marked = replace(e, evidence=replace(evidence, generated=generated))
    assert pairs(marked)[0].child != best.child


def test_one_instance_is_one_pair(found: list[Evaluation]):
    e = found[0]
    one = e.evidence.generated.subset(np.array([0]))
    evidence = replace(
        e.evidence,
        generated=one,
        parents=e.evidence.parents[:1],
        nearest=e.evidence.nearest[:1],
    )
    assert [pair.rank for pair in pairs(replace(e, evidence=evidence))] == ["The pair"]
