from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest


def test_findings_and_failures_are_listed(models: Path, call, golden):
    called = call("check", "models", "--json")
    assert called.code == 5
    golden("check", called.json)
    assert "crossed-bounds" in called.err
    assert "3 read, 2 without a warning" in called.err


def test_all_good_is_0(models: Path, call):
    called = call("check", "models/a.mps", "models/b.mps")
    assert called.code == 0
    assert "2 read, 2 without a warning" in called.err


def test_an_infeasible_instance_is_readable(models: Path, call):
    called = call("check", "models/crossed.mps", "--json")
    assert called.code == 0
    assert called.json["files"][0]["findings"][0]["severity"] == "infeasible"


def test_a_single_bad_file_names_line_and_rule(models: Path, call):
    (models / "bad.mps").write_text(
        (models / "a.mps").read_text().replace("weight 4", "weight 1,5")
    )
    called = call("check", "models/bad.mps", "--json")
    assert called.code == 3
    failure = called.json["failures"][0]
    assert failure["path"] == "models/bad.mps"
    assert failure["line"] == 16
    assert failure["rule"]
    assert "1,5" in failure["message"]


@pytest.mark.parametrize("command", [["check"], ["info"], ["solve", "-o", "led"]])
@pytest.mark.parametrize("rule", ["open", "duplicate-bound=best"])
def test_an_unknown_rule_is_an_error_of_usage(command: list[str], rule: str, models: Path, call):
    called = call(*command, "models", "--accept", rule)
    assert called.code == 2
    assert called.err.count("--accept") == 1


def test_each_hint_says_which_rule_it_is_about(models: Path, call):
    (models / "lower.mps").write_text((models / "a.mps").read_text().replace("ROWS", "rows"))
    called = call("check", "models")
    assert called.code == 5
    assert "hint: [no-end] Solvers read this differently." in called.err
    assert "\n[lower-case] Solvers read this differently." in called.err


def test_a_folder_that_is_no_data_set_is_checked_file_by_file(models: Path, call):
    (models / "a.lp").write_text("Minimize\n o: x\nSubject To\n c: x >= 1\nEnd\n")
    called = call("check", "models", "--json")
    assert called.code == 5
    assert "twice" in called.json["failures"][0]["message"]
    assert {"models/a.lp", "models/a.mps", "models/b.mps"} <= {
        file["path"] for file in called.json["files"]
    }


@pytest.mark.parametrize(
    "what", ["missing", "folder.mps", "fifo.mps", "device", "name.txt", "noise"]
)
def test_what_is_no_model_file_is_3_and_says_why(what: str, folder: Path, call):
    path = folder / what
    if what == "folder.mps":
        path.mkdir()
    elif what == "fifo.mps":
        os.mkfifo(path)
    elif what == "device":
        path = Path("/dev/zero")
    elif what == "name.txt":
        path.write_text("NAME x\n")
    elif what == "noise":
        path = folder / "noise.mps"
        path.write_bytes(bytes(range(256)) * 20)
    called = call("check", path)
    assert called.code == 3
    assert str(path) in called.err
    assert "unexpected" not in called.err


def test_a_file_without_rights_is_3(models: Path, call, monkeypatch):
    real = os.open

    def refuse(path, *arguments, **options):
        if str(path).endswith("a.mps"):  # as for anybody but root when the mode is 000
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    called = call("check", "models/a.mps")
    assert called.code == 3
    assert "no right" in called.err


def test_certificates_need_a_manifest(models: Path, call):
    called = call("check", "models/a.mps", "--certificates")
    assert called.code in (0, 3)
    assert "unexpected" not in called.err


@pytest.fixture
def certified(folder: Path) -> Path:
    """``new/``: three generated instances with certificates."""
    import g2milp as gm
    from g2milp.baselines.rewire import Rewire
    from g2milp.problems.registry import make_many

    data = gm.Dataset.from_milps(make_many("mis", 3, seed=1, n_nodes=15))
    gm.write(Rewire().fit(data).sample(3, seed=1, certify="feasible"), "new")
    return folder / "new"


def test_certificates_that_hold(certified: Path, call):
    called = call("check", "new", "--certificates", "--json")
    assert called.code == 0
    assert [verdict["ok"] for verdict in called.json["certificates"]] == [True] * 3
    assert "3 certificates hold" in called.err


def test_a_changed_point_is_found(certified: Path, call):
    point = sorted(certified.glob("*.sol"))[0]
    with point.open("a") as file:  # binary variables, so 5 lies outside the bounds
        file.write("node_0 5\n")
    called = call("check", "new", "--certificates", "--json")
    assert called.code == 5
    assert sum(not verdict["ok"] for verdict in called.json["certificates"]) == 1
    assert "1 of 3 certificates do not hold" in called.err


def test_a_file_that_is_not_what_the_manifest_recorded_is_found(certified: Path, call):
    files = sorted(certified.glob("*.mps.gz"))
    files[0].write_bytes(files[1].read_bytes())
    called = call("check", "new", "--json")
    assert called.code == 0
    assert [[f["code"] for f in file["findings"]] for file in called.json["files"]].count(
        ["changed"]
    ) == 1
