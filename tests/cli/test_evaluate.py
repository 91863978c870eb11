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


def test_a_solver_alone_is_enough_and_its_results_are_found_again(
    folders: Path, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    arguments = (folders / "real", folders / "new", "--no-two-sample", "--json", "--jobs", 1)
    wanted = (*arguments, "--solver", "highs", "--seeds", 1)
    code, first, _ = run(capsys, *wanted)
    assert code == 0
    assert json.loads(first)["hardness"]["comparisons"]
    kept = [path for path in (tmp_path / "g2milp" / "ledgers").rglob("*") if path.is_file()]
    before = {path: path.read_bytes() for path in kept}
    assert before
    assert run(capsys, *wanted)[1] == first
    assert {path: path.read_bytes() for path in kept} == before


def test_folders_of_one_name_are_told_apart_by_their_parents(folders: Path, tmp_path: Path, capsys):
    for parent in ("a", "b"):
        gm.write(list(make_many("mis", 4, len(parent), n_nodes=20)), tmp_path / parent / "new")
    code, out, _ = run(
        capsys, folders / "real", tmp_path / "a" / "new", tmp_path / "b" / "new",
        "--no-two-sample", "--json", "--tables", tmp_path / "tables",
    )  # fmt: skip
    assert code == 0
    assert [e["generated"] for e in json.loads(out)["evaluations"]] == ["a/new", "b/new"]
    assert (tmp_path / "tables" / "a-new-score.csv").is_file()
    same = run(capsys, folders / "real", folders / "new", folders / "new", "--no-two-sample")
    assert same[0] == 2
    assert "the same" in same[2]


def test_every_set_below_the_gate_is_named(folders: Path, capsys):
    code, _, err = run(
        capsys, folders / "real", folders / "new", folders / "fresh", "--no-two-sample",
        "--fail-under", 0.999,
    )  # fmt: skip
    assert code == 6
    assert "Below 0.999: " in err
    assert err.index("Below") > err.index("small-sample")


def test_a_shipped_model_is_known_by_its_name(folders: Path, capsys):
    pytest.importorskip("torch")
    code, out, _ = run(
        capsys, folders / "real", folders / "new", "--json", "--no-power", "--model", "mis"
    )
    assert code == 0
    assert {d["on"] for d in json.loads(out)["two_sample"]["distances"]} == {
        "statistics", "embeddings",
    }  # fmt: skip
    assert run(capsys, folders / "real", folders / "new", "--model", "miss")[0] == 3


def test_downstream_results_join_the_report(folders: Path, tmp_path: Path, capsys):
    real, new = str(folders / "real"), str(folders / "new")
    options = ["--few", "2", "--splits", "1", "--budget", "2", "--added", "2", "-j", "1"]
    task = ["downstream", "tuning", "--train", real, "--test", new, *options]
    assert main([*task, "-o", str(tmp_path / "tuned")]) == 0
    sets = (real, new, "--no-two-sample", "--downstream", tmp_path / "tuned")
    code, _, err = run(capsys, *sets)
    assert (code, "Add -o" in err) == (2, True)
    code, _, _ = run(capsys, *sets, "-o", tmp_path / "report.html")
    assert code == 0
    assert "Effort on unseen instances" in (tmp_path / "report.html").read_text()
    code, _, err = run(capsys, *sets, "--downstream", tmp_path, "-o", tmp_path / "other.html")
    assert (code, "no result of" in err) == (3, True)
