from __future__ import annotations

from pathlib import Path

import pytest

from g2milp.datasets.members import instance_name, is_model_file, natural_key


def test_natural_order() -> None:
    names = ["a10", "a2", "b1", "a", "a02", "10", "9", "a2b", "é1"]
    expected = ["9", "10", "a", "a02", "a2", "a2b", "a10", "b1", "é1"]
    assert sorted(names, key=natural_key) == expected


def test_digits_of_other_scripts_are_letters() -> None:
    assert sorted(["x²", "x1", "x٣"], key=natural_key)[0] == "x1"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("x.mps.gz", "x"),
        ("x.y.MPS", "x.y"),
        ("x.lp", "x"),
        ("mik.250-1-50.1.mps", "mik.250-1-50.1"),
        (".mps", ".mps"),
        ("plain", "plain"),
    ],
)
def test_instance_names(file: str, name: str) -> None:
    assert instance_name(Path(file)) == name


def test_model_files() -> None:
    assert is_model_file(Path("a.LP.GZ"))
    assert not is_model_file(Path(".a.mps"))
    assert not is_model_file(Path("a.mps.bz2"))
