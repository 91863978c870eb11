from __future__ import annotations

import numpy as np
import pytest

from g2milp.generation.integrality.kinds import admissible_types
from g2milp.generation.integrality.laws import Laws
from g2milp.instance.edit import ColumnPatch
from g2milp.instance.milp import Kind


@pytest.fixture
def covering(make_milp):
    """A row of ones on binaries, one of weights on two integers and a continuous column."""
    return make_milp(
        [[1, 1, 0, 0, 0], [0, 0, 20, 90, 3.5]],
        lower=[1, -np.inf],
        upper=[np.inf, 500],
        objective=[1, 1, 2, 3, 0.5],
        kinds=[1, 1, 1, 1, 0],
        col_upper=[1, 1, 9, 9, 9],
    )


def proposals(milp, cols):
    """The columns as binary, integer, integer, continuous, with their present bounds else."""
    cols = np.array(cols)
    lower, upper = milp.col_lower[cols], milp.col_upper[cols]
    kinds = [Kind.INTEGER, Kind.INTEGER, Kind.INTEGER, Kind.CONTINUOUS]
    return [
        ColumnPatch(
            cols=cols,
            objective=milp.objective[cols],
            kinds=np.full(cols.size, kind, np.uint8),
            lower=np.zeros(cols.size) if t == 0 else lower,
            upper=np.ones(cols.size) if t == 0 else upper,
        )
        for t, kind in enumerate(kinds)
    ]


def allowed(milp, cols, laws):
    found = admissible_types(milp, proposals(milp, cols), laws)
    return [np.flatnonzero(row).tolist() for row in found]


def test_no_column_gets_a_type_that_its_rows_never_had(covering):
    # an integer with bounds 0 and 1 is binary
    assert allowed(covering, [0, 1], Laws.learn([covering])) == [[0, 1, 2], [0, 1, 2]]


def test_coefficients_must_suit_the_new_type(covering, make_milp):
    other = make_milp(
        [[0, 0, 20, 90, 25]],
        lower=[-np.inf],
        upper=[500],
        objective=[1, 1, 2, 3, 0.5],
        kinds=[1, 1, 1, 1, 0],
        col_upper=[1, 1, 9, 9, 9],
    )
    assert allowed(covering, [2, 3, 4], Laws.learn([covering])) == [[1, 2], [1, 2], [3]]
    both = Laws.learn([covering, other])  # continuous columns have had 3.5 … 25
    assert allowed(covering, [2, 3, 4], both) == [[1, 2, 3], [1, 2], [3]]


def test_a_column_of_an_unknown_place_stays_what_it_is(covering, make_milp):
    strange = make_milp([[1.0]], lower=[0], upper=[1], objective=[1], kinds=[0], col_upper=[2])
    assert allowed(covering, [0, 2, 4], Laws.learn([strange])) == [[0], [1], [3]]
