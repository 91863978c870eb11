from __future__ import annotations

from pathlib import Path


def test_one_file_is_described(models: Path, call, golden):
    called = call("info", "models/a.mps", "--json")
    assert called.code == 0
    golden("info_file", called.json)


def test_a_folder_is_described_as_a_data_set(models: Path, call, golden):
    (models / "cut.mps").unlink()
    called = call("info", "models", "--json")
    assert called.code == 0
    golden("info_folder", called.json)


def test_words_go_to_stderr(models: Path, call):
    called = call("info", "models/a.mps")
    assert called.out == ""
    for words in ("tiny", "max, 2 terms", "2: 1 =, 1 ≤", "2 binary, 1 continuous", "1 to 3"):
        assert words in called.err


def test_a_failing_file_is_listed_and_the_others_described(models: Path, call, golden):
    called = call("info", "models", "--json")
    assert called.code == 5
    golden("info_partly", called.json)
    assert "1 of 4 cannot be read" in called.err
    assert "models/cut.mps" in called.err


def test_nothing_readable_is_3(models: Path, call):
    called = call("info", "models/cut.mps", "nowhere.mps", "--json")
    assert called.code == 3
    assert called.json["instances"] == []
    assert {failure["path"] for failure in called.json["failures"]} == {
        "models/cut.mps",
        "nowhere.mps",
    }


def test_a_single_missing_file_has_its_own_error(call):
    called = call("info", "nowhere.mps")
    assert called.code == 3
    assert called.err.startswith("error: nowhere.mps: ")


def test_a_folder_without_models_says_what_is_expected(folder: Path, call):
    (folder / "empty").mkdir()
    called = call("info", "empty")
    assert called.code == 3
    assert ".mps" in called.err


def test_an_accepted_rule_is_shown(folder: Path, models: Path, call):
    text = (models / "a.mps").read_text().replace(" UP BND y 1", " UP BND y -1")
    (folder / "negative.mps").write_text(text)
    assert call("info", "negative.mps").code == 3
    called = call("info", "negative.mps", "--accept", "negative-up", "--json")
    assert called.code == 0
    assert called.json["instances"][0]["accepted"]


def test_an_unknown_rule_is_a_usage_error(models: Path, call):
    assert call("info", "models/a.mps", "--accept", "anything").code == 2


def test_names_from_files_are_harmless(folder: Path, call):
    name = "evil\x1b[2J[red].mps"
    (folder / name).write_text("NAME x\nROWS\n N o\nCOLUMNS\n a o 1\nRHS\nBOUNDS\nENDATA\n")
    called = call("info", name)
    assert "\x1b" not in called.err
    assert "\\x1b[2J[red]" in called.err
