"""What changed between two instances."""

from __future__ import annotations

import dataclasses

import numpy as np
from tests.evaluation.instances import milp_of, permuted, random_milp

from g2milp.evaluation.compare import compare


def small():
    return milp_of(
        np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 4.0]]),
        np.array([-np.inf, 1.0]),
        np.array([5.0, np.inf]),
        objective=[1.0, 2.0, 3.0],
    )


def test_equal_instances_have_no_changes():
    for seed in range(30):
        milp = random_milp(seed)
        found = compare(milp, milp)
        assert found.equal
        assert found.isomorphic
        assert not found.rows
        assert not found.columns
        assert not found.statistics
        assert found.entries_kept == milp.n_nonzeros


def test_another_order_is_no_change():
    milp = random_milp(12)
    found = compare(milp, permuted(milp, np.random.default_rng(0)))
    assert not found.equal
    assert found.isomorphic
    assert not [row for row in found.rows if row.entries or row.changes]


def test_a_changed_row_is_listed_entry_by_entry():
    milp = small()
    changed = milp_of(
        np.array([[1.0, 2.0, 0.0], [7.0, 3.0, 0.0]]),
        np.array([-np.inf, 0.0]),
        np.array([5.0, np.inf]),
        objective=[1.0, 2.0, 3.0],
    )
    (row,) = compare(milp, changed).rows
    assert (row.name, row.how) == ("r1", "changed")
    assert [(c.what, c.before, c.after) for c in row.changes] == [("row_lower", 1.0, 0.0)]
    assert [(c.what, c.before, c.after) for c in row.entries] == [
        ("c0", None, 7.0),
        ("c2", 4.0, None),
    ]


def test_columns_names_and_header():
    milp = small()
    other = dataclasses.replace(
        milp, name="new", objective=np.array([1.0, 9.0, 3.0]), col_names=("c0", "c1", "z")
    )
    found = compare(milp, other)
    assert [(c.what, c.before, c.after) for c in found.header] == [("name", "", "new")]
    assert [(c.name, c.how) for c in found.columns] == [
        ("c1", "changed"),
        ("c2", "removed"),
        ("z", "added"),
    ]
    assert found.matched_by == {"rows": "name", "columns": "name"}
    assert found.to_dict()["rows"][0]["entries"]
