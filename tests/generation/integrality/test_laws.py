from __future__ import annotations

import json

import numpy as np
import pytest

from g2milp.errors import DamagedArtifact
from g2milp.generation.integrality.laws import Law, Laws
from g2milp.generation.integrality.obeying import obeying
from g2milp.instance.edit import RowPatch


@pytest.fixture
def mixed(make_milp):
    """Row 0 whole and positive on integers; row 1 fractional, equality, on continuous columns."""
    return make_milp(
        [[2, 5, 0, 0], [0, 0, 0.25, -1.5]],
        lower=[-np.inf, 1.5],
        upper=[9, 1.5],
        objective=[1, 2, 0.5, 0.5],
        kinds=[1, 1, 0, 0],
        col_upper=[1, 7, 10, 10],
    )


def patch(rows, lower, upper, entries):
    return RowPatch(
        rows=np.array(rows),
        lower=np.array(lower, float),
        upper=np.array(upper, float),
        indptr=np.concatenate([[0], np.cumsum([len(e) for e in entries])]),
        indices=np.array([j for e in entries for j, _ in e], np.int32),
        values=np.array([v for e in entries for _, v in e], float),
    )


def test_whole_numbers_stay_whole_per_group(mixed):
    laws = Laws.learn([mixed])
    raw = patch([0, 1], [-np.inf, 3.3], [7.6, 3.3], [[(0, 1.7), (1, 99.0)], [(2, 0.2), (3, 4.0)]])
    bent = obeying(mixed, raw, laws)
    assert bent.values.tolist() == [2.0, 5.0, 0.2, 0.25]
    assert bent.upper.tolist() == [9.0, 1.5]
    assert bent.lower.tolist() == [-np.inf, 1.5]


def test_equalities_stay_equalities_and_zeros_are_no_entries(mixed, make_milp):
    wide = make_milp(
        [[0, 0, 3.0, 2.0]], lower=[-4.0], upper=[-4.0], objective=[0] * 4, kinds=[1, 1, 0, 0]
    )
    laws = Laws.learn([mixed, wide])
    bent = obeying(mixed, patch([1], [0.7], [0.7], [[(2, 0.0), (3, 1.0)]]), laws)
    assert bent.lower.tolist() == bent.upper.tolist() == [0.7]
    assert bent.indices.tolist() == [3]


def test_what_is_strange_is_named(mixed, make_milp):
    laws = Laws.learn([mixed])
    assert laws.strange(mixed) == []
    other = make_milp(
        [[2, 50, 0, 0]],
        lower=[-np.inf],
        upper=[9],
        objective=[1, 2, 0, 0],
        kinds=[1, 1, 0, 0],
        col_upper=[1, 7, 10, 10],
    )
    assert any("50" in line for line in laws.strange(other))
    unseen = make_milp([[2.0]], lower=[0], upper=[np.inf], objective=[1], kinds=[1])
    assert any("none in training" in line for line in laws.strange(unseen))


@pytest.mark.parametrize(
    ("learned", "found", "near"),
    [
        ((-1800, -501), (-1900, -500), True),
        ((-1800, -501), (-2300, -501), False),
        ((1, 100), (0, 110), True),
        ((1, 100), (-1, 100), False),
        ((-100, -1), (-100, 1), False),
        ((-5, 5), (-7, 7), True),
        ((1, 1), (1, 1), True),
        ((1, 1), (1, 2), False),
    ],
)
def test_templates_may_reach_a_little_further_but_not_change_sign(learned, found, near):
    assert Law(*learned, whole=True).is_near(Law(*found, whole=True)) == near


def test_laws_survive_json(mixed):
    laws = Laws.learn([mixed])
    assert Laws.from_json(json.loads(json.dumps(laws.as_json())), "here") == laws


@pytest.mark.parametrize("entry", [[1, 2], [1, 2, "yes"], ["a", 2, True], [3, 2, True], None])
def test_damaged_laws_are_refused(mixed, entry):
    content = Laws.learn([mixed]).as_json()
    content["upper"] = {"<=": entry}
    with pytest.raises(DamagedArtifact):
        Laws.from_json(content, "here")
    del content["upper"]
    with pytest.raises(DamagedArtifact):
        Laws.from_json(content, "here")


def test_a_law_bends_to_the_nearest():
    law = Law(1.0, 3.0, whole=True)
    assert law.bent(np.array([-1.0, 1.4, 2.6, 9.0])).tolist() == [1.0, 1.0, 3.0, 3.0]
    assert law.admits(np.array([1.0, 1.5, 4.0])).tolist() == [True, False, False]
