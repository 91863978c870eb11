"""The figure of a downstream task: a value with its interval for each training set, as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

STYLE = (
    "svg{font:12px system-ui,sans-serif;background:#fff}"
    "text{fill:#333}.tick{fill:#777;font-size:11px}.label{font-weight:600}"
    "path{fill:none;stroke:#888}.grid,.track{stroke:#e4e4e4}.reference{stroke-dasharray:3 3}"
    ".dots{stroke-width:9;stroke-linecap:round}.whisker{stroke-width:3}"
    ".real{stroke:#555}.made{stroke:#0b6e99}"
)
"""What the page of the report gives to its figures, for a file that stands alone."""


def write_figure(figure: dict[str, Any], path: Path) -> None:
    """Draw ``{title, reference, marks: [{label, value, low, high, shown, real}]}``."""
    from g2milp.instance.io.atomic import write_bytes
    from g2milp.reports.figures.intervals import Mark, intervals

    marks = [
        Mark(
            label=mark["label"],
            value=mark["value"],
            low=mark["low"],
            high=mark["high"],
            style="real" if mark["real"] else "made",
            shown=mark["shown"],
        )
        for mark in figure["marks"]
    ]
    ends = [end for mark in marks for end in (mark.low, mark.high)] + [0.0]
    low, high = min(ends), max(ends)
    margin = 0.05 * (high - low) or 1.0
    drawn = intervals(
        figure["title"], marks, (low, high + margin), line_at=figure["reference"]
    ).markup("downstream")
    text = str(drawn).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="720" ', 1)
    text = text.replace("<title", f"<style>{STYLE}</style><title", 1)
    write_bytes(path, (text + "\n").encode(), overwrite=True)
