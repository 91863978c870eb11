"""The picture of the README, drawn from real data: ``python docs/figures.py``.

Left a template, right a look-alike of which 30 % of the constraints were redrawn. Each square is a
coefficient; those of constraints that differ are coloured.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from g2milp.baselines.rewire import Rewire
from g2milp.problems.registry import make

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp

TARGET = Path(__file__).parent / "images" / "lookalike.svg"
CELL = 6
GAP = 60
TOP = 24
KEPT, CHANGED, INK = "#5b7fa6", "#e07a3f", "#808080"


def main() -> None:
    """Draw the picture."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(picture(), encoding="utf-8")


def picture() -> str:
    """The SVG, the same text every time."""
    template = make("facility", 0, n_customers=8, n_facilities=6)
    lookalike = Rewire().fit([template]).sample(1, seed=1, mask_ratio=0.3)[0]
    changed = [i for i in range(template.n_rows) if _row(template, i) != _row(lookalike, i)]
    width = 2 * template.n_cols * CELL + GAP
    height = template.n_rows * CELL + TOP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        "<title>Matrix of a template and of a look-alike</title>",
        _matrix(template, changed, 0, f"template: {template.n_rows} × {template.n_cols}"),
        _matrix(
            lookalike,
            changed,
            template.n_cols * CELL + GAP,
            f"look-alike: {len(changed)} constraints redrawn",
        ),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _row(milp: Milp, i: int) -> list[int]:
    return [int(j) for j in milp.row(i)[0]]


def _matrix(milp: Milp, changed: list[int], left: int, title: str) -> str:
    squares: dict[str, list[str]] = {KEPT: [], CHANGED: []}
    for i in range(milp.n_rows):
        colour = CHANGED if i in changed else KEPT
        for j in _row(milp, i):
            x, y = left + j * CELL, TOP + i * CELL
            squares[colour].append(f"M{x} {y}h{CELL - 1}v{CELL - 1}h-{CELL - 1}z")
    paths = [f'<path fill="{colour}" d="{"".join(d)}"/>' for colour, d in squares.items()]
    return "\n".join([f'<text x="{left}" y="14" fill="{INK}">{title}</text>', *paths])


if __name__ == "__main__":
    main()
