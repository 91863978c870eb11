"""``g2milp evaluate`` as users run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import g2milp as gm
from g2milp.cli.app import main
from g2milp.problems.registry import make_many


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sets")
    for name, count, seed in (("real", 14, 0), ("new", 10, 1), ("fresh", 10, 2)):
        gm.write(list(make_many("mis", count, seed, n_nodes=25)), root / name)
    return root


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["evaluate", *map(str, arguments)])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_json_is_one_object_with_the_documented_keys(folders: Path, capsys):
    code, out, _ = run(
        capsys, folders / "real", folders / "new", "--json", "--fresh", folders / "fresh"
    )
    found = json.loads(out)
    assert code == 0
    assert found["schema_version"] == 1
    assert found["suite"] == "v1"
    assert 0 <= found["interval"][0] <= found["score"] <= found["interval"][1] <= 1
    assert found["copy_score"] > found["ceiling"]
    assert found["two_sample"]["power"] >= 0.5
    assert "membership_auc" in found["novelty"]["disclosure"]
    assert {"small-sample", "unverified"} <= {flag["code"] for flag in found["flags"]}


def test_words_go_to_stderr_and_several_sets_are_scored(folders: Path, capsys):
    code, out, err = run(
        capsys, folders / "real", folders / "new", folders / "real", "--no-two-sample"
    )
    assert code == 0
    assert out == ""
    assert "pure copy" in err
    assert "copies" in err


def test_the_gate_ends_with_6_after_the_result(folders: Path, capsys):
    code, out, err = run(
        capsys,
        folders / "real",
        folders / "new",
        "--no-two-sample",
        "--json",
        "--fail-under",
        0.999,
    )
    assert code == 6
    assert "score" in json.loads(out)
    assert "0.999" in err


def test_the_cache_and_the_tables(folders: Path, tmp_path: Path, capsys):
    arguments = (folders / "real", folders / "new", "--no-two-sample", "--json")
    kept = ("--cache", tmp_path / "cache", "--tables", tmp_path / "tables", "--jobs", 1)
    _, first, _ = run(capsys, *arguments, *kept)
    _, second, _ = run(capsys, *arguments, *kept, "--overwrite")
    assert first == second
    assert {p.name for p in (tmp_path / "tables").iterdir()} == {
        f"{name}.{ending}"
        for name in ("score", "statistics", "validity")
        for ending in ("csv", "tex")
    }


def test_hardness_from_a_solver(folders: Path, tmp_path: Path, capsys):
    code, out, _ = run(
        capsys, folders / "real", folders / "new", "--no-two-sample", "--json", "--solver", "highs",
        "--seeds", 1, "--ledger", tmp_path / "ledger", "--jobs", 1,
    )  # fmt: skip
    found = json.loads(out)
    assert code == 0
    assert found["validity"]["feasible"] == 1.0
    measures = {h["measure"] for h in found["hardness"]["comparisons"]}
    assert measures >= {"nodes", "seconds"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["nowhere", "nothing"], 3), (["--suite", "v0", "a", "b"], 2), ([], 2)],
)
def test_wrong_calls(arguments: list[str], code: int, capsys):
    assert run(capsys, *arguments)[0] == code


def test_solver_without_a_place_is_refused(folders: Path, capsys):
    code, _, err = run(capsys, folders / "real", folders / "new", "--solver", "highs")
    assert code == 2
    assert "--ledger" in err
