from __future__ import annotations

import errno
import inspect
import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from g2milp import errors
from g2milp.cli import app

G2MILP = [sys.executable, "-c", "import sys; from g2milp.cli.app import main; sys.exit(main())"]

ERRORS = [
    errors.G2MILPError("m", hint="h"),
    errors.UsageError("m"),
    errors.UnreadableFile("x.mps", "there is no such file"),
    errors.FormatError("x.mps", 7, "bad-number", "'1,5' is no number"),
    errors.NotAMilp("x.mps", 7, "quadratic", "QUADOBJ"),
    errors.InvalidMilp("m"),
    errors.DamagedArtifact("run", "hash differs"),
    errors.UnavailableError("m", hint="pip install 'g2milp[train]'"),
    errors.ItemsFailed("1 of 2 failed", [("a.mps", "why")]),
    errors.QualityGateNotMet("m"),
    errors.NotFitted("m"),
    errors.AlreadyExists("m", hint="--overwrite"),
    errors.OutOfSpace("m"),
    errors.TrainingDiverged("m"),
    errors.Interrupted("m"),
]


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run(arguments: object) -> int:
        raise error

    monkeypatch.setattr(app, "run", run)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_each_error_becomes_its_exit_code_with_message_and_hint(
    error: errors.G2MILPError,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    raising(monkeypatch, error)
    assert app.main(["info", "x"]) == error.exit_code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert error.message.splitlines()[0] in printed.err
    assert (f"hint: {error.hint}" in printed.err) == bool(error.hint)
    assert "Traceback" not in printed.err


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_each_error_is_one_json_object(
    error: errors.G2MILPError,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    raising(monkeypatch, error)
    app.main(["info", "x", "--json"])
    assert json.loads(capsys.readouterr().out) == {
        "schema_version": 1,
        "error": {
            "type": type(error).__name__,
            "exit_code": error.exit_code,
            "message": error.message,
            "hint": error.hint,
        },
    }


def test_debug_shows_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    raising(monkeypatch, errors.InputError("broken"))
    assert app.main(["info", "x", "--debug"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_a_fault_of_ours_is_said_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    raising(monkeypatch, ZeroDivisionError("division by zero"))
    assert app.main(["info", "x"]) == 1
    printed = capsys.readouterr().err
    assert "unexpected ZeroDivisionError: division by zero" in printed
    assert "--debug" in printed
    assert "Traceback" not in printed


def test_an_interrupt_is_130_and_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    raising(monkeypatch, KeyboardInterrupt())
    assert app.main(["info", "x"]) == 130
    assert "the same command continues" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chek"], "Did you mean 'check'?"),
        (["info", "--jsn", "x"], "--json"),
        (["info"], "PATH"),
        (["doctor", "--seed", "x"], "--seed"),
        (["doctor", "surplus"], "surplus"),
        (["--nothing"], "--nothing"),
    ],
)
def test_a_wrong_call_is_2_and_points_to_the_help(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
):
    assert app.main(arguments) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert "--help" in printed.err
    assert printed.out == ""


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]):
    assert app.main([]) == 2
    printed = capsys.readouterr()
    assert "Usage: g2milp" in printed.out + printed.err
    assert "error:" not in printed.err


def commands():
    import typer

    group = typer.main.get_command(app.build())
    found = {}

    def walk(prefix: str, command) -> None:
        if hasattr(command, "commands"):
            for name, inner in command.commands.items():
                walk(f"{prefix} {name}".strip(), inner)
        else:
            found[prefix] = command

    walk("", group)
    return found


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_takes_json_seed_and_debug_and_explains_itself(name: str):
    command = commands()[name]
    options = {option for parameter in command.params for option in parameter.opts}
    assert {"--json", "--seed", "--debug"} <= options
    for parameter in command.params:
        assert parameter.help, f"{name} {parameter.opts}"
    assert command.help
    first = command.help.strip().splitlines()[0]
    assert first.endswith((".", "…")), first


