"""Small model files in an empty working folder, and a way to call a command."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from g2milp.cli.app import main

GOLDEN = Path(__file__).parent / "golden"

KNAPSACK = """\
NAME tiny
OBJSENSE
    MAX
ROWS
 N value
 L weight
 E link
COLUMNS
    MARKER 'MARKER' 'INTORG'
    x value 5 weight 2
    x link 1
    y value 4 weight 3
    MARKER 'MARKER' 'INTEND'
    z link -1
RHS
    RHS weight 4
BOUNDS
 UP BND x 1
 UP BND y 1
ENDATA
"""

CROSSED = KNAPSACK.replace(" UP BND y 1", " LI BND y 3\n UI BND y 1")
CUT = KNAPSACK.replace("ENDATA\n", "")


@dataclass(frozen=True)
class Called:
    """What one command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Call = Callable[..., Called]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working folder, so that paths in output are short."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def models(folder: Path) -> Path:
    """``models/`` with two good files, one odd and one that cannot be read."""
    made = folder / "models"
    made.mkdir()
    (made / "a.mps").write_text(KNAPSACK)
    (made / "b.mps").write_text(KNAPSACK.replace("y value 4", "y value 6"))
    (made / "crossed.mps").write_text(CROSSED)
    (made / "cut.mps").write_text(CUT)
    return made


@pytest.fixture
def call(folder: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process."""

    def run(*arguments: object) -> Called:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Called(code, printed.out, printed.err)

    return run


@pytest.fixture
def golden() -> Callable[[str, Any], None]:
    """Compare a JSON document with the committed one; ``G2MILP_GOLDEN=write`` renews it."""

    def check(name: str, document: Any) -> None:
        path = GOLDEN / f"{name}.json"
        if os.environ.get("G2MILP_GOLDEN") == "write":
            path.write_text(json.dumps(document, indent=2) + "\n")
        assert document == json.loads(path.read_text())

    return check
