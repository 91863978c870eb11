"""``g2milp convert``: model files from one format to another without losing a digit.

A folder becomes a folder. With ``--anonymise`` names, order and scale are taken away, and the key
that leads back is written beside the result, never inside the folder that would be sent.
"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.files import Readings, files_in
from g2milp.cli.options import PANEL_INSTANCES, Accept, AsJson, Debug, Overwrite, Seed
from g2milp.errors import AlreadyExists, UsageError

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp

KEY_SUFFIX = ".key.json"
SUFFIXES = (".mps.gz", ".lp.gz", ".mps", ".lp")


class Format(StrEnum):
    """What a folder is converted to."""

    MPS_GZ = "mps.gz"
    MPS = "mps"
    LP_GZ = "lp.gz"
    LP = "lp"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_INSTANCES)(convert)


def convert(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="Model file, or folder of them.")],
    target: Annotated[
        Path, typer.Argument(metavar="DST", help="New file (.mps, .lp, .gz), or folder.")
    ],
    anonymise: Annotated[
        bool,
        typer.Option("--anonymise", help="Take away names, order and scale; write the key beside."),
    ] = False,
    to: Annotated[Format, typer.Option("--to", help="Format of the files in a folder.")] = (
        Format.MPS_GZ
    ),
    accept: Accept = None,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Convert model files, exactly; or make them anonymous."""
    readings = Readings(accept)
    plan = _plan(source, target, to, anonymise)
    if source.is_dir() and not overwrite:
        _refuse_strangers(target, plan)
    converted: list[dict[str, Any]] = []
    for path, milp in readings.instances(list(plan), "Converting"):
        number, destination = plan[path]
        key_path = None
        if anonymise:
            milp, key = _anonymous(milp, seed, number)
            key_path = _key_path(destination, in_folder=source.is_dir())
            _write_key(key_path, {"source": str(path), **key}, overwrite=overwrite)
        written = _write(milp, destination, overwrite=overwrite, keep=source.is_dir())
        converted.append(_record(path, destination, key_path, milp, written))
    if source.is_dir() and converted:
        _write_manifest(target, converted, anonymise)
    output.result({"converted": converted, "failures": readings.failures}, as_json=as_json)
    _tell(converted, target)
    readings.finish()


def _plan(source: Path, target: Path, to: Format, anonymise: bool) -> dict[Path, tuple[int, Path]]:
    """Which file becomes which, with its number.

    In a folder of anonymous instances the files are numbered: their names tell something, too.
    """
    from g2milp.datasets.members import instance_name

    if source.is_dir():
        if target.name.lower().endswith(SUFFIXES) or target.is_file():
            raise UsageError(f"{source} is a folder, so {target} must be one, too")
        if target.resolve() == source.resolve():  # its manifest would be lost
            raise UsageError(f"{source} cannot be converted into itself: name another folder")
        return {
            path: (i, target / f"{f'{i:05d}' if anonymise else instance_name(path)}.{to.value}")
            for i, path in enumerate(files_in(source))
        }
    if target.is_dir():
        return {source: (0, target / f"{instance_name(source)}.{to.value}")}
    return {source: (0, target)}


def _anonymous(milp: Milp, seed: int, number: int) -> tuple[Milp, dict[str, Any]]:
    import numpy as np

    from g2milp.instance.anonymise import anonymise

    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    milp, key = anonymise(milp, rng)
    return milp, key.as_json()


def _write(milp: Milp, path: Path, *, overwrite: bool, keep: bool) -> bool:
    """Write one file; False when an interrupted run has already written exactly this one."""
    from g2milp.instance.io.files import read, write_file

    if keep and path.is_file() and not overwrite:
        if read(path) == milp:
            return False
        raise AlreadyExists(
            f"{path} exists and holds another instance",
            hint="Choose another folder, or replace what is there with --overwrite.",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(milp, path, overwrite=overwrite)
    return True


def _key_path(destination: Path, *, in_folder: bool) -> Path:
    from g2milp.datasets.members import instance_name

    folder = destination.parent
    beside = folder.parent / f"{folder.name}-keys" if in_folder else folder
    return beside / f"{instance_name(destination)}{KEY_SUFFIX}"


def _write_key(path: Path, key: dict[str, Any], *, overwrite: bool) -> None:
    """Write one key; a run that is continued finds its own, which is the same."""
    from g2milp.instance.io.atomic import write_json

    if path.is_file() and not overwrite and json.loads(path.read_bytes()) == key:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_json(path, key, overwrite=overwrite)
    path.chmod(0o600)


def _record(
    source: Path, target: Path, key: Path | None, milp: Milp, written: bool
) -> dict[str, Any]:
    from g2milp.instance.fingerprint import content_hash

    return {
        "source": str(source),
        "target": str(target),
        "content_hash": content_hash(milp),
        "key": str(key) if key else None,
        "written": written,
    }


def _refuse_strangers(folder: Path, plan: dict[Path, tuple[int, Path]]) -> None:
    """A folder that holds other instances is not mixed with these; an own unfinished one may be."""
    from g2milp.datasets.members import is_model_file

    planned = {destination.name for _, destination in plan.values()}
    there = sorted(p.name for p in folder.iterdir() if is_model_file(p)) if folder.is_dir() else []
    strangers = [name for name in there if name not in planned]
    if strangers:
        raise AlreadyExists(
            f"{folder} holds other instances ({strangers[0]}, …)",
            hint="Choose another folder.",
        )


def _write_manifest(folder: Path, converted: list[dict[str, Any]], anonymise: bool) -> None:
    from g2milp.datasets.manifest import write_manifest

    records: list[dict[str, Any]] = []
    for file in converted:
        record = {"file": Path(file["target"]).name, "hash": file["content_hash"]}
        if not anonymise:
            record["converted_from"] = Path(file["source"]).name
        records.append(record)
    write_manifest(folder, records, overwrite=True)


def _tell(converted: list[dict[str, Any]], target: Path) -> None:
    if not converted:
        return
    new = sum(file["written"] for file in converted)
    already = f" ({len(converted) - new} were there already)" if new < len(converted) else ""
    one = len(converted) == 1
    output.say(f"wrote {converted[0]['target'] if one else f'{new} files to {target}'}{already}")
    keys = [file["key"] for file in converted if file["key"]]
    if keys:
        where = keys[0] if len(keys) == 1 else str(Path(keys[0]).parent)
        output.warn(
            f"The key is in {where}. Keep it, and keep it to yourself: without it no solution can "
            "be brought back to the original names, and with it anybody can undo the disguise."
        )
