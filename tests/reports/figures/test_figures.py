"""What all figures have in common, and what each one shows in its words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np
import pytest

from g2milp.evaluation.hardness.records import Efforts
from g2milp.reports.figures.drawing import Drawing, Figure
from g2milp.reports.figures.effort import effort_curves
from g2milp.reports.figures.histogram import count, histogram
from g2milp.reports.figures.intervals import Mark, intervals
from g2milp.reports.figures.scatter import scatter
from g2milp.reports.figures.shares import Part, shares

SVG = "{http://www.w3.org/2000/svg}"


def efforts(values: list[float], cut: list[bool] | None = None) -> Efforts:
    return Efforts(np.arange(len(values)), np.array(values), np.array(cut or [False] * len(values)))


def points(count: int) -> np.ndarray:
    return np.random.default_rng(count).normal(size=(count, 2))


MAKERS: dict[str, Callable[[], Figure]] = {
    "intervals": lambda: intervals("t", [Mark("<a&b>", 0.5, 0.4, 0.6, "made", "0.5")], (0, 1)),
    "histogram": lambda: histogram("t", np.arange(50.0), np.arange(30.0) + 20),
    "constant": lambda: histogram("t", np.ones(5), np.ones(3)),
    "effort": lambda: effort_curves("t", "work", efforts([1, 20, 300]), efforts([5, 6])),
    "scatter": lambda: scatter("t", "words", [("real", points(9)), ("made", points(400))]),
    "shares": lambda: shares("t", [Part("a", 0.25, "good"), Part("b", 0.75, "bad")]),
}


@pytest.mark.parametrize("name", MAKERS)
def test_each_is_well_formed_and_has_title_and_words(name: str):
    figure = MAKERS[name]()
    text = str(figure.markup("f1"))
    root = ElementTree.fromstring(text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "f1t f1d"
    title, words = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert words is not None
    assert title.text == figure.title
    assert words.text == figure.description
    assert len(list(root)) > 2
    assert "nan" not in text.lower().replace("instances", "")


@pytest.mark.parametrize("name", MAKERS)
def test_no_shape_lies_outside_of_the_canvas(name: str):
    figure = MAKERS[name]()
    for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", figure.body):
        assert -0.1 <= float(x) <= figure.width + 0.1
        assert -0.1 <= float(y) <= figure.height + 0.1


def test_text_is_escaped_and_the_invisible_shown():
    drawing = Drawing(10)
    drawing.text(0, 0, "<b>&\u202e")
    figure = drawing.figure('"<t>"', "<d>")
    assert "&lt;b&gt;&amp;\\u202e" in figure.body
    assert "<t>" not in str(figure.markup("x"))
    assert "<d>" not in str(figure.markup("x"))


def test_shares_of_a_histogram_sum_to_one_whatever_lies_far_out():
    rng = np.random.default_rng(0)
    real = rng.normal(size=500)
    made = np.append(rng.normal(size=300), [1e9, -1e9])
    counts = count(real, made)
    assert counts.real.sum() == pytest.approx(1.0)
    assert counts.made.sum() == pytest.approx(1.0)
    assert counts.beyond == 2
    assert counts.edges[-1] < 100
    assert "2 instances lie beyond" in histogram("t", real, made).description


def test_whole_numbers_have_a_bar_each():
    counts = count(np.array([1.0, 2.0, 2.0, 4.0]), np.array([3.0]))
    assert counts.real.tolist() == [0.25, 0.5, 0.0, 0.25]
    assert counts.made.tolist() == [0.0, 0.0, 1.0, 0.0]


def test_a_histogram_tells_its_spread_in_words():
    words = histogram("t", np.ones(4), np.arange(101.0)).description
    assert words == "real: always 1; generated: median 50, nine tenths from 5 to 95."
    assert "no value" in histogram("t", np.ones(2), np.array([np.nan])).description


def test_efforts_tell_the_median_and_what_was_cut_off():
    words = effort_curves(
        "t", "work", efforts([10, 20, 30]), efforts([10, 99, 99], [False, True, True])
    ).description
    assert "real: 3 instances, half solved within 20, 0\u00a0% cut off" in words
    assert "generated: 3 instances, fewer than half solved, 67\u00a0% cut off" in words


def test_censored_efforts_are_marked():
    cut = effort_curves("t", "work", efforts([1, 2]), efforts([5, 9], [False, True]))
    none = effort_curves("t", "work", efforts([1, 2]), efforts([5, 9]))
    assert cut.body.count("l8 8m0 -8l-8 8") == 1
    assert none.body.count("l8 8m0 -8l-8 8") == 0


def test_efforts_far_below_one_fill_the_axis():
    values = [0.002, 0.004, 0.009, 0.03]
    drawn = effort_curves("t", "work", efforts(values), efforts([0.003, 0.0]))
    lines = re.findall(r'class="line real" d="([^"]+)"', drawn.body)
    places = {float(x) for x in re.findall(r"[ML](-?[\d.]+) ", lines[0])}
    assert len(places) >= len(values)
    assert max(places) - min(places) > drawn.width / 2


def test_kinds_of_marks_on_the_map_differ_in_shape():
    figure = scatter("t", "w", [(style, points(4)) for style in ("real", "made", "random")])
    shapes = dict(re.findall(r'class="(?:mark|dots) (\w+)" d="M[\d.]+ [\d.]+([^M"]+)', figure.body))
    assert set(shapes) == {"real", "made", "random"}
    assert len(set(shapes.values())) == 3


def test_the_reference_line_crosses_no_label():
    figure = intervals("t", [Mark("a", 0.5, 0.4, 0.6, "made", "0.5")] * 3, (0, 1), line_at=0.5)
    lines = re.findall(r'class="reference" d="M[\d.]+ ([\d.]+)L[\d.]+ ([\d.]+)"', figure.body)
    labels = [float(y) for y in re.findall(r'class="label" x="[\d.]+" y="([\d.]+)"', figure.body)]
    assert len(lines) == len(labels) == 3
    for top, bottom in lines:
        assert not any(float(top) <= y <= float(bottom) for y in labels)
