from __future__ import annotations

import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from g2milp.cli import output


@pytest.fixture(autouse=True)
def _fresh_state():
    output.start(as_json=False)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch):
    """Draw into a buffer as on a terminal of the given width."""

    def of(width: int) -> io.StringIO:
        buffer = io.StringIO()
        monkeypatch.setattr(
            output,
            "console",
            lambda: Console(
                file=buffer,
                width=width,
                force_terminal=True,
                color_system=None,
                highlight=False,
                markup=False,
                emoji=False,
            ),
        )
        return buffer

    return of


def test_the_result_is_one_object_with_its_schema_version(capsys: pytest.CaptureFixture[str]):
    output.result({"a": 1, "b": [math.inf, math.nan, 2.5]}, as_json=True)
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"schema_version": 1, "a": 1, "b": [None, None, 2.5]}
    assert printed.err == ""


def test_without_json_nothing_goes_to_stdout(capsys: pytest.CaptureFixture[str]):
    output.result({"a": 1}, as_json=False)
    output.say("words")
    output.warn("careful")
    output.facts("title", [("label", 3)])
    output.table("title", ["name", "n"], [["x", 1]])
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "words" in printed.err
    assert "warning: careful" in printed.err


@given(st.text())
def test_what_is_visible_takes_no_effect(text: str):
    shown = output.visible(text)
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in shown)
    assert "\u202e" not in shown
    shown.encode("utf-8")  # no lone surrogates


def test_a_terminal_sequence_is_shown(capsys: pytest.CaptureFixture[str]):
    output.say("x\x1b[2Jy[bold]z[/bold]")
    assert "x\\x1b[2Jy[bold]z[/bold]" in capsys.readouterr().err


def test_an_error_is_said_once_on_stderr_and_once_as_json(capsys: pytest.CaptureFixture[str]):
    output.start(as_json=True)
    output.fail("broken", "mend it", kind="InputError", code=3)
    printed = capsys.readouterr()
    assert printed.err == "error: broken\nhint: mend it\n"
    assert json.loads(printed.out)["error"] == {
        "type": "InputError",
        "exit_code": 3,
        "message": "broken",
        "hint": "mend it",
    }


def test_after_a_result_an_error_prints_no_second_object(capsys: pytest.CaptureFixture[str]):
    output.start(as_json=True)
    output.result({"failures": [1]}, as_json=True)
    output.fail("1 of 2 failed", None, kind="ItemsFailed", code=5)
    assert json.loads(capsys.readouterr().out) == {"schema_version": 1, "failures": [1]}


ROWS = [["models/a-rather-long-name.mps.gz", 1953, 500, 0.25], ["b", 1, 2, None]]
COLUMNS = ["data set", "constraints", "variables", "density"]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(terminal, width: int):
    buffer = terminal(width)
    output.table("A title", COLUMNS, ROWS)
    lines = buffer.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    text = buffer.getvalue()
    for cell in ("models/a-rather-long-name.mps.gz", "1,953", "500", "0.25"):
        assert cell in text


def test_a_wide_terminal_gets_a_table_and_a_narrow_one_records(terminal):
    wide = terminal(100)
    output.table(None, COLUMNS, ROWS)
    assert wide.getvalue().splitlines()[0].split() == ["data", "set", *COLUMNS[1:]]
    narrow = terminal(40)
    output.table(None, COLUMNS, ROWS)
    assert "  constraints: 1,953" in narrow.getvalue().splitlines()


def test_spare_columns_go_first(terminal):
    buffer = terminal(60)
    output.table(None, COLUMNS, ROWS, spare=("density", "variables"))
    assert buffer.getvalue().splitlines()[0].split() == ["data", "set", *COLUMNS[1:3]]


def test_facts_fold_in_a_narrow_terminal(terminal):
    buffer = terminal(40)
    output.facts("t", [("label", "word " * 30)])
    assert max(map(len, buffer.getvalue().splitlines())) <= 40


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (True, "yes"),
        (12345, "12,345"),
        (500.0, "500"),
        (0.12345, "0.1235"),
        (1234.5678, "1,235"),
        (123456.78, "123,456.8"),
        ("x", "x"),
    ],
)
def test_numbers_are_short(value: object, text: str):
    assert output.number(value) == text


def test_no_color_is_obeyed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    output.fail("broken", None, kind="x", code=1)
    assert "\x1b[31" not in capsys.readouterr().err
