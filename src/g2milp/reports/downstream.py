"""Results of downstream tasks as the report shows them: whether generated instances pay.

A ``result.json`` is input like any other file: bounded, and what does not look like one is refused.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.errors import DamagedArtifact, UnreadableFile
from g2milp.evaluation.numbers import number
from g2milp.reports.figures.intervals import Mark, intervals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from g2milp.reports.figures.drawing import Figure

RESULT = "result.json"
MOST_BYTES = 1 << 28
MOST_ROWS = 100
"""Training sets that are drawn."""
MEASURES = {
    "optimal-value": ("Optimal value prediction", "test MSE", "mse"),
    "predict-and-search": ("Predict-and-search", "work to the optimum", "work_to_optimum"),
    "tuning": ("Tuning of HiGHS", "effort / default", "transfer"),
}
"""Of each task: title, what is measured in words and in the summary."""
COLUMNS = ("added", "improvement", "95 % interval", "better")


@dataclass(frozen=True, eq=False)
class DownstreamTask:
    """One task; `columns` and `written` are its table, `facts` how it was done."""

    title: str
    figure: Figure
    columns: tuple[str, ...]
    written: tuple[tuple[str, ...], ...]
    facts: str


def read_task(path: str | Path) -> DownstreamTask:
    """From the folder of a task, or its ``result.json``."""
    file = Path(path)
    file = file / RESULT if file.is_dir() else file
    try:
        if not file.is_file():
            raise UnreadableFile(file, "there is no result of `g2milp downstream`")
        if file.stat().st_size > MOST_BYTES:
            raise DamagedArtifact(file, "too large")
        return task_of(json.loads(file.read_bytes()))
    except OSError as error:
        raise UnreadableFile(file, error.strerror or str(error)) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedArtifact(file, "this is no result of `g2milp downstream`") from error


def task_of(result: Mapping[str, Any]) -> DownstreamTask:
    """Figure and table of a result."""
    title, measure, key = MEASURES[result["task"]]
    rows = result["summary"][:MOST_ROWS]
    failures = result["task"] == "predict-and-search"
    if failures:
        rows = [*rows, result["whole_instance"]]  # searched without a prediction
    checked = result["guard"]["checked"]
    return DownstreamTask(
        title=title,
        figure=figure_of(result["figure"]),
        columns=("training set", measure, *(("failures",) if failures else ()), *COLUMNS),
        written=tuple(
            (
                str(row["arm"]),
                _spread(row[key]),
                *((number(row["failures"]["mean"]),) if failures else ()),
                *_gain(row),
            )
            for row in rows
        ),
        facts=(
            f"{int(result['train']['instances'])} real instances to learn from, "
            f"{int(result['test']['instances'])} to test on; no kin among "
            f"{sum(int(count) for count in checked.values())} checked instances; "
            f"g2milp {result['g2milp']}."
        ),
    )


def figure_of(figure: Mapping[str, Any]) -> Figure:
    """Draw ``{title, reference, marks: [{label, value, low, high, shown, real}]}``."""
    marks = [
        Mark(
            label=str(mark["label"]),
            value=_finite(mark["value"]),
            low=_finite(mark["low"]),
            high=_finite(mark["high"]),
            style="real" if mark["real"] else "made",
            shown=str(mark["shown"]),
        )
        for mark in figure["marks"][:MOST_ROWS]
    ]
    ends = [end for mark in marks for end in (mark.low, mark.high)] + [0.0]
    low, high = min(ends), max(ends)
    reference = figure["reference"]
    return intervals(
        str(figure["title"]),
        marks,
        (low, high + (0.05 * (high - low) or 1.0)),
        line_at=None if reference is None else _finite(reference),
    )


def _finite(value: Any) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be drawn")
    return float(value)


def _spread(of: Mapping[str, Any]) -> str:
    return number(of["mean"], 4) + ("" if of["std"] is None else f" ± {number(of['std'])}")


def _gain(row: Mapping[str, Any]) -> tuple[str, ...]:
    added, gain = row["added"], row["improvement"]
    if gain is None:
        return ("–",) * len(COLUMNS)
    ends = gain["of_means_interval"]
    return (
        " to ".join(str(end) for end in dict.fromkeys((added[0], added[-1]))),
        f"{gain['of_means']:+.1%}",
        "–" if ends is None else f"{ends[0]:+.1%} to {ends[1]:+.1%}",
        f"{int(gain['better'])} of {int(gain['n'])}",
    )
