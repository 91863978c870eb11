"""Figures stand alone: well-formed, with words, every curve drawn."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from g2milp.experiments.finding import Finding
from g2milp.experiments.plots import Curve, curves

SVG = "{http://www.w3.org/2000/svg}"


def points(values):
    return [
        (x, Finding(row="r", column="c", value=y, interval=None if y is None else (y - 0.1, y)))
        for x, y in values
    ]


@pytest.mark.parametrize("values", [[], [(0.1, 0.5)], [(0.1, 0.5), (1.0, 1.0), (0.5, None)]])
def test_a_figure_is_a_file_of_its_own(values):
    lines = [Curve.of("rewire", points(values)), Curve.of("best", points(values))]
    root = ElementTree.fromstring(curves("A & <title>", "η", lines))
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text == "A & <title>"
    known = [x for x, y in values if y is not None]
    for x in known:
        assert f"{x:g}" in root.find(f"{SVG}desc").text
    drawn = [p for p in root.iter(f"{SVG}path") if p.get("class", "").startswith("line")]
    assert len(drawn) == (2 if known else 0)
