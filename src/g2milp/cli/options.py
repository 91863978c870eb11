"""The options that commands share, each defined once, so that they mean the same everywhere."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import typer

from g2milp.errors import UsageError

PANEL_INSTANCES = "Instances"
PANEL_MODELS = "Learn and generate"
PANEL_JUDGE = "Measure and use"
PANEL_TOOL = "Start here"

AsJson = Annotated[
    bool, typer.Option("--json", help="One JSON object on stdout; words go to stderr.")
]
Debug = Annotated[bool, typer.Option("--debug", help="Traceback when something fails.")]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", min=0, metavar="N", help="Seed of everything random; same seed, same bytes."
    ),
]
NoSeed = Annotated[
    int, typer.Option("--seed", hidden=True, help="Taken by every command; nothing here is random.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, metavar="N", help="Worker processes; default: one a core."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Start again; replace what is there.")]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Continue an earlier run or fail (the same command continues by itself, too).",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Set one parameter; can be repeated."),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        metavar="RULE",
        help="Allow what solvers read differently, in its documented meaning; can be repeated.",
    ),
]
Folder = Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.")]


@dataclass(frozen=True)
class Shard:
    """One of `count` equal parts of the work; `index` counts from 0."""

    index: int = 0
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``i/n``, which counts from 1 as people do."""
        first, slash, second = text.partition("/")
        if not (slash and first.isdecimal() and second.isdecimal()):
            raise UsageError(f"--shard must look like 2/8, not {text!r}")
        index, count = int(first), int(second)
        if not 1 <= index <= count:
            raise UsageError(f"--shard {text}: the part must lie in 1..{count}")
        return cls(index - 1, count)

    def __str__(self) -> str:
        return f"{self.index + 1}/{self.count}"


ShardOption = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", help="Do only part I of N (1/8 … 8/8), e.g. a machine."),
]


def shard_of(text: str | None) -> Shard:
    """The value of ``--shard``; without it, the whole."""
    return Shard() if text is None else Shard.parse(text)


def check_resume(folder: Path, *, resume: bool, overwrite: bool) -> None:
    """Refuse ``--resume`` where nothing was begun, and together with ``--overwrite``."""
    if resume and overwrite:
        raise UsageError("--resume and --overwrite exclude each other")
    if resume and not (folder.is_dir() and any(folder.iterdir())):
        raise UsageError(
            f"there is nothing to resume in {folder}",
            hint="Without --resume the same command starts, and later continues by itself.",
        )


def jobs_of(jobs: int | None) -> int:
    """The value of ``--jobs``; without it, the cores that this process may use."""
    return jobs if jobs is not None else len(os.sched_getaffinity(0))


def settings_of(given: Sequence[str] | None) -> dict[str, Any]:
    """The values of ``--set``: JSON where it is JSON (3, 0.5, true, [1, 2]), text otherwise."""
    settings: dict[str, Any] = {}
    for item in given or ():
        key, equals, text = item.partition("=")
        key = key.strip()
        if not (equals and key):
            raise UsageError(f"--set takes KEY=VALUE, not {item!r}")
        if key in settings:
            raise UsageError(f"--set {key} is given twice")
        settings[key] = _value(text.strip())
    return settings


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError:
        return text


def _refuse_constant(name: str) -> Any:
    raise UsageError(f"--set takes finite numbers, not {name}")
