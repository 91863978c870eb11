"""The public names: few, sorted, documented, and loaded only when they are used."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import g2milp
from g2milp import errors

ROOT = Path(__file__).resolve().parents[1]


def test_all_is_what_is_public():
    assert sorted(g2milp.__all__) == sorted(set(dir(g2milp)) - {"__version__"})
    assert len(g2milp.__all__) <= 20


@pytest.mark.parametrize("name", g2milp.__all__)
def test_each_public_name_resolves_and_is_documented(name: str):
    thing = getattr(g2milp, name)
    assert inspect.getdoc(thing)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Milb'"):
        _ = g2milp.Milb


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert g2milp.__version__ == project["version"]


def test_the_package_is_typed():
    assert (Path(g2milp.__file__).parent / "py.typed").is_file()


def test_the_extras_of_doctor_are_those_of_the_package():
    from g2milp.cli.doctor import EXTRAS

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        extra: tuple(package.split(">=")[0] for package in packages)
        for extra, packages in project["optional-dependencies"].items()
        if extra != "all"
    }
    assert EXTRAS == declared


EXIT_CODES = {
    "G2MILPError": 1,
    "UsageError": 2,
    "InputError": 3,
    "UnreadableFile": 3,
    "FormatError": 3,
    "NotAMilp": 3,
    "InvalidMilp": 3,
    "DamagedArtifact": 3,
    "UnavailableError": 4,
    "ItemsFailed": 5,
    "QualityGateNotMet": 6,
    "NotFitted": 1,
    "AlreadyExists": 1,
    "OutOfSpace": 1,
    "TrainingDiverged": 1,
    "Interrupted": 130,
}


def test_each_error_keeps_its_exit_code_and_is_in_the_drawn_tree():
    classes = {
        name: cls
        for name, cls in vars(errors).items()
        if inspect.isclass(cls) and issubclass(cls, errors.G2MILPError)
    }
    assert {name: cls.exit_code for name, cls in classes.items()} == EXIT_CODES
    for name in classes:
        assert name in (errors.__doc__ or "")


def test_the_public_names_load_no_torch():
    names = ", ".join(g2milp.__all__)
    code = f"import sys; from g2milp import {names}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"torch", "highspy", "pyscipopt", "gurobipy", "pandas", "sklearn"}
