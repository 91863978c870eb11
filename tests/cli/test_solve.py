"""``g2milp solve`` as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from g2milp.cli import solve
from g2milp.cli.app import main
from g2milp.instance.io.files import write_file
from g2milp.problems.registry import make_many


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for k, milp in enumerate(make_many("setcover", 3, 0, n_rows=20, n_cols=30, density=0.12)):
        write_file(milp, folder / f"cover{k}.mps.gz")
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any], str]:
    code = main(["solve", *(str(a) for a in arguments), "--json"])
    captured = capsys.readouterr()
    return code, json.loads(captured.out), captured.err


def test_summary_and_ledger(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, words = run(capsys, data, "-o", tmp_path / "led", "--seeds", 2, "--jobs", 1)
    assert code == 0
    assert (found["new"], found["found"], found["solves"], found["instances"]) == (6, 0, 6, 3)
    assert found["statuses"] == {"optimal": 6}
    assert found["checked"] == {"exact": 6}
    assert found["failures"] == []
    (effort,) = found["effort"].values()
    assert set(effort) == {"seconds", "nodes", "lp_iterations", "work"}
    assert {"mean", "median", "quantiles", "shifted_geometric_mean", "shift"} <= set(effort["work"])
    assert "optimal" in words
    code, found, _ = run(capsys, data, "-o", tmp_path / "led", "--seeds", 2, "--resume")
    assert (code, found["new"], found["found"], found["solves"]) == (0, 0, 6, 6)


def test_progress_counts_how_solves_ended() -> None:
    notes: list[tuple[str, bool]] = []
    note = solve._noted(lambda _, note, found: notes.append((note, found)))
    for status in ("optimal", "time_limit", "optimal"):
        note({"status": status})
    note(None)
    assert notes[0] == ("1 optimal", False)
    assert notes[-1] == ("2 optimal, 1 time limit, 1 found", True)


def test_resume_is_refused_with_other_settings(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["solve", str(data), "-o", str(tmp_path / "led"), "--seeds", "1", "--jobs", "1"]
    assert main(options) == 0
    assert main([*options, "--resume"]) == 0
    assert main([*options, "--resume", "--time-limit", "7"]) == 1
    assert "no solve with these settings (seconds 300.0 → 7.0)" in capsys.readouterr().err
    assert main([*options, "--resume", "--gap", "0", "--node-limit", "7"]) == 1
    assert "(gap 0.0001 → 0.0, nodes None → 7)" in capsys.readouterr().err
    (file,) = (tmp_path / "led").glob("*.jsonl")
    file.write_text(file.read_text().replace('"solver_version":"', '"solver_version":"0.'))
    assert main([*options, "--resume"]) == 1
    assert "(version 0." in capsys.readouterr().err
    code, found, _ = run(capsys, *options[1:])
    assert (code, found["new"], found["solves"]) == (0, 3, 3)


def test_options_that_come_later_do_not_reach_back(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = (data, "-o", tmp_path / "led", "--seeds", 1, "--jobs", 1)
    _, _, words = run(capsys, *options, "--cross-check", 0, "--save-solutions")
    assert "warning" not in words
    for file in (tmp_path / "led" / "solutions").glob("*1.sol"):
        file.unlink()
    code, found, words = run(capsys, *options, "--cross-check", 1, "--save-solutions")
    assert (code, found["new"], found["checked"]) == (0, 0, {"exact": 3})
    assert "3 of the solves found were made without --cross-check" in words
    assert "1 instances have no .sol file" in words
    code, found, words = run(
        capsys, *options[:2], tmp_path / "new", *options[3:], "--cross-check=1"
    )
    assert (code, found["checked"]) == (0, {"cross_checked": 3})
    assert "warning" not in words


def test_a_folder_of_instances_is_no_ledger(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "cover.mps.gz").write_bytes((data / "cover0.mps.gz").read_bytes())
    assert main(["solve", str(made), "-o", str(made)]) == 2
    assert "made-labels" in capsys.readouterr().err
    (made / "manifest.jsonl").write_text("{}\n")
    assert main(["solve", str(data), "-o", str(made)]) == 2
    assert len(list(made.iterdir())) == 2


def test_shards_fill_one_ledger(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part, lines in (("1/2", 2), ("2/2", 1)):
        code, found, _ = run(
            capsys, data, "-o", tmp_path / "led", "--seeds", 1, "--shard", part, "--jobs", 1
        )
        assert (code, found["solves"]) == (0, lines)
    assert len(list((tmp_path / "led").glob("*.jsonl"))) == 2


def test_known_and_found_optima(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solu = tmp_path / "found.solu"
    options = (data, "-o", tmp_path / "led.jsonl", "--seeds", 1, "--jobs", 1)
    code, _, _ = run(capsys, *options, "--save-solu", solu, "--save-solutions")
    assert code == 0
    assert solu.read_text().count("=opt= cover") == 3
    assert len(list((tmp_path / "solutions").glob("*.sol"))) == 3
    code, found, _ = run(capsys, *options, "--known", solu)
    assert (code, found["failures"]) == (0, [])
    assert found["known"] == {"path": str(solu), "instances": 3}
    first = solu.read_text().split()[1]
    solu.write_text("=opt= nobody 3\n")
    code, found, words = run(capsys, *options, "--known", solu)
    assert (code, found["known"]["instances"]) == (0, 0)
    assert "none of its 1 names is an instance here" in words
    solu.write_text(f"=inf= {first}\n")
    code, found, words = run(capsys, *options, "--known", solu)
    assert code == 5
    assert "known to be infeasible" in found["failures"][0]["message"]
    assert first in words


def test_names_that_a_solu_file_cannot_hold_are_left_out(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, solu = tmp_path / "data", tmp_path / "found.solu"
    folder.mkdir()
    for k, name in enumerate(("plain", "two words")):
        (folder / f"{name}.mps.gz").write_bytes((data / f"cover{k}.mps.gz").read_bytes())
    options = (folder, "-o", tmp_path / "led", "--seeds", 1, "--jobs", 1)
    code, _, words = run(capsys, *options, "--save-solu", solu)
    assert (code, solu.read_text().split()[:2]) == (0, ["=opt=", "plain"])
    assert "left out 1 names that are not one word, such as 'two words'" in words
    assert run(capsys, *options, "--known", solu)[0] == 0


def test_known_optima_are_read_before_the_work_begins(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "led"
    assert main(["solve", str(data), "-o", str(ledger), "--known", str(tmp_path / "no.solu")]) == 3
    assert "no.solu" in capsys.readouterr().err
    assert not ledger.exists()


def test_a_line_that_is_no_solve_is_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "led.jsonl"
    options = (data, "-o", ledger, "--seeds", 1, "--jobs", 1, "--node-limit", 1)
    run(capsys, *options)
    first, *others = ledger.read_text().splitlines()
    for change, words in (
        ({"settings_hash": None}, "'settings_hash' is no text"),
        ({"work": "much"}, "'work' is no number"),
        ({"nodes": True}, "'nodes' is no number"),
        ({"seed": "0"}, "'seed' is no whole number"),
        ({"status": "fine"}, "'fine' is not a valid Status"),
    ):
        ledger.write_text("\n".join([json.dumps({**json.loads(first), **change}), *others, ""]))
        code, found, _ = run(capsys, *options, "--resume")
        assert code == 3
        assert words in found["error"]["message"]


def test_files_that_cannot_be_read_are_listed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "good.mps.gz").write_bytes((data / "cover0.mps.gz").read_bytes())
    (folder / "bad.mps").write_text("no model\n")
    code, found, words = run(capsys, folder, "-o", tmp_path / "led", "--seeds", 1, "--jobs", 1)
    assert (code, found["new"]) == (5, 1)
    (failure,) = found["failures"]
    assert Path(failure["path"]).name == "bad.mps"
    assert (failure["type"], failure["line"]) == ("FormatError", 1)
    assert "Traceback" not in words


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--iteration-limit", "5"], 4, "no iteration limit"),
        (["--shard", "3/2"], 2, "1..2"),
        (["--seeds", "0"], 2, "seeds"),
        (["--set", "nonsense=1"], 2, "no option 'nonsense'"),
        (["--address", "x:1"], 2, "engine ray"),
        (["--resume"], 2, "no ledger to resume"),
        (["--solver", "cplex"], 2, "cplex"),
        (["-o", "labels.mps.gz"], 2, "called like a model"),
        (["-o", __file__], 2, "a folder or a .jsonl file"),
    ],
)
def test_what_cannot_be_is_said(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    code: int,
    words: str,
) -> None:
    assert main(["solve", str(data), "-o", str(tmp_path / "led"), "--jobs", "1", *options]) == code
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("count", [1, 2])
def test_nothing_to_solve_is_an_error_of_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int
) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    for k in range(count):
        (folder / f"bad{k}.mps").write_text("no model\n")
    assert main(["solve", str(folder), "-o", str(tmp_path / "led")]) == 3
    assert "bad0.mps:1" in capsys.readouterr().err


def test_missing_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(tmp_path / "nothing"), "-o", str(tmp_path / "led")]) == 3
    assert "no such file" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_everything_and_the_rest_is_done_later(
    tmp_path: Path, number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, ledger = tmp_path / "data", tmp_path / "led"
    folder.mkdir()
    for k, milp in enumerate(make_many("mis", 6, 0, n_nodes=120)):
        write_file(milp, folder / f"mis{k}.mps")
    arguments = ["solve", str(folder), "-o", str(ledger), "--seeds", "20", "--jobs", "2"]
    code = f"import sys; from g2milp.cli.app import main; sys.exit(main({arguments!r}))"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while lines_in(ledger) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    children = children_of(process.pid)
    began = time.monotonic()
    os.kill(process.pid, number)
    _, words = process.communicate(timeout=30)
    assert time.monotonic() - began < 5
    if number is not signal.SIGKILL:
        assert process.returncode == 130
        assert b"the same command continues" in words
    time.sleep(0.3)
    assert children
    assert not [pid for pid in children if is_alive(pid)]
    kept = lines_in(ledger)
    assert kept >= 2
    resumed, found, _ = run(
        capsys, folder, "-o", ledger, "--seeds", "1", "--jobs", "2", "--node-limit", "1"
    )
    assert (resumed, found["new"]) == (0, 6)


def lines_in(ledger: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in ledger.glob("*.jsonl"))


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in text.split()]


def is_alive(pid: int) -> bool:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"
