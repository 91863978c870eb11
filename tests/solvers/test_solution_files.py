"""Solutions and known optima to files and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests_solvers_instances import milp_of

from g2milp.errors import AlreadyExists, FormatError, UnreadableFile, UsageError
from g2milp.instance.milp import Milp
from g2milp.solvers.base import SolveOutcome, Status
from g2milp.solvers.solution_files import (
    has_plain_names,
    read_solution,
    solution_path,
    write_solution,
)


def outcome(point: list[float], objective: float) -> SolveOutcome:
    return SolveOutcome(
        status=Status.OPTIMAL,
        solver="x",
        solver_version="1",
        seed=0,
        objective=objective,
        solution=np.array(point),
    )


@settings(max_examples=30)
@given(
    point=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    objective=st.floats(allow_nan=False, allow_infinity=False),
)
def test_round_trip_to_the_last_bit(
    point: list[float], objective: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("sol") / "x.sol"
    names = ["x", "a name with spaces", "é[1]"]
    milp = milp_of([], [], [], [1, 1, 1], col_names=names)
    write_solution(milp, outcome(point, objective), path)
    read, claimed = read_solution(milp, path)
    assert (read + 0.0).tolist() == (np.array(point) + 0.0).tolist()
    assert claimed == objective


def test_files_of_others_are_read(tmp_path: Path, knapsack: Milp) -> None:
    texts = {
        "miplib": "=obj= 16\nc2 5\n",
        "scip": "solution status: optimal\nobjective value:      16\nc2     5 \t(obj:3)\n",
        "tabs": "=obj=\t16\nc2\t5\n",
        "gurobi": "# Solution for model\n# Objective value = 16\nc0 0\nc2 5\n",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text)
        point, claimed = read_solution(knapsack, path)
        assert (point.tolist(), claimed) == ([0.0, 0.0, 5.0], 16.0)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [("c0 1\nx 1\n", 2, "no column 'x'"), ("c0 one\n", 1, "no number"), ("c0 nan\n", 1, "finite")],
)
def test_bad_lines_are_named(
    tmp_path: Path, knapsack: Milp, text: str, line: int, words: str
) -> None:
    (tmp_path / "x.sol").write_text(text)
    with pytest.raises(FormatError, match=words) as caught:
        read_solution(knapsack, tmp_path / "x.sol")
    assert caught.value.line == line


def test_missing_or_not_text(tmp_path: Path, knapsack: Milp) -> None:
    with pytest.raises(UnreadableFile):
        read_solution(knapsack, tmp_path / "x.sol")
    (tmp_path / "x.sol").write_bytes(b"\xff\xfe")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        read_solution(knapsack, tmp_path / "x.sol")


def test_nothing_is_overwritten_unasked(tmp_path: Path, knapsack: Milp) -> None:
    for overwrite in (False, True):
        write_solution(knapsack, outcome([0, 0, 5], 16.0), tmp_path / "x.sol", overwrite=overwrite)
    with pytest.raises(AlreadyExists):
        write_solution(knapsack, outcome([0, 0, 5], 16.0), tmp_path / "x.sol")


def test_names_that_break_lines_are_refused(tmp_path: Path) -> None:
    milp = milp_of([], [], [], [1], col_names=["a\nb"])
    assert not has_plain_names(milp)
    with pytest.raises(UsageError, match="cannot be written"):
        write_solution(milp, outcome([1.0], 1.0), tmp_path / "x.sol")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", ".hidden", "$(touch x)", "", "x" * 300]
)
def test_a_name_never_leads_out_of_the_folder(name: str) -> None:
    path = solution_path(Path("led"), name, "0123456789abcdef" * 4)
    assert path == Path("led/solutions/instance-0123456789abcdef.sol")
    assert solution_path(Path("x/led.jsonl"), "a1.mps", "0" * 64) == Path("x/solutions/a1.mps.sol")
