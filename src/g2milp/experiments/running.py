"""Runs one experiment: its lab, its result as JSON and Markdown, its figures.

<folder>/lab/               every step, shared by all experiments of this folder
<folder>/<name>.json        findings, settings, versions
<folder>/<name>.md          the same as a table
<folder>/<name>-*.svg       figures

JSON and figures can be put into another folder as well, to be kept under version control.
"""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from g2milp.experiments import markdown
from g2milp.experiments.finding import SCHEMA_VERSION, Outcome
from g2milp.experiments.registry import experiment
from g2milp.experiments.scales import described

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.experiments.lab import Lab
    from g2milp.experiments.registry import Experiment

PACKAGES = ("g2milp", "numpy", "scipy", "torch", "highspy", "pyscipopt", "gurobipy", "scikit-learn")


@dataclass(frozen=True)
class Ran:
    """What a run leaves behind."""

    outcome: Outcome
    document: dict[str, Any]
    table: str
    files: tuple[Path, ...]


def run(name: str, lab: Lab, folder: Path, command: str, results: Path | None = None) -> Ran:
    """Run the experiment (steps that are there are not done again) and write its result.

    `results` gets JSON and figures, without the lab, in a folder named like the scale.
    """
    from g2milp.instance.io.atomic import write_bytes, write_json

    found = experiment(name)
    started = time.perf_counter()
    outcome = found.load()(lab)
    seconds = round(time.perf_counter() - started, 1)
    document = {
        "schema_version": SCHEMA_VERSION,
        "experiment": name,
        "title": found.title,
        "paper": found.paper,
        "command": command,
        "scale": lab.scale.as_json(),
        "seed": lab.seed,
        "seconds": seconds,
        "made_with": _environment(),
        **outcome.as_json(),
    }
    table = page(found, document, outcome)
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}.json", folder / f"{name}.md"]
    write_json(files[0], document, overwrite=True)
    write_bytes(files[1], table.encode(), overwrite=True)
    files += _figures(name, outcome, folder)
    if results is not None:
        kept = results / lab.scale.name
        kept.mkdir(parents=True, exist_ok=True)
        write_json(kept / f"{name}.json", document, overwrite=True)
        files += [kept / f"{name}.json", *_figures(name, outcome, kept)]
    return Ran(outcome, document, table, tuple(files))


def _figures(name: str, outcome: Outcome, folder: Path) -> list[Path]:
    from g2milp.instance.io.atomic import write_bytes

    paths = []
    for figure, text in outcome.figures.items():
        paths.append(folder / f"{name}-{figure}")
        write_bytes(paths[-1], text.encode(), overwrite=True)
    return paths


def page(found: Experiment, document: dict[str, Any], outcome: Outcome) -> str:
    """Heading, what was run at which scale, tables, figures, notes and command."""
    where = f"{found.printed} of the paper" if found.paper else "not in the paper"
    lines = [f"## {found.title}", "", f"`{found.name}`, {where}. {_scale(document, outcome)}"]
    lines += ["", markdown.tables(outcome)]
    for figure in sorted(outcome.figures):
        lines += [f"![{_words(found, figure)}]({found.name}-{figure})", ""]
    lines += [f"- {note}" for note in outcome.notes]
    lines += [""] * bool(outcome.notes)
    lines += [f"Made on {document['made_with']['when'][:10]} by", "", "```console"]
    lines += [f"$ {document['command']}", "```", ""]
    return "\n".join(lines)


def _scale(document: dict[str, Any], outcome: Outcome) -> str:
    """At which scale, and how many instances a cell stands for."""
    scale = document["scale"]
    text = f"Scale {described(scale)}"
    counts = sorted({cell.count for cell in outcome.findings if cell.count})
    if counts:
        several = f" to {counts[-1]:,}" if len(counts) > 1 else ""
        text += f"; each cell from {counts[0]:,}{several} instances or repeats"
    text += "."
    if scale["name"] == "smoke":
        text += " **A test of the machinery: these numbers mean nothing.**"
    return text


def _words(found: Experiment, figure: str) -> str:
    return f"{found.title}: {figure.removesuffix('.svg')}"


def _environment() -> dict[str, Any]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "versions": versions,
    }
