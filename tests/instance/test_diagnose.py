from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.instance.diagnose import diagnose
from g2milp.instance.milp import Milp

INF = np.inf


def sound(**changes) -> Milp:
    given = {
        "objective": [1.0, 1.0],
        "indptr": [0, 2, 3],
        "indices": [0, 1, 1],
        "values": [1.0, 2.0, 3.0],
        "row_lower": [-INF, 1.0],
        "row_upper": [4.0, INF],
        "col_upper": [1.0, 9.0],
        "kinds": [1, 1],
    }
    return Milp.build(**{**given, **changes})


def codes(milp: Milp) -> set[str]:
    return {finding.code for finding in diagnose(milp)}


def test_a_sound_instance_has_no_findings():
    assert diagnose(sound()) == []


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("crossed-bounds", {"col_lower": [0.0, 10.0]}),
        ("crossed-sides", {"row_lower": [5.0, 1.0]}),
        ("no-integer-value", {"col_lower": [0.2, 0.0], "col_upper": [0.8, 9.0]}),
        ("fractional-bounds", {"col_upper": [1.0, 9.5]}),
        ("free-rows", {"row_upper": [INF, INF]}),
        ("no-integers", {"kinds": [0, 0]}),
        ("no-objective", {"objective": [0.0, 0.0]}),
        ("wide-range", {"values": [1e-8, 2.0, 1e8]}),
        ("huge-coefficients", {"values": [1.0, 2.0, 1e10]}),
        ("tiny-coefficients", {"values": [1.0, 2.0, 1e-10]}),
        ("empty-rows", {"indptr": [0, 2, 2], "indices": [0, 1], "values": [1.0, 2.0]}),
        ("impossible-empty-row", {"indptr": [0, 2, 2], "indices": [0, 1], "values": [1.0, 2.0]}),
        ("empty-columns", {"indices": [1, 1], "indptr": [0, 1, 2], "values": [1.0, 2.0]}),
        ("duplicate-rows", {"indptr": [0, 1, 2], "indices": [1, 1], "values": [2.0, 2.0]}),
    ],
)
def test_each_oddity_is_found(code: str, changes: dict):
    assert code in codes(sound(**changes))


def test_a_semi_integer_column_may_be_zero():
    assert "no-integer-value" not in codes(
        sound(kinds=[1, 3], col_lower=[0, 0.2], col_upper=[1, 0.8])
    )


def test_contradictions_come_first_and_name_their_place():
    first = diagnose(sound(col_lower=[0.0, 10.0], row_upper=[INF, INF]))[0]
    assert (first.code, first.severity, first.count, first.examples) == (
        "crossed-bounds",
        "infeasible",
        1,
        ("c1",),
    )


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=3, max_size=3), min_size=1))
def test_duplicates_are_those_that_a_dictionary_finds(dense: list[list[float]]):
    matrix = np.array(dense)
    rows, cols = np.nonzero(matrix)
    milp = Milp.build(
        objective=np.ones(3),
        indptr=np.concatenate([[0], np.cumsum((matrix != 0).sum(axis=1))]),
        indices=cols,
        values=matrix[rows, cols],
        row_lower=np.full(len(dense), -INF),
        row_upper=np.ones(len(dense)),
    )
    nonempty = [tuple(row) for row in dense if any(row)]
    repeated = len(nonempty) - len(set(nonempty))
    found = [finding.count for finding in diagnose(milp) if finding.code == "duplicate-rows"]
    assert found == ([repeated] if repeated else [])
