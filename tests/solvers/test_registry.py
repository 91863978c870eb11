from __future__ import annotations

import subprocess
import sys

import pytest

from g2milp.errors import UnavailableError, UsageError
from g2milp.solvers import registry
from g2milp.solvers.base import LicenseStatus
from g2milp.solvers.highs import Highs


def test_names_and_availability() -> None:
    assert registry.names() == ("highs", "scip", "gurobi")
    assert registry.available()[0] == "highs"
    assert registry.get_ready("highs").name == "highs"


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="highs, scip, gurobi"):
        registry.get("cplex")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Highs, "license_status", lambda _: LicenseStatus(False, "no licence today"))
    with pytest.raises(UnavailableError, match="no licence today") as caught:
        registry.get_ready("highs")
    assert caught.value.exit_code == 4


def test_no_solver_is_imported_before_it_is_used() -> None:
    code = (
        "import sys; from g2milp.solvers import registry, labelling\n"
        "for name in registry.names(): registry.get(name)\n"
        "heavy = {'highspy', 'pyscipopt', 'gurobipy', 'ray', 'torch'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["scip", "gurobi"])
def test_a_missing_library_is_an_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = f"g2milp.solvers.{name}"
    monkeypatch.setattr(f"{module}.find_spec", lambda _: None)
    licence = registry.get(name).license_status()
    assert not licence.ok
    assert f"g2milp[{name}]" in licence.message
