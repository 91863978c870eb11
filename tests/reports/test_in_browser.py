"""The report opened in headless Chromium: what a reader sees, hears and can reach."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.reports.browser import Browser, Page
from tests.reports.test_downstream import RESULT

from g2milp.evaluation.result import Evaluation
from g2milp.reports.downstream import task_of
from g2milp.reports.report import write_report

WIDTHS = (1280, 390)

PICTURES = """[...document.querySelectorAll("figure")].map(figure => {
  const drawing = figure.querySelector("svg.figure");
  const box = drawing ? drawing.getBoundingClientRect() : {width: 0, height: 0};
  const shown = figure.checkVisibility();
  return {
    shown, width: box.width, height: box.height,
    shapes: drawing ? drawing.querySelectorAll("path, rect, image, text").length : 0,
    title: drawing?.querySelector("title")?.textContent ?? "",
    words: drawing?.querySelector("desc")?.textContent ?? "",
  };
})"""

CONTRAST = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  const light = colour => {
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const part = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!colour.startsWith("rgba") && colour !== "transparent") return colour;
    }
    return "white";
  };
  const found = {};
  for (const what of ["h1 span", "p", "dd", ".answer", "figcaption", "code", "td", "caption", "a"])
    for (const element of document.querySelectorAll(what)) {
      const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      found[what] = Math.min(found[what] ?? 99, ratio);
    }
  return found;
})()"""


@pytest.fixture(scope="module")
def path(found: list[Evaluation], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "report.html"
    write_report(found, file, tasks=[task_of(RESULT)])
    return file


@pytest.fixture(scope="module", params=WIDTHS)
def page(request: pytest.FixtureRequest, browser: Browser, path: Path) -> Page:
    return browser.open(path, request.param)


def test_it_has_no_complaints_and_asks_nobody(page: Page, path: Path):
    assert page.complaints == []
    outside = [url for url in page.requests if not url.startswith("data:")]
    assert outside == [path.resolve().as_uri()]


def test_nothing_sticks_out_at_the_side(page: Page):
    wide, room = page.value("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room


def test_every_figure_has_its_picture_and_its_words(page: Page):
    figures = page.value(PICTURES)
    assert len(figures) > 100
    for figure in figures:
        assert figure["shapes"] > 0
        assert figure["title"]
        assert len(figure["words"]) > 10
        if figure["shown"]:
            assert figure["width"] > 100
            assert figure["height"] > 15
    assert sum(figure["shown"] for figure in figures) > 30


def test_pictures_of_matrices_hold_pixels(page: Page):
    sizes = page.value(
        """Promise.all([...document.querySelectorAll("image")].map(async image => {
             const picture = new Image(); picture.src = image.href.baseVal; await picture.decode();
             return [picture.naturalWidth, picture.naturalHeight]; }))""",
        wait=True,
    )
    assert len(sizes) == 8
    assert all(width > 1 and height > 1 for width, height in sizes)


def test_a_screen_reader_is_told_what_each_picture_shows(page: Page):
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    pictures = [node for node in nodes if node.get("role", {}).get("value") == "image"]
    assert len(pictures) > 30
    for node in pictures:
        assert len(node["name"]["value"]) > 10
    roles = {node.get("role", {}).get("value") for node in nodes}
    assert {"main", "banner", "navigation", "contentinfo", "heading", "table"} <= roles


def test_headings_form_an_outline(page: Page):
    levels = page.value('[...document.querySelectorAll("h1, h2, h3")].map(h => +h.tagName[1])')
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_keyboard_reaches_everything(browser: Browser, path: Path):
    page = browser.open(path, WIDTHS[0])
    page.press("Tab", 9)
    assert page.value("document.activeElement.className") == "skip"
    page.press("Enter", 13)
    assert page.value("location.hash") == "#main"
    page.value('document.querySelector("section[id$=statistics] summary").focus()')
    closed = page.value("document.activeElement.parentElement.open")
    page.press(" ", 32)
    assert closed is False
    assert page.value("document.activeElement.parentElement.open") is True
    unreachable = page.value(
        """[...document.querySelectorAll(".scroll")].filter(e => e.tabIndex !== 0).length"""
    )
    assert unreachable == 0


@pytest.mark.parametrize("dark", [False, True])
def test_words_can_be_read_in_both_themes(browser: Browser, path: Path, dark: bool):
    page = browser.open(path, WIDTHS[0], dark=dark)
    ratios = page.value(CONTRAST)
    assert len(ratios) == 9
    assert {what: ratio for what, ratio in ratios.items() if ratio < 4.5} == {}


def test_the_reader_may_choose_the_theme(browser: Browser, path: Path):
    page = browser.open(path, WIDTHS[0])
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.value(ground)
    page.value('document.getElementById("theme-dark").click()')
    assert page.value(ground) != light


def test_in_print_all_is_open_and_the_page_is_white(browser: Browser, path: Path):
    page = browser.open(path, WIDTHS[0], dark=True)
    page.call("Emulation.setEmulatedMedia", media="print")
    seen = "[...document.querySelectorAll('{}')].every(p => p.checkVisibility())"
    assert page.value(seen.format("details:not(.constant) .panel"))
    # What is the same everywhere is in the table, and wastes no paper beside it.
    assert page.value(seen.format("details table"))
    assert not page.value(seen.format(".constant"))
    assert page.value('document.querySelector("nav").checkVisibility()') is False
    assert page.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf().startswith(b"%PDF")
