"""Runs one experiment: its lab, its result as JSON and Markdown, its figures.

<folder>/lab/               every step, shared by all experiments of this folder
<folder>/<name>.json        findings, settings, versions
<folder>/<name>.md          the same as a table
<folder>/<name>-*.svg       figures
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


def run(name: str, lab: Lab, folder: Path, command: str) -> Ran:
    """Run the experiment (steps that are there are not done again) and write its result."""
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
    for figure, text in outcome.figures.items():
        path = folder / f"{name}-{figure}"
        write_bytes(path, text.encode(), overwrite=True)
        files.append(path)
    return Ran(outcome, document, table, tuple(files))


def page(found: Experiment, document: dict[str, Any], outcome: Outcome) -> str:
    """Heading, table, notes and command."""
    where = f" ({found.paper} of the paper)" if found.paper else " (not in the paper)"
    lines = [
        f"## {found.title}",
        "",
        f"`{found.name}`{where}, scale `{document['scale']['name']}`:",
    ]
    lines += ["", markdown.table(outcome)]
    lines += [f"![{found.title}]({found.name}-{figure})" for figure in sorted(outcome.figures)]
    lines += [f"- {note}" for note in outcome.notes]
    lines += ["", f"Made by `{document['command']}` on {document['made_with']['when'][:10]}.", ""]
    return "\n".join(lines)


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
