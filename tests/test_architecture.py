"""Rules of the house that a reader relies on: rooms, sizes, imports, words."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "g2milp"
SOURCES = sorted(PACKAGE.rglob("*.py"))
OURS = sorted(
    path
    for folder in ("src", "tests", "benchmarks", "native", "examples", "docs")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".cpp", ".hpp", ".md", ".ipynb", ".j2", ".js", ".css"}
    and "__pycache__" not in path.parts
) + sorted(ROOT.glob("*.md"))

TORCH_FREE_ROOMS = (
    "instance",
    "problems",
    "datasets",
    "solvers",
    "execution",
    "evaluation",
    "reports",
    "cli",
)
OPTIONAL = ("torch", "sklearn", "pyscipopt", "gurobipy", "highspy", "ray", "tensorboard", "pandas")


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_imports_point_downwards():
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "path", [p for p in OURS if p.suffix in {".py", ".cpp", ".hpp"}], ids=relative
)
def test_no_file_has_more_than_400_lines(path: Path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_the_median_file_is_short():
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES]
    assert statistics.median(lengths) <= 150


def test_no_file_is_called_after_nothing():
    vague = {"utils", "helpers", "common", "misc", "util", "helper"}
    assert not [relative(path) for path in OURS if path.stem.strip("_") in vague]
    assert not [relative(path) for path in OURS if path.parent.name in vague]


def module_level_imports(path: Path) -> list[str]:
    """What is imported when the module is; blocks under TYPE_CHECKING are not run."""

    def walk(statements: list[ast.stmt]) -> list[str]:
        found: list[str] = []
        for node in statements:
            if isinstance(node, ast.Import):
                found += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found.append(node.module or "")
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                found += walk(node.orelse)
            elif isinstance(node, ast.If | ast.Try | ast.With | ast.ClassDef):
                found += walk([s for s in ast.iter_child_nodes(node) if isinstance(s, ast.stmt)])
        return found

    return walk(ast.parse(path.read_text(encoding="utf-8")).body)


@pytest.mark.parametrize("room", TORCH_FREE_ROOMS)
def test_a_torch_free_room_imports_nothing_optional(room: str):
    for path in sorted((PACKAGE / room).rglob("*.py")):
        tops = {name.split(".")[0] for name in module_level_imports(path)}
        assert not tops & set(OPTIONAL), relative(path)


def test_the_command_line_imports_nothing_heavy():
    for path in sorted((PACKAGE / "cli").glob("*.py")):
        for name in module_level_imports(path):
            top = name.split(".")[0]
            light = top in (*sys.stdlib_module_names, "typer") or name in (
                "g2milp",
                "g2milp.errors",
            )
            assert light or name.startswith("g2milp.cli"), f"{relative(path)} imports {name}"


@pytest.mark.parametrize("statement", ["import g2milp", "import g2milp.cli.app"])
def test_an_import_brings_no_torch_no_solver_no_numbers(statement: str):
    code = f"import sys; {statement}; print(*sys.modules)"
    if "cli" in statement:
        code = code.replace("; print", "; g2milp.cli.app.build(); print")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {*OPTIONAL, "numpy", "scipy", "pydantic", "jinja2", "sknetwork"}


def test_nothing_is_pickled():
    for path in SOURCES:
        names = {name.split(".")[0] for name in module_level_imports(path)}
        assert not names & {"pickle", "cloudpickle", "dill", "shelve", "marshal"}, relative(path)


FORBIDDEN = re.compile(
    "|".join(
        (
            r"/work" r"/",  # a machine's paths
            r"/home" r"/\w",
            r"/root" r"/",
            r"NotImplemented" r"Error",
            r"\bTO" r"DO\b",
            r"\bFIX" r"ME\b",
            r"\bX" r"XX\b",
        )
    )
)


@pytest.mark.parametrize("path", OURS, ids=relative)
def test_no_leftovers_and_no_paths_of_a_machine(path: Path):
    found = FORBIDDEN.search(path.read_text(encoding="utf-8"))
    assert found is None, f"{relative(path)}: {found.group() if found else ''}"


def test_every_module_says_what_it_is():
    for path in SOURCES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), relative(path)


def test_every_committed_number_file_is_readable():
    import json

    for path in sorted((ROOT / "results").rglob("*.json")):
        json.loads(path.read_text(encoding="utf-8"))
