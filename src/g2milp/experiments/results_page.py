"""RESULTS.md from committed results: every number comes from a JSON file, none is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.experiments.finding import Outcome
from g2milp.experiments.registry import EXPERIMENTS
from g2milp.experiments.running import page

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """# Results

Each table is made by the command below it. Our number is bold, its 95 % interval follows in
brackets, the paper's number last. MIK is a look-alike of the published set, made by
`g2milp problems make mik`. The paper's G2MILP stands beside our run of its published
hyper-parameters; *g2milp* is our default; *Rewire* learns nothing and sets the bar.

This page is written by `g2milp paper page`.
"""


def results_page(folder: Path) -> str:
    """All results of a folder, in the order of the experiments."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder of results")
    parts = [HEAD]
    for name, found in EXPERIMENTS.items():
        path = folder / f"{name}.json"
        if not path.is_file():
            continue
        try:
            document = json.loads(path.read_bytes())
            figures = dict.fromkeys(document["figures"], "")
            text = page(found, document, Outcome.from_json(document, figures))
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedArtifact(path, f"no result of an experiment ({error})") from error
        parts.append(text.replace(f"]({name}-", f"]({folder.as_posix()}/{name}-"))
    if len(parts) == 1:
        raise UsageError(f"{folder} holds no results")
    return "\n".join(parts)
