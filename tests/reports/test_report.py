"""The page as text: one file, nothing loaded, nothing obeyed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from g2milp.errors import AlreadyExists, UsageError
from g2milp.evaluation.result import Evaluation
from g2milp.reports import report
from g2milp.reports.report import LIMIT, render, write_report


class Elements(HTMLParser):
    """Tags with their attributes, in order; and what is open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def values(self, name: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.found if name in attrs]


@pytest.fixture(scope="module")
def page(found: list[Evaluation]) -> str:
    return render(found)


@pytest.fixture(scope="module")
def elements(page: str) -> Elements:
    return Elements(page)


def test_the_same_evaluations_give_the_same_bytes(page: str, found: list[Evaluation]):
    assert render(found) == page
    assert len(page.encode()) < LIMIT


def test_nothing_is_run_and_nothing_is_loaded(page: str, elements: Elements):
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"script", "iframe", "object", "embed", "form", "base"}
    assert not [name for _, attrs in elements.found for name in attrs if name.startswith("on")]
    for name in ("src", "href", "srcset", "action"):
        assert all(url.startswith(("#", "data:")) for url in elements.values(name))
    assert "url(" not in page
    assert "@import" not in page


def test_names_from_files_are_shown_and_not_obeyed(page: str, elements: Elements):
    # The page's own pictures are SVG: an <img> could only have come from the hostile name.
    assert "img" not in {tag for tag, _ in elements.found}
    assert "&lt;img src=x onerror=alert(1)&gt;&amp;&#39;&#34; \\u202egnol" in page
    assert "\u202e" not in page


def test_the_policy_names_the_style_of_this_page(page: str):
    import base64
    import hashlib

    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert len(style) == 1
    digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page.replace("&#39;", "'")
    assert "default-src 'none'" in page


def test_every_identity_is_unique_and_every_anchor_leads_somewhere(elements: Elements):
    identities = elements.values("id")
    assert len(set(identities)) == len(identities)
    targets = [url[1:] for url in elements.values("href") if url.startswith("#")]
    assert targets
    assert set(targets) <= set(identities)
    for words in elements.values("aria-labelledby"):
        assert set(words.split()) <= set(identities)


def test_all_of_it_is_there(page: str, found: list[Evaluation]):
    for title in (
        "Overview", "Verdict", "Similarity", "Can they be told apart?", "Hardness", "Map", "Pairs",
        "Statistics", "Valid and new", "How it was made",
    ):  # fmt: skip
        assert f">{title}</h2>" in page
    for statistic in found[0].statistics:
        assert f"<b>{statistic.name}</b>" in page
    assert found[0].made_with["reference_hash"] in page
    assert "Best pair" in page
    assert "Worst pair" in page


def test_statistics_that_tell_nothing_stand_apart(page: str, found: list[Evaluation]):
    same = {
        s.name
        for s in found[0].statistics
        if s.similarity == 1 and not s.varies and s.reference_mean == s.generated_mean
    }
    first = page.split('<details class="constant">')[1].split("</details>")[0]
    assert set(re.findall(r"<b>(\w+)</b>", first)) == same
    assert f"{len(same)} have one and the same value" in first


def test_commands_in_flags_are_shown_as_commands(page: str):
    assert "<code>--solver NAME</code>" in page
    assert "`" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)


def test_a_solver_whose_work_is_iterations_has_one_line(found: list[Evaluation]):
    from g2milp.reports.sections import ratio_figure

    drawn = ratio_figure(found[0])
    assert drawn is not None
    assert "highs: work" in drawn.description
    assert "iterations" not in drawn.description


def test_a_page_that_would_be_too_large_draws_less_and_says_so(
    found: list[Evaluation], page: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(report, "LIMIT", len(page.encode()) - 1)
    shorter = render(found)
    assert len(shorter) < len(page)
    assert f"{len(found[0].statistics) - report.DETAIL[1]} more are not drawn" in shorter


def test_one_set_has_no_overview(found: list[Evaluation]):
    page = render(found[:1])
    assert "overview" not in page
    assert ">Hardness</a>" in page


def test_a_file_is_only_replaced_when_asked(found: list[Evaluation], tmp_path: Path):
    path = tmp_path / "report.html"
    write_report(found, path)
    with pytest.raises(AlreadyExists):
        write_report(found[:1], path)
    write_report(found[:1], path, overwrite=True)
    assert path.read_text(encoding="utf-8") == render(found[:1])


def test_without_evaluations_there_is_no_report():
    with pytest.raises(UsageError):
        render([])
