from __future__ import annotations

import json
from pathlib import Path

import pytest

import g2milp as gm
from g2milp.datasets.dataset import Dataset


def test_formats_are_equal(models: Path, call, golden):
    called = call("convert", "models/a.mps", "a.lp.gz", "--json")
    assert called.code == 0
    golden("convert", called.json)
    assert call("convert", "a.lp.gz", "back.mps").code == 0
    assert gm.read("back.mps") == gm.read("models/a.mps")


def test_nothing_is_overwritten_unless_told(models: Path, call):
    assert call("convert", "models/a.mps", "x.mps").code == 0
    called = call("convert", "models/b.mps", "x.mps")
    assert called.code == 1
    assert "--overwrite" in called.err
    assert gm.read("x.mps") == gm.read("models/a.mps")
    assert call("convert", "models/b.mps", "x.mps", "--overwrite").code == 0
    assert gm.read("x.mps") == gm.read("models/b.mps")


def test_a_folder_is_not_converted_into_itself(models: Path, call):
    before = {path: path.read_bytes() for path in models.iterdir()}
    called = call("convert", "models", "models/../models")
    assert called.code == 2
    assert "into itself" in called.err
    assert {path: path.read_bytes() for path in models.iterdir()} == before


def test_a_folder_becomes_a_data_set_and_failures_are_listed(models: Path, call):
    called = call("convert", "models", "out", "--json")
    assert called.code == 5
    assert [file["written"] for file in called.json["converted"]] == [True] * 3
    assert called.json["failures"][0]["path"] == "models/cut.mps"
    data = Dataset.open("out")
    assert data.names == ("a", "b", "crossed")
    assert data[0] == gm.read("models/a.mps")
    assert data.manifest is not None
    assert data.manifest[0]["converted_from"] == "a.mps"


def test_the_same_command_again_continues(models: Path, call):
    call("convert", "models", "out")
    kept = Path("out/a.mps.gz").stat().st_mtime_ns
    Path("out/b.mps.gz").unlink()
    called = call("convert", "models", "out", "--json")
    assert [file["written"] for file in called.json["converted"]] == [False, True, False]
    assert Path("out/a.mps.gz").stat().st_mtime_ns == kept


def test_other_instances_are_not_mixed_in(models: Path, call):
    call("convert", "models", "out")
    (models / "a.mps").rename(models / "other.mps")
    called = call("convert", "models", "out")
    assert called.code == 1
    assert "holds other instances (a.mps.gz" in called.err
    assert not Path("out/other.mps.gz").exists()


def test_a_changed_source_is_not_taken_for_the_same(models: Path, call):
    call("convert", "models", "out")
    (models / "a.mps").write_text((models / "b.mps").read_text())
    called = call("convert", "models", "out")
    assert called.code == 1
    assert "out/a.mps.gz" in called.err


@pytest.mark.parametrize("to", ["mps", "lp", "lp.gz"])
def test_the_format_of_a_folder_can_be_chosen(models: Path, call, to: str):
    call("convert", "models", "out", "--to", to)
    assert gm.read(f"out/a.{to}") == gm.read("models/a.mps")


def test_a_folder_does_not_fit_into_a_file(models: Path, call):
    assert call("convert", "models", "x.mps").code == 2
    assert call("convert", "models/a.mps", "x.txt").code == 2


def test_an_anonymous_file_tells_no_name_and_the_key_is_private(models: Path, call):
    called = call("convert", "models/a.mps", "anon.mps", "--anonymise", "--seed", 3)
    assert called.code == 0
    text = Path("anon.mps").read_text()
    for name in ("tiny", "weight", "link", "value"):
        assert name not in text
    key = Path("anon.key.json")
    assert key.stat().st_mode & 0o077 == 0
    assert "weight" in key.read_text()
    assert "Keep it" in called.err
    assert str(key) in called.err


def test_the_key_leads_back(models: Path, call):
    from g2milp.instance.anonymise import Key, deanonymise

    call("convert", "models/a.mps", "anon.mps.gz", "--anonymise", "--seed", 3)
    document = json.loads(Path("anon.key.json").read_bytes())
    assert document.pop("source") == "models/a.mps"
    assert deanonymise(gm.read("anon.mps.gz"), Key.from_json(document)) == gm.read("models/a.mps")


def test_an_anonymous_folder_has_numbers_and_its_keys_elsewhere(models: Path, call):
    called = call("convert", "models", "out", "--anonymise")
    assert called.code == 5
    assert sorted(p.name for p in Path("out").iterdir()) == [
        "00000.mps.gz",
        "00001.mps.gz",
        "00002.mps.gz",
        "manifest.jsonl",
    ]
    assert "crossed" not in Path("out/manifest.jsonl").read_text()
    assert len(list(Path("out-keys").iterdir())) == 3


def test_anonymous_bytes_depend_on_the_seed_alone(models: Path, call):
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        call("convert", "models", name, "--anonymise", "--seed", seed)
    one, two, three = (Path(n, "00001.mps.gz").read_bytes() for n in ("one", "two", "three"))
    assert one == two
    assert one != three
