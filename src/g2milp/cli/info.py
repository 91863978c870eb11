"""``g2milp info``: what a model file is, or what a data set is on average (the paper's table)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from g2milp.cli import output
from g2milp.cli.files import Paths, Readings, files_in
from g2milp.cli.options import PANEL_INSTANCES, Accept, AsJson, Debug, NoSeed
from g2milp.errors import InputError

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp

KIND_WORDS = {
    "binary": "binary",
    "integer": "integer",
    "continuous": "continuous",
    "semi_continuous": "semi-continuous",
    "semi_integer": "semi-integer",
}
SENSE_WORDS = {"equality": "=", "less": "≤", "greater": "≥", "range": "range", "free": "free"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_INSTANCES)(info)


def info(
    paths: Paths,
    accept: Accept = None,
    seed: NoSeed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Describe model files one by one, and folders as data sets."""
    readings = Readings(accept)
    instances: list[dict[str, Any]] = []
    data_sets: list[dict[str, Any]] = []
    for path in paths:
        if path.is_dir():
            row = _data_set(path, readings)
            if row is not None:
                data_sets.append(row)
        else:
            for _, milp in readings.instances([path], "Reading"):
                instances.append(_instance(path, milp))
    output.result(
        {"instances": instances, "data_sets": data_sets, "failures": readings.failures},
        as_json=as_json,
    )
    for instance in instances:
        _show(instance)
    if data_sets:
        _show_table(data_sets)
    readings.finish()


def _instance(path: Path, milp: Milp) -> dict[str, Any]:
    from g2milp.instance.describe import describe
    from g2milp.instance.fingerprint import content_hash, structure_hash

    return {
        "path": str(path),
        **asdict(describe(milp)),
        "content_hash": content_hash(milp),
        "structure_hash": structure_hash(milp),
        "accepted": list(milp.notes),
    }


def _data_set(folder: Path, readings: Readings) -> dict[str, Any] | None:
    from g2milp.datasets.summary import summarise

    try:
        files = files_in(folder)
    except InputError as error:
        readings.tried += 1
        readings.note(folder, error)
        return None
    summary = summarise(milp for _, milp in readings.instances(files, f"Reading {folder.name}"))
    return {"path": str(folder), **asdict(summary)} if summary.instances else None


def _show(found: dict[str, Any]) -> None:
    offset = f", offset {output.number(found['offset'])}" if found["offset"] else ""
    output.facts(
        found["path"],
        [
            ("name", found["name"] or "(none)"),
            ("objective", f"{found['sense']}, {found['objective_nonzeros']:,} terms{offset}"),
            ("constraints", _counts(found["n_rows"], found["rows"], SENSE_WORDS)),
            ("variables", _counts(found["n_cols"], found["columns"], KIND_WORDS)),
            ("non-zeros", f"{found['n_nonzeros']:,} (density {found['density']:.3%})"),
            ("per constraint", _spread(found["row_degree"])),
            ("per variable", _spread(found["col_degree"])),
            ("|coefficients|", _range(found["coefficients"])),
            ("|objective|", _range(found["objective"])),
            ("|sides|", _range(found["sides"])),
            ("|bounds|", _range(found["bounds"])),
            ("content", found["content_hash"][:16]),
            ("structure", found["structure_hash"][:16]),
            *(("accepted", note) for note in found["accepted"]),
        ],
    )


def _show_table(data_sets: list[dict[str, Any]]) -> None:
    output.table(
        None,
        ["data set", "variables are", "instances", "constraints", "variables", "non-zeros"],
        [
            [
                row["path"],
                _kinds(row["counts"]),
                row["instances"],
                *(row["counts"][key]["mean"] for key in ("rows", "cols", "nonzeros")),
            ]
            for row in data_sets
        ],
        left=2,
    )
    output.say("", "Constraints, variables and non-zeros are means over the instances.")


def _counts(total: int, counts: dict[str, int], words: dict[str, str]) -> str:
    parts = [f"{counts[key]:,} {word}" for key, word in words.items() if counts[key]]
    if len(parts) == 1:
        return f"{total:,}, all {parts[0].split(' ', 1)[1]}"
    return f"{total:,}: {', '.join(parts)}" if parts else "0"


def _kinds(counts: dict[str, Any]) -> str:
    means = {kind: counts[kind]["mean"] for kind in ("binary", "integer", "continuous", "semi")}
    present = {kind: mean for kind, mean in means.items() if mean}
    if len(present) <= 1:
        return next(iter(present), "none")
    total = sum(present.values())
    return ", ".join(f"{_percent(mean / total)} {kind}" for kind, mean in present.items())


def _percent(share: float) -> str:
    if share < 0.005:
        return "<1%"
    return f"{share:.0%}" if share < 0.995 else ">99%"


def _spread(degree: tuple[int, float, int]) -> str:
    least, mean, most = degree
    return f"{least:,} to {most:,} non-zeros, mean {mean:.4g}"


def _range(sizes: tuple[float, float] | None) -> str:
    if sizes is None:
        return "none"
    least, most = (f"{size:.6g}" for size in sizes)
    return least if least == most else f"{least} to {most}"
