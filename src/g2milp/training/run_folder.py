"""What a run was started with, so that going on with something else is refused.

``checkpoints/run.json`` holds configuration, data hash, device, number of compute threads (sums
depend on it in the last bit) and selection. A run that is taken up again gets the same threads.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from g2milp.errors import AlreadyExists, DamagedArtifact, UsageError
from g2milp.instance.io.atomic import write_json
from g2milp.training.checkpoints import FOLDER, MAX_JSON

if TYPE_CHECKING:
    from pathlib import Path

RUN_NAME = "run.json"
METRICS_NAME = "metrics.jsonl"
BOARD_FOLDER = "tensorboard"
MANIFEST_NAME = "MANIFEST.json"
OUTPUTS = (MANIFEST_NAME, "model.safetensors", "config.json", "statistics.json", "README.md")


def open_run(
    folder: Path, started_with: dict[str, Any], *, resume: bool | None, overwrite: bool
) -> dict[str, Any]:
    """Make or take up a run; what it was started with.

    `resume` True wants something to go on with, False nothing to be there, None takes both.
    """
    if folder.exists() and not folder.is_dir():
        raise AlreadyExists(f"{folder} is a file, not a run folder")
    if overwrite:
        _clear(folder)
    record = folder / FOLDER / RUN_NAME
    if record.exists():
        before = _read(record)
        if resume is False:
            raise AlreadyExists(
                f"{folder} holds a training run", hint="Continue it, or give --overwrite."
            )
        _require_same(folder, before, started_with)
        return before
    if resume:
        raise UsageError(f"{folder} holds no training run that could be resumed")
    if (folder / MANIFEST_NAME).exists():
        raise AlreadyExists(
            f"{folder} holds a model that was not trained here",
            hint="Give another folder, or --overwrite.",
        )
    record.parent.mkdir(parents=True, exist_ok=True)
    write_json(record, started_with, overwrite=True)
    return started_with


def _clear(folder: Path) -> None:
    """Remove what a run writes, and nothing else."""
    for name in (*OUTPUTS, METRICS_NAME):
        (folder / name).unlink(missing_ok=True)
    for name in (FOLDER, BOARD_FOLDER, "templates"):
        shutil.rmtree(folder / name, ignore_errors=True)


def _read(record: Path) -> dict[str, Any]:
    try:
        if record.stat().st_size > MAX_JSON:
            raise DamagedArtifact(record, "too large")
        content = json.loads(record.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedArtifact(record, f"cannot be read ({error})") from error
    if not isinstance(content, dict) or not isinstance(content.get("threads"), int):
        raise DamagedArtifact(record, "this is no record of a run")
    return content


def _require_same(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    old, new = _flat(before), _flat(now)
    differing = [
        f"{key}: {old.get(key)!r} then, {new.get(key)!r} now"
        for key in sorted(old.keys() | new.keys())
        if key != "threads" and old.get(key) != new.get(key)
    ]
    if differing:
        raise AlreadyExists(
            f"{folder} holds a run with other settings: " + "; ".join(differing[:6]),
            hint="Repeat the settings it was started with, or give another folder or --overwrite.",
        )


def _flat(content: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat
