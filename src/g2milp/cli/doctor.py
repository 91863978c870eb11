"""``g2milp doctor``: what is installed here, what is missing, and the command that gets it."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from importlib.util import find_spec
from typing import Any

import typer

import g2milp
from g2milp.cli import output
from g2milp.cli.options import PANEL_TOOL, AsJson, Debug, NoSeed

EXTRAS = {
    "train": ("torch", "scikit-learn"),
    "scip": ("pyscipopt",),
    "gurobi": ("gurobipy",),
    "report": ("scikit-learn",),
    "ray": ("ray",),
    "tensorboard": ("tensorboard",),
}
"""The optional packages of each extra, as in pyproject.toml."""

CORE = ("numpy", "scipy", "highspy", "scikit-network", "pydantic", "typer", "rich", "safetensors")

NATIVE = {
    "text": "g2milp.instance.io._text",
    "kernels": "g2milp.models.kernels._kernels",
    "exchange": "g2milp.generation.exchange._exchange",
}
"""The compiled modules; each has a slower twin in Python."""

NATIVE_WORDS = {"text": "files", "kernels": "training", "exchange": "exchanges"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_TOOL)(doctor)


def doctor(as_json: AsJson = False, seed: NoSeed = 0, debug: Debug = False) -> None:
    """Show versions, solvers and licences, native kernels, threads, cache and missing extras."""
    found = examine()
    output.result(found, as_json=as_json)
    output.facts(
        f"g2milp {found['version']}",
        [
            ("Python", f"{found['python']} on {found['platform']}"),
            ("cores", _core_words(found)),
            ("cache", f"{found['cache']['folder']}{_cache_words(found['cache'])}"),
        ],
    )
    output.facts(
        "Compiled parts",
        [(NATIVE_WORDS[part], _native_words(there)) for part, there in found["native"].items()],
    )
    output.facts("Solvers", [(s["name"], _solver_words(s)) for s in found["solvers"]])
    output.facts("Extras", [(e["name"], _extra_words(e)) for e in found["extras"]])


def examine() -> dict[str, Any]:
    """Everything that ``doctor --json`` prints."""
    return {
        "version": g2milp.__version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)),
        "omp_num_threads": os.environ.get("OMP_NUM_THREADS"),
        "packages": {name: installed_version(name) for name in CORE},
        "native": {what: is_native(module) for what, module in NATIVE.items()},
        "solvers": [_solver(name) for name in _solver_names()],
        "extras": [_extra(name, packages) for name, packages in EXTRAS.items()],
        "cache": _cache(),
    }


def version_line() -> str:
    """What ``g2milp --version`` prints: our version and those of the solvers that are here."""
    solvers = [f"{s['name']} {s['version']}" for s in map(_solver, _solver_names()) if s["version"]]
    with_solvers = ", ".join(solvers) or "no solver"
    return f"g2milp {g2milp.__version__} ({with_solvers}; Python {platform.python_version()})"


def installed_version(package: str) -> str | None:
    """The version of an installed package, without importing it."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def missing_extra(name: str) -> str | None:
    """The command that installs an extra; None where all of it is there."""
    install: str | None = _extra(name, EXTRAS[name])["install"]
    return install


def is_native(module: str) -> bool:
    """Whether this compiled module was built."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _solver_names() -> tuple[str, ...]:
    from g2milp.solvers.registry import names

    return names()


def _solver(name: str) -> dict[str, Any]:
    from g2milp.solvers.registry import get

    solver = get(name)
    there = solver.is_available()
    licence = solver.license_status()
    return {
        "name": name,
        "installed": there,
        "version": solver.version() if there else None,
        "usable": licence.ok,
        "message": licence.message,
    }


def _extra(name: str, packages: tuple[str, ...]) -> dict[str, Any]:
    versions = {package: installed_version(package) for package in packages}
    complete = None not in versions.values()
    install = None if complete else f"pip install 'g2milp[{name}]'"
    return {"name": name, "packages": versions, "complete": complete, "install": install}


def _cache() -> dict[str, Any]:
    from g2milp.datasets.cache import cache_folder

    folder = cache_folder()
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    return {
        "folder": str(folder),
        "files": len(files),
        "bytes": sum(path.stat().st_size for path in files),
    }


def _cache_words(cache: dict[str, Any]) -> str:
    if not cache["files"]:
        return " (empty)"
    return f" ({cache['files']:,} files, {cache['bytes'] / 1e6:,.1f} MB)"


def _core_words(found: dict[str, Any]) -> str:
    threads = found["omp_num_threads"]
    return f"{found['cores']}" + (f", OMP_NUM_THREADS={threads}" if threads else "")


def _native_words(there: bool) -> str:
    return "yes" if there else "no: slower; install with a C++ compiler for speed"


def _solver_words(solver: dict[str, Any]) -> str:
    return f"{solver['version'] or 'not installed'}: {solver['message']}"


def _extra_words(extra: dict[str, Any]) -> str:
    if not extra["complete"]:
        return f"missing: {extra['install']}"
    return ", ".join(f"{name} {version}" for name, version in extra["packages"].items())
