from __future__ import annotations

from pathlib import Path

import pytest

from g2milp.datasets.dataset import Dataset

SMALL = ("--set", "n_nodes=20", "--jobs", 1)


def test_the_list_has_every_family_with_its_defaults(call, golden):
    called = call("problems", "list", "--json")
    assert called.code == 0
    golden("problems_list", called.json)
    for family in called.json["problems"]:
        assert family["name"] in called.err


def test_instances_are_made(call, golden):
    called = call("problems", "make", "mis", "-n", 3, "--seed", 7, "-o", "mis", *SMALL, "--json")
    assert called.code == 0
    golden("problems_make", called.json)
    data = Dataset.open("mis")
    assert len(data) == 3
    assert data[0].n_cols == 20


def test_the_same_command_again_finds_them(call):
    make = ("problems", "make", "mis", "-n", 3, "-o", "mis", *SMALL)
    call(*make)
    before = {path.name: path.read_bytes() for path in Path("mis").iterdir()}
    called = call(*make, "--resume", "--json")
    assert (called.code, called.json["written"], called.json["found"]) == (0, 0, 3)
    assert {path.name: path.read_bytes() for path in Path("mis").iterdir()} == before


def test_other_settings_are_refused_without_overwrite(call):
    call("problems", "make", "mis", "-n", 3, "-o", "mis", *SMALL)
    other = ("problems", "make", "mis", "-n", 3, "-o", "mis", "--set", "n_nodes=21", "--jobs", 1)
    assert call(*other).code == 1
    assert call(*other, "--overwrite").code == 0
    assert Dataset.open("mis")[0].n_cols == 21


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ms",), "Did you mean 'mis'"),
        (("mis", "--set", "n_node=3"), "Did you mean 'n_nodes'"),
        (("mis", "--set", "n_nodes"), "--set"),
        (("mis", "--set", "n_nodes=many"), "n_nodes"),
        (("mis", "--set", "n_nodes=-1"), "n_nodes"),
        (("mis", "-n", "0"), "-n"),
        (("mis", "--jobs", "0"), "--jobs"),
        (("mis", "--seed", "-1"), "--seed"),
        (("mis", "--resume"), "nothing to resume"),
        (("mis", "--resume", "--overwrite"), "exclude"),
    ],
)
def test_wrong_calls_are_2_and_leave_nothing(arguments: tuple[str, ...], words: str, call):
    called = call("problems", "make", *arguments, "-o", "out")
    assert called.code == 2
    assert words in called.err
    assert not Path("out").exists()


def test_a_file_in_the_place_of_the_folder(folder: Path, call):
    Path("out").write_text("")
    called = call("problems", "make", "mis", "-n", 1, "-o", "out", *SMALL)
    assert called.code in (1, 3)
    assert "unexpected" not in called.err


def test_a_download_says_where_it_is_and_on_what_terms(
    folder: Path, call, monkeypatch: pytest.MonkeyPatch
):
    def fetched(named, target, *, advance):
        for _ in range(3):
            advance(700_000)
        return target

    monkeypatch.setattr("g2milp.datasets.downloads.download", fetched)
    called = call("problems", "download", "nurse", "-o", "nurse", "--json")
    assert called.code == 0
    assert called.json["folder"] == "nurse"
    assert called.json["bytes"] == 2_100_000
    assert "Terms: MIPLIB 2017" in called.err


def test_a_download_without_network_is_4(call, monkeypatch: pytest.MonkeyPatch):
    from g2milp.errors import UnavailableError

    def offline(*arguments, **settings):
        raise UnavailableError("the server cannot be reached", hint="The same command continues.")

    monkeypatch.setattr("g2milp.datasets.downloads.fetch", offline)
    assert call("problems", "download", "nurse", "-o", "nurse").code == 4
    assert call("problems", "download", "unknown").code == 2
