"""Run the code blocks of a document, in order, as a reader would.

``python`` blocks share one name-space; a ``text`` block right after one is what it printed.
``console`` blocks hold ``$ g2milp …`` lines, each followed by what it says (words and JSON).
In expected output ``...`` stands for any lines; numbers may differ by a tenth, since learned models
differ between processors.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
TOLERANCE = 0.1


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    text: str
    line: int


def blocks(document: str) -> list[Block]:
    """All fenced blocks with a language."""
    return [
        Block(match[1], match[2], document[: match.start()].count("\n") + 1)
        for match in FENCE.finditer(document)
    ]


def run(path: Path) -> list[str]:
    """Run a document in the working folder; what differs, with line numbers."""
    names: dict[str, object] = {"__name__": "__snippet__"}
    complaints: list[str] = []
    printed = ""
    for block in blocks(path.read_text(encoding="utf-8")):
        where = f"{path.name}:{block.line}"
        if block.language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(block.text, where, "exec"), names)
            printed = output.getvalue()
        elif block.language == "text" and printed:
            complaints += difference(where, block.text, printed)
            printed = ""
        elif block.language == "console":
            complaints += run_console(where, block.text)
    return complaints


def run_console(where: str, text: str) -> list[str]:
    """Run each ``$ g2milp`` line and compare what it says."""
    from g2milp.cli.app import main

    complaints: list[str] = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command, comments=True)
        if words[0] != "g2milp":
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            main(words[1:])
        complaints += difference(f"{where} $ {command}", expected, said.getvalue())
    return complaints


def difference(where: str, expected: str, got: str) -> list[str]:
    """Empty when the output is as expected."""
    wanted, lines = _lines(expected), _lines(got)
    if _matches(wanted, lines):
        return []
    return [f"{where}\nexpected:\n" + "\n".join(wanted) + "\ngot:\n" + "\n".join(lines)]


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def _matches(wanted: list[str], lines: list[str]) -> bool:
    if not wanted:
        return not lines
    if wanted[0] == "...":
        return any(_matches(wanted[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and _alike(wanted[0], lines[0]) and _matches(wanted[1:], lines[1:])


def _alike(wanted: str, line: str) -> bool:
    """Equal words, and numbers that are nearly so."""
    if NUMBER.sub("#", wanted).split() != NUMBER.sub("#", line).split():
        return False
    pairs = zip(NUMBER.findall(wanted), NUMBER.findall(line), strict=True)
    return all(_near(float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs)


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b))
