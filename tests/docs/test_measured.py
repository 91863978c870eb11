"""Numbers in the README and in docs/ are those of the committed results."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results" / "benchmarks"

QUOTED = [
    ("files.md", "reading", "in {0[nursesched-medium04][read_over_highspy]:.2f} of highspy's time"),
    ("files.md", "reading", "in {0[nursesched-medium04][write_over_read]:.2f} times the time"),
    (
        "files.md",
        "reading",
        "reading takes {0[nursesched-medium04][read_without_native_over_highspy]:.1f} times",
    ),
    ("files.md", "round_trip", "Of {0[files]} real files"),
    ("files.md", "round_trip", "{0[read]} are read as they are"),
    ("files.md", "round_trip", "{0[read with the rule accepted]} more with a rule accepted"),
    ("solving.md", "labels", "HiGHS claimed {0[highs][claims that are wrong]} wrong values"),
    ("solving.md", "labels", "SCIP {0[scip][claims that are wrong]}"),
    ("solving.md", "labels", "Gurobi {0[gurobi][claims that are wrong]}"),
    ("solving.md", "truth", "Of {0[of]} odd instances"),
    ("solving.md", "truth", "give {0[same]} the same status"),
    ("solving.md", "faults", "{0[lines]:,} lines, {0[lost]} lost, {0[double]} twice"),
    (
        "solving.md",
        "solving_overhead",
        "{0[overhead_ms_per_task][one_worker][median]:.1f} ms more a solve",
    ),
    (
        "solving.md",
        "solving_overhead",
        "{0[overhead_ms_per_task][with_ledger][median]:.1f} ms with the ledger",
    ),
    ("solving.md", "ledger_scale", "{0[seconds]:.0f} s, {0[parent_mb_added]:.0f} MB more memory"),
    (
        "solving.md",
        "limits",
        "{0[overruns][highs][longest_with_start_of_the_worker]:.1f} s (HiGHS)",
    ),
    ("solving.md", "limits", "{0[overruns][scip][longest_with_start_of_the_worker]:.1f} s (SCIP)"),
    (
        "solving.md",
        "limits",
        "{0[overruns][gurobi][longest_with_start_of_the_worker]:.1f} s (Gurobi)",
    ),
    ("solving.md", "limits", "{0[orphans][orphans]} workers left"),
]
"""(page, result, words with the number in them)."""


def results(topic: str) -> dict[str, Any]:
    return json.loads((RESULTS / f"{topic}.json").read_text(encoding="utf-8"))["results"]


def words_of(page: str) -> str:
    return " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def measured() -> ModuleType:
    path = ROOT / "docs" / "measured.py"
    spec = importlib.util.spec_from_file_location("measured", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_says_what_the_results_say(measured: ModuleType):
    found = measured.SECTION.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == measured.section(), "run python docs/measured.py"


def test_other_results_make_another_section(measured: ModuleType, monkeypatch):
    """The section is made of the files: none of its numbers is typed."""
    real = measured.load

    def other(topic: str) -> tuple[str, dict[str, Any]]:
        command, of = real(topic)
        return command, doubled(of)

    before = [value for _, value, _ in measured.rows()]
    monkeypatch.setattr(measured, "load", other)
    monkeypatch.setattr(measured, "generation", lambda: ("", "", ""))  # counts are checked there
    after = [value for _, value, _ in measured.rows()]
    same = [a for a, b in zip(before, after, strict=True) if a == b]
    assert same == ["0 changed in a bit"]


def doubled(of: Any) -> Any:
    """Every number twice as large."""
    if isinstance(of, dict):
        return {key: doubled(value) for key, value in of.items()}
    return 2 * of if isinstance(of, int | float) else of


@pytest.mark.parametrize(("page", "topic", "words"), QUOTED)
def test_pages_quote_their_results(page: str, topic: str, words: str):
    assert words.format(results(topic)) in words_of(page)


@pytest.mark.parametrize(
    ("line", "value", "digits"),
    [
        ("score in v1", lambda run: run["v1"]["score"], 3),
        (
            "energy distance, in real–real units",
            lambda run: run["two_sample"]["distances"][0]["ratio"],
            2,
        ),
    ],
)
def test_the_table_of_free_degrees_is_that_of_the_results(line: str, value: Any, digits: int):
    runs = results("best")["setcover"]

    def shown(*kinds: str) -> str:
        return " / ".join(f"{value(runs[kind]):.{digits}f}".lstrip("0") for kind in kinds)

    cells = [shown("real"), *(shown(f"{k} η=0.1", f"{k} η=0.5") for k in ("rewire", "best"))]
    assert f"| {line} | {' | '.join(cells)} |" in words_of("model.md")


def test_every_committed_result_names_a_command_that_is_there():
    for path in sorted(RESULTS.glob("*.json")):
        command = json.loads(path.read_text(encoding="utf-8"))["command"]
        script = re.match(r"python (benchmarks/\w+\.py)", command)
        assert script is not None, path.name
        assert (ROOT / script[1]).is_file(), path.name
