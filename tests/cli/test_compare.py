from __future__ import annotations

from pathlib import Path


def test_equal_instances_are_said_to_be(models: Path, call):
    called = call("compare", "models/a.mps", "models/a.mps", "--json")
    assert called.code == 0
    assert called.json["equal"] is True
    assert "equal, bit for bit" in called.err


def test_a_changed_objective_is_listed(models: Path, call, golden):
    called = call("compare", "models/a.mps", "models/b.mps", "--json")
    assert called.code == 0
    document = called.json
    assert "obj_mean" in {change["what"] for change in document.pop("statistics")}
    golden("compare", document)
    assert "y changed: objective 4 → 6" in called.err


def test_changed_rows_are_listed_with_their_entries(models: Path, call):
    text = (models / "a.mps").read_text()
    changed = text.replace("weight 3", "weight 7").replace("    z link -1", "    z weight -1")
    (models / "c.mps").write_text(changed.replace("weight 4", "weight 9"))
    called = call("compare", "models/a.mps", "models/c.mps")
    assert "weight changed: upper side 4 → 9, y 3 → 7, +z -1" in called.err
    assert "link changed: -z -1" in called.err


def test_long_lists_are_cut(models: Path, call):
    called = call("compare", "models/a.mps", "models/c.mps", "--limit", 0)
    assert called.code == 3
    for letter in "de":
        rows = "".join(f" L r{i}\n" for i in range(30))
        entries = "".join(f" x r{i} {i + ord(letter)}\n" for i in range(30))
        (models / f"{letter}.mps").write_text(
            f"NAME n\nROWS\n N o\n{rows}COLUMNS\n x o 1\n{entries}RHS\nBOUNDS\nENDATA\n"
        )
    called = call("compare", "models/d.mps", "models/e.mps", "--limit", 5)
    assert called.code == 0
    assert "and 25 more" in called.err
    assert called.err.count(" changed: ") == 5


def test_a_folder_is_no_model_file(models: Path, call):
    assert call("compare", "models", "models/a.mps").code == 3
