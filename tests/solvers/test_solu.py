from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from g2milp.errors import FormatError, UnreadableFile, UsageError
from g2milp.solvers.solu import (
    Known,
    Truth,
    contradictions,
    read_solu,
    truths_of,
    write_solu,
)


def line(name: str, status: str, objective: float | None = None, **more: Any) -> dict[str, Any]:
    return {
        "instance": name,
        "seed": 0,
        "status": status,
        "objective": objective,
        "checked": "exact",
        "gap": 0.0,
        **more,
    }


def test_round_trip(tmp_path: Path) -> None:
    truths = {
        "a": Truth(Known.OPTIMUM, 0.1),
        "b": Truth(Known.BEST, -1e30),
        "c": Truth(Known.INFEASIBLE),
        "d": Truth(Known.UNKNOWN),
        "e": Truth(Known.UNBOUNDED),
        "f": Truth(Known.FEASIBLE),
    }
    write_solu(truths, tmp_path / "x.solu")
    assert (tmp_path / "x.solu").read_text().startswith("=opt= a 0.1\n=best= b -1e+30\n=inf= c\n")
    assert read_solu(tmp_path / "x.solu") == truths


def test_the_bytes_do_not_depend_on_who_finished_first(tmp_path: Path) -> None:
    truths = {name: Truth(Known.OPTIMUM, 1.0) for name in ("b", "c", "a")}
    write_solu(truths, tmp_path / "x.solu")
    assert (tmp_path / "x.solu").read_text() == "=opt= a 1.0\n=opt= b 1.0\n=opt= c 1.0\n"


def test_comments_and_spaces(tmp_path: Path) -> None:
    (tmp_path / "x.solu").write_text("# MIPLIB\n\n=opt=   air04      56137   % note\n")
    assert read_solu(tmp_path / "x.solu") == {"air04": Truth(Known.OPTIMUM, 56137.0)}


@pytest.mark.parametrize(
    "text",
    [
        "=opt= a\n",
        "=opt= a x\n",
        "=opt= a nan\n",
        "=best= a 1e999\n",
        "=what= a 1\n",
        "=inf=\n",
        "=opt= z 3\n",
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.solu").write_text("=inf= z\n" + text)
    with pytest.raises(FormatError) as caught:
        read_solu(tmp_path / "x.solu")
    assert caught.value.line == 2


@pytest.mark.parametrize("name", ["a b", "", "a\nb", " a"])
def test_a_name_that_could_not_be_read_again_is_not_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        write_solu({name: Truth(Known.OPTIMUM, 1.0)}, tmp_path / "x.solu")
    assert not (tmp_path / "x.solu").exists()


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        read_solu(tmp_path / "x.solu")


def test_a_ledger_tells_truths() -> None:
    lines = [
        line("a", "time_limit", 5.0, gap=0.5),
        line("a", "optimal", 4.0),
        line("b", "time_limit", 5.0, gap=0.5),
        line("b", "time_limit", 4.5, gap=0.1),
        line("c", "infeasible", gap=None),
        line("d", "optimal", 3.0, checked="wrong"),
        line("e", "crashed", gap=None),
    ]
    assert truths_of(lines) == {
        "a": Truth(Known.OPTIMUM, 4.0),
        "b": Truth(Known.BEST, 4.5),
        "c": Truth(Known.INFEASIBLE),
        "d": Truth(Known.UNKNOWN),
        "e": Truth(Known.UNKNOWN),
    }


@pytest.mark.parametrize(
    ("record", "truth", "words"),
    [
        (line("a", "optimal", 4.0), Truth(Known.OPTIMUM, 4.0), ""),
        (line("a", "optimal", 4.0003), Truth(Known.OPTIMUM, 4.0), ""),
        (line("a", "optimal", 4.1), Truth(Known.OPTIMUM, 4.0), "said to have 4.1"),
        (line("a", "optimal", 4.1), Truth(Known.INFEASIBLE), "known to be infeasible"),
        (line("a", "infeasible"), Truth(Known.FEASIBLE), "said to be infeasible"),
        (line("a", "time_limit", 9.0), Truth(Known.OPTIMUM, 4.0), ""),
        (line("b", "optimal", 9.0), Truth(Known.OPTIMUM, 4.0), ""),
        (line("a", "time_limit", 9.0, bound=3.0), Truth(Known.OPTIMUM, 4.0), ""),
        (line("a", "time_limit", 9.0, bound=4.5), Truth(Known.OPTIMUM, 4.0), "beyond its bound"),
        (line("a", "time_limit", 3.9, bound=3.0), Truth(Known.OPTIMUM, 4.0), "a point has 3.9"),
        (line("a", "time_limit", 3.9, bound=3.0), Truth(Known.BEST, 4.0), ""),
        (line("a", "node_limit", 3.9, bound=3.0), Truth(Known.BEST, 2.5), "beyond its bound"),
        (line("a", "node_limit", 3.0, bound=9.0), Truth(Known.OPTIMUM, 4.0), ""),
        (line("a", "node_limit", 4.1, bound=9.0), Truth(Known.OPTIMUM, 4.0), "a point has 4.1"),
        (line("a", "node_limit", 3.0, bound=9.0), Truth(Known.BEST, 9.5), "beyond its bound"),
        (line("a", "optimal", 4.0, bound=4.0), Truth(Known.BEST, 9.5), ""),
    ],
)
def test_contradictions(record: dict[str, Any], truth: Truth, words: str) -> None:
    found = contradictions([record], {"a": truth}, 1e-4)
    assert len(found) == bool(words)
    assert not words or words in found[0][1]
