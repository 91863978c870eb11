"""``report.html``: one file, no script, nothing loaded from anywhere, below 6 MB.

All text comes through Jinja2's autoescape; a content security policy in the page forbids scripts
and requests altogether, so a hostile name could not do anything even if it got through.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from g2milp.errors import UsageError
from g2milp.evaluation import numbers, tables
from g2milp.instance.io.atomic import write_bytes
from g2milp.reports import sections, text
from g2milp.reports.pairs import pairs
from g2milp.reports.provenance import provenance
from g2milp.reports.verdict import verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from g2milp.evaluation.result import Evaluation
    from g2milp.reports.downstream import DownstreamTask
    from g2milp.reports.figures.drawing import Figure

LIMIT = 6_000_000
"""Bytes: what a mail takes and a telephone opens."""
DETAIL = (1000, 24, 6)
"""Histograms of a set; with many sets fewer are drawn, so that the page stays below the limit."""
SHOWN = 12
"""Histograms that are open at once."""


def write_report(
    found: Sequence[Evaluation],
    path: str | Path,
    *,
    tasks: Sequence[DownstreamTask] = (),
    overwrite: bool = False,
) -> None:
    """Write the report of one or more sets that were judged against the same reference.

    `tasks` are downstream tasks that the sets were used in. A file that is there already is left
    alone when it holds the same report, and refused otherwise.
    """
    page, target = render(found, tasks).encode(), Path(path)
    if overwrite or not (target.is_file() and target.read_bytes() == page):
        write_bytes(target, page, overwrite=overwrite)


def render(found: Sequence[Evaluation], tasks: Sequence[DownstreamTask] = ()) -> str:
    """The page. The same evaluations give the same bytes."""
    if not found:
        raise UsageError("there is nothing to report on")
    page = ""
    for most in DETAIL:
        page = _page([_view(number, e, most) for number, e in enumerate(found, start=1)], tasks)
        if len(page.encode()) < LIMIT:
            break
    return page


@dataclass(frozen=True, eq=False)
class SetView:
    """One generated set as the template needs it; `key` starts its anchors."""

    key: str
    evaluation: Evaluation
    content: dict[str, Any]


def _view(number: int, evaluation: Evaluation, most: int) -> SetView:
    drawn = sections.panels(evaluation, most)
    telling = [panel for panel in drawn if not panel.is_constant]
    content = {
        "verdict": verdict(evaluation),
        "score": sections.score_figure([evaluation]),
        "classifier": sections.classifier_figure(evaluation),
        "distances": sections.distance_figure(evaluation),
        "ratios": sections.ratio_figure(evaluation),
        "efforts": sections.effort_figures(evaluation),
        "map": sections.map_figure(evaluation),
        "pairs": pairs(evaluation),
        "panels": telling[:SHOWN],
        "more_panels": telling[SHOWN:],
        "constant_panels": [panel for panel in drawn if panel.is_constant],
        "not_drawn": len(evaluation.statistics) - len(drawn),
        "feasibility": sections.validity_figure(evaluation),
        "nearest": sections.nearest_figure(evaluation),
        "tables": {table.name: table for table in tables.tables(evaluation)},
        "provenance": provenance(evaluation),
    }
    return SetView(f"set{number}", evaluation, content)


def _page(sets: list[SetView], tasks: Sequence[DownstreamTask]) -> str:
    style = files("g2milp.reports").joinpath("templates", "report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    found = [view.evaluation for view in sets]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            sets=sets,
            tasks=tasks,
            first=found[0],
            reference_name=reference_name(found[0]),
            overview=sections.score_figure(found) if len(found) > 1 else None,
            main_comparisons=_main_comparisons,
            draw=_Numbered(),
            style=Markup(style),
            style_digest=digest,
        )
    )


def reference_name(evaluation: Evaluation) -> str:
    """The folder of the real instances; "real instances" where they are in no folder."""
    path = evaluation.evidence.reference_data.paths[0]
    return path.resolve().parent.name if path is not None else "real instances"


def _main_comparisons(evaluation: Evaluation) -> Any:
    from g2milp.reports.verdict import main_comparisons

    return main_comparisons(evaluation)


class _Numbered:
    """Draws figures with identities that are unique in the page."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, figure: Figure) -> Markup:
        self._count += 1
        return figure.markup(f"f{self._count}")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("g2milp.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=numbers.number,
        score=numbers.score,
        percent=numbers.percent,
        ratio=numbers.ratio,
        code=_with_code,
        name=lambda words: text.visible(words, text.LONGEST),
        visible=text.visible,
    )
    return environment


def _with_code(words: str) -> Markup:
    """A sentence in which commands stand between backticks."""
    parts = [escape(text.visible(part)) for part in words.split("`")]
    shown = [Markup("<code>{}</code>").format(p) if i % 2 else p for i, p in enumerate(parts)]
    return Markup("").join(shown)
