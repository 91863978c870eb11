from __future__ import annotations

import pytest

from g2milp.cli import doctor


def test_everything_is_reported(call):
    called = call("doctor", "--json")
    assert called.code == 0
    found = called.json
    assert set(found) == {
        "schema_version",
        "version",
        "python",
        "platform",
        "cores",
        "omp_num_threads",
        "packages",
        "native",
        "solvers",
        "extras",
        "cache",
    }
    assert [solver["name"] for solver in found["solvers"]] == ["highs", "scip", "gurobi"]
    highs = found["solvers"][0]
    assert highs["installed"]
    assert highs["usable"]
    assert highs["version"].count(".") >= 1
    assert set(found["native"]) == set(doctor.NATIVE) == set(doctor.NATIVE_WORDS)
    assert None not in found["packages"].values()


def test_a_missing_extra_comes_with_its_command(monkeypatch: pytest.MonkeyPatch, call):
    known = doctor.installed_version
    monkeypatch.setattr(
        doctor, "installed_version", lambda name: None if name == "torch" else known(name)
    )
    called = call("doctor", "--json")
    train = called.json["extras"][0]
    assert train["packages"]["torch"] is None
    assert train["install"] == "pip install 'g2milp[train]'"
    assert "missing: pip install 'g2milp[train]'" in called.err


def test_a_package_that_is_not_there_has_no_version():
    assert doctor.installed_version("no-such-package-anywhere") is None
    assert not doctor.is_native("g2milp.nowhere._nothing")
