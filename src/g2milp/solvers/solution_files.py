"""Solutions as ``.sol`` files in the form of MIPLIB: ``=obj= value``, then ``name value`` a line.

Values are written with the shortest digits that give back the same float64; columns at zero are
left out. Files of SCIP and Gurobi, with their headers and comments, are read as well.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import FormatError, UnreadableFile, UsageError
from g2milp.instance.io.atomic import write_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import SolveOutcome

MOST_BYTES = 1_000_000_000
_OBJECTIVE = re.compile(
    r"(?:=obj=|objective value:|#\s*objective value\s*=)\s*(\S+)", re.IGNORECASE
)
_HEADERS = ("#", "solution status:", "=obj=", "objective value:")
_SCIP_TAIL = re.compile(r"\s*\(obj:[^)]*\)\s*$")


def solution_path(ledger: Path, name: str, instance_hash: str) -> Path:
    """Where the solution of an instance lies: in ``solutions/`` beside the ledger.

    The name of an instance may be anything; what is no plain file name is replaced by the hash.
    """
    folder = (ledger.parent if ledger.suffix == ".jsonl" else ledger) / "solutions"
    plain = re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+=@-]{0,150}", name)
    stem = name if plain else f"instance-{instance_hash[:16]}"
    return folder / f"{stem}.sol"


def has_plain_names(milp: Milp) -> bool:
    """Whether every column name can stand at the start of a line."""
    return all(
        name.isprintable() and name == name.strip() and not name.lower().startswith(_HEADERS)
        for name in milp.col_names
    )


def write_solution(
    milp: Milp, outcome: SolveOutcome, path: Path, *, overwrite: bool = False
) -> None:
    """Write the point of an outcome."""
    if outcome.solution is None:
        raise UsageError("this outcome has no point to write")
    if not has_plain_names(milp):
        raise UsageError(f"{path}: some column names cannot be written in a .sol file")
    lines = [f"=obj= {outcome.objective!r}"]
    for j in np.flatnonzero(outcome.solution).tolist():
        lines.append(f"{milp.col_names[j]} {float(outcome.solution[j])!r}")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, ("\n".join(lines) + "\n").encode(), overwrite=overwrite)


def read_solution(milp: Milp, path: str | Path) -> tuple[NDArray[np.float64], float | None]:
    """The point in a ``.sol`` file, and the objective that the file claims."""
    text = _text(Path(path))
    position = {name: j for j, name in enumerate(milp.col_names)}
    point = np.zeros(milp.n_cols)
    claimed: float | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        found = _OBJECTIVE.match(line)
        if found:
            claimed = _number(found[1], path, number)
        if not line or line.lower().startswith(_HEADERS):
            continue
        *before, value = _SCIP_TAIL.sub("", line).rsplit(maxsplit=1)
        name = before[0] if before else ""
        if name not in position:
            raise FormatError(path, number, "solution", f"the instance has no column {name!r}")
        point[position[name]] = _number(value, path, number)
    return point, claimed


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableFile(path, f"is larger than {MOST_BYTES} bytes")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(path, "is no UTF-8 text") from error


def _number(text: str, path: str | Path, line: int) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise FormatError(path, line, "solution", f"{text!r} is no number") from error
    if not math.isfinite(value):
        raise FormatError(path, line, "solution", f"{text} is not finite")
    return value