@pytest.mark.parametrize("name", sorted(commands()))
@pytest.mark.parametrize("width", [40, 80])
def test_the_help_fits_the_terminal(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COLUMNS", str(width))
    assert app.main([*name.split(), "--help"]) == 0
    longest = max(map(len, capsys.readouterr().out.splitlines()))
    # Below `WIDE_ENOUGH` the help is plain; there a long choice is never cut, so it may stick out.
    assert longest <= width or width < app.WIDE_ENOUGH


@pytest.mark.parametrize("arguments", [["--help"], []])
def test_the_narrow_list_of_commands_is_whole(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COLUMNS", "40")
    assert app.main(arguments) == (0 if arguments else 2)
    printed = "".join(capsys.readouterr())
    assert "..." not in printed.replace("[ARGS]...", "")
    assert "error:" not in printed
    words = " ".join(printed.split())
    for name, command in app.typer.main.get_command(app.build()).commands.items():
        sentence = re.split(r"(?<=[.?!])\s", " ".join(command.help.split()))[0]
        assert f"{name} {sentence}" in words


def test_every_module_of_a_command_is_listed():
    folder = Path(app.__file__).parent
    registering = {
        path.stem for path in folder.glob("*.py") if "\ndef register(" in path.read_text("utf-8")
    }
    assert registering == set(app.COMMANDS)


def test_version_names_the_solvers(capsys: pytest.CaptureFixture[str]):
    assert app.main(["--version"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("g2milp 0.")
    assert "highs " in printed


def test_main_is_the_script():
    assert list(inspect.signature(app.main).parameters) == ["argv"]


def test_help_answers_in_half_a_second():
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*G2MILP, "--help"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Processor time, since the wall clock of a busy test machine says nothing about us.
        seconds.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    assert min(seconds) < 0.5


def test_a_reader_that_goes_away_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -c 'import sys; from g2milp.cli.app import main; sys.exit(main())' "
        "doctor --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "{"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_ctrl_c_ends_a_running_command_with_130(tmp_path: Path):
    script = tmp_path / "slow.py"
    script.write_text(
        "import sys, time\n"
        "from g2milp.cli import app\n"
        "def run(arguments):\n"
        "    print('running', flush=True)\n"
        "    time.sleep(30)\n"
        "app.run = run\n"
        "sys.exit(app.main(['info', 'x']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "error: interrupted" in said
    assert "Traceback" not in said


def test_a_terminal_without_unicode_is_no_problem():
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run([*G2MILP, "--help"], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("number", "filename", "code", "words"),
    [
        (errno.EACCES, "new/x", 3, "error: new/x: Permission denied\n"),
        (errno.ENOTDIR, "a.mps/x", 3, "error: a.mps/x: Not a directory\n"),
        (errno.ENOSPC, "new/x", 1, "error: new/x: the disk is full\nhint: Make room"),
        (errno.EACCES, None, 1, "This is a fault of g2milp"),
        (errno.EBADF, "new/x", 1, "This is a fault of g2milp"),
    ],
)
def test_what_the_system_refuses_is_no_fault_of_ours(
    number, filename, code, words, monkeypatch, capsys
):
    def fail(_arguments):
        raise OSError(number, os.strerror(number), filename)

    monkeypatch.setattr(app, "run", fail)
    assert app.main([]) == code
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("command", [["check"], ["info"], ["solve", "-o", "led"]])
def test_a_folder_without_rights_is_an_error_of_input(command, models, call, monkeypatch):
    granted = os.access
    monkeypatch.setattr(
        os, "access", lambda path, *how, **more: path != models and granted(path, *how, **more)
    )
    listing = Path.iterdir

    def refuse(folder):
        if folder.name == "models":  # as for anybody but root when the mode is 000
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return listing(folder)

    monkeypatch.setattr(Path, "iterdir", refuse)
    called = call(*command, models)
    assert called.code == 3
    assert "Permission denied" in called.err


def test_a_wrong_choice_is_said_in_our_words(capsys: pytest.CaptureFixture[str]):
    assert app.main(["solve", "x", "-o", "y", "--solver", "cplex"]) == 2
    printed = capsys.readouterr().err
    assert "'cplex' is not one of 'highs', 'scip', 'gurobi'" in printed
    assert "Value error" not in printed
