"""`Drawing`: a canvas for SVG. Every figure carries a title and says in words what it shows.

Colours are CSS classes of the page (``real``, ``made``, ``random``, …), so that one drawing serves
the light page, the dark page and the printer. Canvases are about 360 units wide: their text stays
legible on a telephone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from g2milp.reports.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 360.0


@dataclass(frozen=True)
class Figure:
    """A picture and its words: `description` is the text alternative."""

    title: str
    description: str
    width: float
    height: float
    body: str

    def markup(self, identity: str) -> Markup:
        """The ``<svg>`` element; `identity` is unique in the page."""
        return Markup(
            '<svg viewBox="0 0 {w} {h}" preserveAspectRatio="xMinYMin" class="figure" role="img"'
            ' aria-labelledby="{i}t {i}d"><title id="{i}t">{t}</title><desc id="{i}d">{d}</desc>'
            "{body}</svg>"
        ).format(
            w=coordinate(self.width),
            h=coordinate(self.height),
            i=identity,
            t=visible(self.title),
            d=visible(self.description),
            body=Markup(self.body),
        )


class Drawing:
    """Collects shapes; `figure` ends it."""

    def __init__(self, height: float, width: float = WIDTH) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        """A straight line."""
        self.path(f"M{coordinate(x1)} {coordinate(y1)}L{coordinate(x2)} {coordinate(y2)}", style)

    def path(self, d: str, style: str) -> None:
        """Any path."""
        self._parts.append(f'<path class="{style}" d="{d}"/>')

    def steps(self, points: Iterable[tuple[float, float]], style: str) -> None:
        """A polyline through points."""
        d = "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points)
        if d:
            self.path(f"M{d}", style)

    def rectangle(self, x: float, y: float, width: float, height: float, style: str) -> None:
        """An upright rectangle."""
        self._parts.append(f'<rect class="{style}" {_box(x, y, width, height)}/>')

    def dots(self, points: Iterable[tuple[float, float]], style: str) -> None:
        """Many round dots as one path: a few bytes each."""
        d = "".join(f"M{coordinate(x)} {coordinate(y)}h0" for x, y in points)
        if d:
            self.path(d, f"dots {style}")

    def marks(self, points: Iterable[tuple[float, float]], style: str, shape: str) -> None:
        """Many marks of one shape (a path relative to its place), as one path."""
        d = "".join(f"M{coordinate(x)} {coordinate(y)}{shape}" for x, y in points)
        if d:
            self.path(d, f"mark {style}")

    def text(self, x: float, y: float, words: str, style: str = "", anchor: str = "start") -> None:
        """A line of text; it is escaped here."""
        self._parts.append(
            f'<text class="{style}" x="{coordinate(x)}" y="{coordinate(y)}"'
            f' text-anchor="{anchor}">{escape(visible(words))}</text>'
        )

    def image(self, x: float, y: float, width: float, height: float, url: str) -> None:
        """A picture from a ``data:`` URL, its pixels kept sharp."""
        self._parts.append(
            f'<image {_box(x, y, width, height)} href="{escape(url)}"'
            ' preserveAspectRatio="none" image-rendering="pixelated"/>'
        )

    def figure(self, title: str, description: str) -> Figure:
        """The finished figure."""
        return Figure(title, description, self.width, self.height, "".join(self._parts))


def coordinate(value: float) -> str:
    """At most one decimal."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def _box(x: float, y: float, width: float, height: float) -> str:
    w, h = coordinate(max(width, 0.0)), coordinate(max(height, 0.0))
    return f'x="{coordinate(x)}" y="{coordinate(y)}" width="{w}" height="{h}"'
