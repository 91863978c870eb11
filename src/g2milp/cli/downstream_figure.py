"""The figure of a downstream task as an SVG file that stands alone."""

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
    """Draw what a result says under ``figure``."""
    from g2milp.instance.io.atomic import write_bytes
    from g2milp.reports.downstream import figure_of

    text = str(figure_of(figure).markup("downstream"))
    text = text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="720" ', 1)
    text = text.replace("<title", f"<style>{STYLE}</style><title", 1)
    write_bytes(path, (text + "\n").encode(), overwrite=True)
