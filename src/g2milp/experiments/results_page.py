"""RESULTS.md from committed results: every number comes from a JSON file, none is typed."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.experiments.finding import Outcome
from g2milp.experiments.registry import EXPERIMENTS
from g2milp.experiments.running import page
from g2milp.experiments.scales import SCALES

if TYPE_CHECKING:
    from g2milp.experiments.registry import Experiment

HEAD = """# Results

How good are generated instances? Every table and figure of
[the paper](https://arxiv.org/abs/2310.02807) made again, and more that it does not ask.

**How to read a cell.** **0.982** [0.978, 0.985] (paper 0.895): our number, its 95 % interval, the
published number. `–` stands where there is none, and the reason follows.

| row | what it is |
|---|---|
| *g2milp* | the default of this package, preset `best` |
| *G2MILP as published* | the authors' hyper-parameters; the paper's G2MILP stands here |
| *Rewire (typed, simple)* | exchanges entries between rows and learns nothing: the bar to pass |
| *Random*, *Bowly*, *G2SAT* | the paper's baselines |
| *fresh real instances* | others of the same kind: nobody can be expected to do better |

η is the share of masked rows. MIK is a look-alike of the published set, made by
`g2milp problems make mik`; three real files of it have a section of their own. Each section names
the scale it was run at and the command that makes it again; scales are described in
[docs/experiments.md](docs/experiments.md). This page is written by `g2milp paper page`.
"""


def results_page(folder: Path, target: Path | None = None) -> str:
    """All results of a folder, in the order of the experiments.

    Results lie in `folder`, or in one folder for each scale; then the largest scale that an
    experiment was run at is shown. Links to figures are relative to the page at `target`.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder of results")
    places = [folder / name for name in reversed(SCALES) if (folder / name).is_dir()] or [folder]
    base = Path() if target is None else target.parent
    contents, parts, missing = [], [], []
    for name, found in EXPERIMENTS.items():
        path = next((p / f"{name}.json" for p in places if (p / f"{name}.json").is_file()), None)
        if path is None:
            missing.append(f"`{name}`")
            continue
        document, text = _section(found, path)
        home = Path(os.path.relpath(path.parent, base)).as_posix()
        parts.append(text.replace(f"]({name}-", f"]({home}/{name}-"))
        where = found.printed or "–"
        contents.append(
            f"| [{found.title}](#{_anchor(found.title)}) | {where} | {document['scale']['name']} |"
        )
    if not parts:
        raise UsageError(f"{folder} holds no results")
    head = [HEAD, "| section | in the paper | scale |", "|---|---|---|", *contents, ""]
    if missing:
        head += [f"Not run yet: {', '.join(missing)}.", ""]
    return "\n".join([*head, *parts])


def _section(found: Experiment, path: Path) -> tuple[dict[str, Any], str]:
    try:
        document = json.loads(path.read_bytes())
        figures = dict.fromkeys(document["figures"], "")
        return document, page(found, document, Outcome.from_json(document, figures))
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedArtifact(path, f"no result of an experiment ({error})") from error


def _anchor(title: str) -> str:
    """The name that a heading gets on the usual sites."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
