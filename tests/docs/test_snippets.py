"""Every code block of the README and of docs/ runs, and says what is printed beside it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


snippets = load(Path(__file__).with_name("snippets.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_snippets_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    if "torch" not in sys.modules and importlib.util.find_spec("torch") is None:
        pytest.skip("needs the extra train")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    complaints = snippets.run(path)
    assert not complaints, "\n\n".join(complaints)


@pytest.mark.parametrize("path", [*DOCUMENTS, *sorted(ROOT.glob("*.md"))], ids=lambda p: p.name)
def test_the_links_lead_somewhere(path: Path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_the_picture_is_what_its_command_draws():
    figures = load(ROOT / "docs" / "figures.py")
    assert figures.TARGET.read_text(encoding="utf-8") == figures.picture()


def test_the_table_of_reading_rules_is_current():
    reading = load(ROOT / "docs" / "reading.py")
    assert reading.TARGET.read_text(encoding="utf-8") == reading.page()


def test_the_documents_name_the_commands_that_there_are():
    from g2milp.cli.app import COMMANDS

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `g2milp ([a-z]+)", readme, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)
    fields = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"`{command}" in fields, command


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in index, page.name


def test_the_citation_has_the_version():
    import g2milp

    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {g2milp.__version__}\n" in citation


@pytest.mark.parametrize(
    ("wanted", "got", "alike"),
    [
        ("a 1.00 b", "a  1.05 b", True),
        ("a 1.00 b", "a 1.50 b", False),
        ("a\n...\nz", "a\nb\nc\nz", True),
        ("a\nz", "a\nb\nz", False),
        ("a", "", False),
        ("", "", True),
    ],
)
def test_the_comparison_of_output(wanted: str, got: str, alike: bool):
    assert (snippets.difference("here", wanted, got) == []) == alike


@pytest.mark.parametrize("path", [*DOCUMENTS, *sorted(ROOT.glob("*.md"))], ids=lambda p: p.name)
def test_files_that_are_named_are_there(path: Path):
    """``downstream/leakage.py`` may be below the root or below the package."""
    for name in re.findall(r"`([\w./-]+/[\w-]+\.(?:py|json|svg))`", path.read_text("utf-8")):
        assert any((home / name).exists() for home in (ROOT, ROOT / "src", ROOT / "src/g2milp")), (
            name
        )


def test_the_changelog_names_every_command():
    from g2milp.cli.app import COMMANDS

    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert not [command for command in COMMANDS if f"`{command}`" not in changelog]
