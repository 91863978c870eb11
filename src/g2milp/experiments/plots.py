"""Figures of experiments as SVG files that stand alone: curves over a parameter, and maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from g2milp.reports.figures.axis import Axis
from g2milp.reports.figures.drawing import Drawing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.experiments.finding import Finding
    from g2milp.reports.figures.drawing import Figure

WIDTH, HEIGHT = 480.0, 280.0
FACTOR = 3.0
"""Values that reach further above one are drawn on a logarithmic axis."""
LEFT, RIGHT, TOP, BOTTOM = 44.0, 156.0, 34.0, 40.0
BESIDE = 3.0
"""Lines stand this far beside each other, so that equal ones can be seen."""
STYLE = """
svg{font:12px system-ui,sans-serif;background:#fff}text{fill:#333}.tick{fill:#666;font-size:11px}
.axis{stroke:#999;fill:none}.grid{stroke:#e6e6e6;fill:none}.frame{fill:none;stroke:#ccc}
.line{fill:none;stroke-width:2}.band{fill:none;stroke-width:1}
.dots{fill:none;stroke-width:6;stroke-linecap:round;stroke-opacity:.7}.small{stroke-width:3.5}
.c0{stroke:#b23a48}.c1{stroke:#2a7f62}.c2{stroke:#d98e04}.c3{stroke:#2b59c3}
.real{stroke:#b23a48}.made{stroke:#2b59c3}.random{stroke:#2a7f62}
text.c0,text.c1,text.c2,text.c3,text.real,text.made,text.random{stroke:none}
text.c0,text.real{fill:#b23a48}text.c1,text.random{fill:#2a7f62}text.c2{fill:#d98e04}text.c3,text.made{fill:#2b59c3}
"""


@dataclass(frozen=True)
class Curve:
    """One line: points with their intervals."""

    name: str
    points: tuple[tuple[float, float, tuple[float, float] | None], ...]

    @classmethod
    def of(cls, generator: str, points: Sequence[tuple[float, Finding]]) -> Curve:
        """Of the findings that have a number."""
        from g2milp.experiments.generators import label_of

        kept = [(x, f.value, f.interval) for x, f in points if f.value is not None]
        return cls(label_of(generator), tuple(kept))


def curves(title: str, along: str, lines: Sequence[Curve]) -> str:
    """Lines with error bars over a logarithmic axis from the smallest to the largest x."""
    drawing = Drawing(HEIGHT, WIDTH)
    every = [point for line in lines for point in line.points]
    if not every:
        return standalone(drawing.figure(title, "No numbers."))
    xs = sorted({x for x, _, _ in every})
    across = Axis(xs[0] / 1.1, xs[-1] * 1.1, LEFT, WIDTH - RIGHT, xs[0] > 0)
    lowest = min(min(y, i[0] if i else y) for _, y, i in every)
    highest = max(max(y, i[1] if i else y) for _, y, i in every)
    by_factors = lowest > 0 and highest > FACTOR
    up = Axis(min(lowest, 0.95), max(highest, 1.0), HEIGHT - BOTTOM, TOP, by_factors)
    drawing.text(LEFT, 16.0, title)
    for value, label in up.ticks(5):
        drawing.line(LEFT, up(value), WIDTH - RIGHT, up(value), "grid")
        drawing.text(LEFT - 5, up(value) + 4, label, "tick", "end")
    for x in xs:
        drawing.line(across(x), HEIGHT - BOTTOM, across(x), HEIGHT - BOTTOM + 4, "axis")
        drawing.text(across(x), HEIGHT - BOTTOM + 17, f"{x:g}", "tick", "middle")
    drawing.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis")
    drawing.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, along, "tick", "middle")
    for number, line in enumerate(lines):
        style = f"c{number % 4}"
        aside = BESIDE * (number - (len(lines) - 1) / 2)
        drawing.steps([(across(x) + aside, up(y)) for x, y, _ in line.points], f"line {style}")
        for x, _, interval in line.points:
            if interval is not None:
                at = across(x) + aside
                drawing.line(at, up(interval[0]), at, up(interval[1]), f"band {style}")
        drawing.text(WIDTH - RIGHT + 8, TOP + 14 + 18 * number, line.name, style)
    words = "; ".join(
        f"{line.name}: " + ", ".join(f"{x:g}: {y:.3g}" for x, y, _ in line.points) for line in lines
    )
    return standalone(drawing.figure(title, words))


def standalone(figure: Figure) -> str:
    """The figure as a file of its own, with its colours."""
    markup = str(figure.markup("figure"))
    head, _, rest = markup.partition(">")
    head = head.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f"{head}><style>{STYLE}</style>{rest}\n"
