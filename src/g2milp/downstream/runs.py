"""Repeats of a task as a ledger: each training or search is one line, done once.

A folder belongs to one task on one training and one test set. The same command goes on with what
is missing; more repeats and further sets to compare are added to what is there. With ``--resume``
all settings must be those of ``settings.json``.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from g2milp.errors import AlreadyExists, DamagedArtifact, G2MILPError, ItemsFailed, UsageError
from g2milp.execution.ledger import Ledger, read
from g2milp.execution.local import run as run_locally
from g2milp.execution.task import Done, Task
from g2milp.instance.io.atomic import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

KEY = ("task", "arm", "repeat", "inputs")
SETTINGS_NAME = "settings.json"
RUNS_NAME = "runs.jsonl"
RESULT_NAME = "result.json"
SCHEMA_VERSION = 1
MOST_BYTES = 1 << 26

Advance = Any
"""``advance(items, note=…)``, or nothing to tell."""


@dataclass(frozen=True)
class Run:
    """One piece of work: what is trained on (`arm`), the repeat, and all that it needs.

    `inputs` stands for everything that the outcome depends on: with other labels or another draw
    the work is another one, and it is done again.
    """

    task: str
    arm: str
    repeat: int
    inputs: str
    payload: Any = field(repr=False)

    @property
    def key(self) -> dict[str, Any]:
        """The fields that tell its line."""
        return {name: getattr(self, name) for name in KEY}


def digest(*parts: Any) -> str:
    """Sixteen hex digits that stand for JSON values."""
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:16]


def claim(
    folder: Path,
    settings: Mapping[str, Any],
    fixed: Sequence[str],
    *,
    resume: bool = False,
    overwrite: bool = False,
) -> None:
    """Make the folder this task's, or take it up again with the same values of `fixed`."""
    path = folder / SETTINGS_NAME
    if overwrite and path.exists():
        _clear(folder)
    if path.exists():
        before, now = _read_json(path), _plain(settings)
        names = sorted({*before, *now}) if resume else fixed
        differing = [name for name in names if before.get(name) != now.get(name)]
        if differing:
            raise AlreadyExists(
                f"{folder} holds a run with other settings ({', '.join(differing)})",
                hint="Repeat what it was started with, give another folder, or --overwrite.",
            )
    elif resume:
        raise UsageError(f"{folder} holds no run that could be resumed")
    elif not overwrite and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AlreadyExists(f"{folder} is not empty", hint="Give a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    write_json(path, dict(settings), overwrite=True)


def complete(
    folder: Path,
    runs: Sequence[Run],
    work: Callable[[Any], dict[str, Any]],
    *,
    jobs: int = 1,
    advance: Advance = None,
) -> list[dict[str, Any]]:
    """Do what the ledger of `folder` lacks; the records of all runs in their order."""
    tell = advance or _silent
    path = folder / RUNS_NAME
    failures: list[tuple[str, str]] = []
    with Ledger(path, KEY) as ledger:
        missing = [run for run in runs if run.key not in ledger]
        tell(len(runs) - len(missing), note="found")
        for run, value in _results(missing, work, jobs):
            name = f"{run.arm}, repeat {run.repeat}"
            if isinstance(value, str):
                failures.append((name, value))
            else:
                ledger.append({**run.key, **value})
            tell(1, note=name)
    if failures:
        raise ItemsFailed(f"{len(failures)} of {len(runs)} runs failed", failures)
    found = {_key_of(record): record for record in read(path)}
    return [found[_key_of(run.key)] for run in runs]


def write_result(folder: Path, result: Mapping[str, Any]) -> dict[str, Any]:
    """Write ``result.json``; gives what stands in it."""
    from g2milp import __version__

    whole = {"schema_version": SCHEMA_VERSION, "g2milp": __version__, **_plain(result)}
    write_json(folder / RESULT_NAME, whole, overwrite=True)
    return whole


def _results(
    runs: Sequence[Run], work: Callable[[Any], dict[str, Any]], jobs: int
) -> Iterator[tuple[Run, dict[str, Any] | str]]:
    """(run, record or reason) as they end; one job works in this process."""
    if jobs <= 1:
        for run in runs:
            try:
                yield run, work(run.payload)
            except G2MILPError as error:  # as a worker does: the other runs go on
                yield run, str(error)
        return
    tasks = (Task(i, run.payload) for i, run in enumerate(runs))
    for result in run_locally(tasks, work, jobs=jobs):
        done = isinstance(result, Done)
        yield runs[result.task.key], result.value if done else result.reason  # type: ignore[union-attr]


def _key_of(record: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(record[name] for name in KEY)


def _clear(folder: Path) -> None:
    """Remove what a run writes, and nothing else; labels are kept, they are true all the same."""
    for name in (SETTINGS_NAME, RUNS_NAME, RESULT_NAME, "figure.svg"):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "checkpoints", ignore_errors=True)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise DamagedArtifact(path, "too large")
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedArtifact(path, f"cannot be read ({error})") from error
    if not isinstance(content, dict):
        raise DamagedArtifact(path, "this is no JSON object")
    return content


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON gives it back: tuples as lists, keys as text."""
    plain: dict[str, Any] = json.loads(json.dumps(value, default=str))
    return plain


def _silent(items: int = 1, note: str = "") -> None:
    """Nobody wants to know."""
