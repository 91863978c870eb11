"""The ledger against every way a process can end in the middle of a line."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2milp.errors import AlreadyExists, DamagedArtifact, OutOfSpace, UnreadableFile, UsageError
from g2milp.execution.ledger import Ledger, file_for, files_of, located, merged, read
from g2milp.execution.shards import Shard

if TYPE_CHECKING:
    from pathlib import Path

KEY = ("name",)


def line(name: str, value: object = 1) -> dict[str, object]:
    return {"name": name, "value": value}


def test_what_is_appended_is_read(tmp_path: Path) -> None:
    with Ledger(tmp_path / "x", KEY) as ledger:
        ledger.append(line("a", 0.1))
        ledger.append(line("b", None))
        assert line("a") in ledger
        assert line("c") not in ledger
        assert len(ledger) == 2
    assert list(read(tmp_path / "x")) == [line("a", 0.1), line("b", None)]


def test_a_record_knows_its_line(tmp_path: Path) -> None:
    for part in (0, 1):
        with Ledger(tmp_path, KEY, Shard(part, 2)) as ledger:
            ledger.append(line(f"a{part}"))
            ledger.append(line(f"b{part}"))
    places = [(place.rpartition("/")[2], record["name"]) for place, record in located(tmp_path)]
    assert places[0] == ("part-1-of-2.jsonl:1", "a0")
    assert places[3] == ("part-2-of-2.jsonl:2", "b1")


def test_only_a_regular_file_is_a_ledger(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    with pytest.raises(UnreadableFile, match="no regular file"):
        Ledger(tmp_path / "pipe.jsonl", KEY)
    with pytest.raises(UnreadableFile, match="is a link"):
        Ledger(tmp_path / "link.jsonl", KEY)
    assert not (tmp_path / "elsewhere.jsonl").exists()


@pytest.mark.parametrize("name", ["x.jsonl", "folder"])
def test_a_second_run_knows_what_is_done(tmp_path: Path, name: str) -> None:
    with Ledger(tmp_path / name, KEY) as ledger:
        ledger.append(line("a"))
    with Ledger(tmp_path / name, KEY) as ledger:
        assert line("a") in ledger
        with pytest.raises(AlreadyExists, match="has a line for"):
            ledger.append(line("a"))
        ledger.append(line("b"))
    assert [record["name"] for record in read(tmp_path / name)] == ["a", "b"]


@settings(max_examples=60, deadline=None)
@given(where=st.floats(0, 1))
def test_cut_anywhere_only_the_last_line_is_done_again(
    where: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("ledger") / "x.jsonl"
    names = [f"instance {k} é" for k in range(5)]
    with Ledger(path, KEY) as ledger:
        for name in names:
            ledger.append(line(name))
    whole = path.read_bytes()
    cut = round(where * len(whole))
    path.write_bytes(whole[:cut])
    complete = whole[:cut].count(b"\n")
    assert [record["name"] for record in read(path)] == names[:complete]
    with Ledger(path, KEY) as ledger:
        for name in names[complete:]:
            ledger.append(line(name))
    assert path.read_bytes() == whole


def test_a_long_torn_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"name":"a"}\n' + b"x" * 200_000)
    Ledger(path, KEY).close()
    assert path.read_bytes() == b'{"name":"a"}\n'


def test_shards_write_apart_and_read_together(tmp_path: Path) -> None:
    for index in range(3):
        with Ledger(tmp_path, KEY, Shard(index, 3)) as ledger:
            ledger.append(line(f"only {index}"))
            if index == 0:
                ledger.append(line("both", "first"))
    with (tmp_path / "part-3-of-3.jsonl").open("a") as file:
        file.write(json.dumps(line("both", "second")) + "\n")
    assert [p.name for p in files_of(tmp_path)] == [f"part-{i}-of-3.jsonl" for i in (1, 2, 3)]
    found = list(merged(tmp_path, KEY))
    assert [r["value"] for r in found if r["name"] == "both"] == ["first"]
    assert len(found) == 4
    with Ledger(tmp_path, KEY) as whole:
        assert len(whole) == 4


def test_shards_cannot_share_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot share"):
        file_for(tmp_path / "x.jsonl", Shard(0, 2))


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with Ledger(tmp_path, KEY):
        with pytest.raises(AlreadyExists, match="another process"):
            Ledger(tmp_path, KEY)
        Ledger(tmp_path, KEY, Shard(1, 2)).close()
    Ledger(tmp_path, KEY).close()


def test_the_lock_falls_with_its_process(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from g2milp.execution.ledger import Ledger\n"
        "Ledger(Path(sys.argv[1]), ('name',)); print('ready', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    with pytest.raises(AlreadyExists):
        Ledger(tmp_path, KEY)
    process.kill()
    process.wait()
    process.stdout.close()
    Ledger(tmp_path, KEY).close()


@pytest.mark.parametrize(
    "bad", [b"not json\n", b"[1]\n", b'{"a":\n', b"\xff\n", b"[" * 9999 + b"\n"]
)
def test_damage_inside_is_refused_with_its_line(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"name":"a"}\n' + bad + b'{"name":"b"}\n')
    with pytest.raises(DamagedArtifact, match=r"x\.jsonl:2"):
        list(read(path))


def test_a_missing_ledger_is_an_error_of_input(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="there is no ledger"):
        list(read(tmp_path / "nothing"))


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("")
    (tmp_path / "x.jsonl").symlink_to(tmp_path / "real")
    with pytest.raises(UnreadableFile):
        Ledger(tmp_path / "x.jsonl", KEY)


def test_nan_is_never_written(tmp_path: Path) -> None:
    with Ledger(tmp_path, KEY) as ledger, pytest.raises(ValueError, match="JSON"):
        ledger.append(line("a", float("nan")))
    assert list(read(tmp_path)) == []


@pytest.mark.parametrize("how", ["short write", "error"])
def test_a_full_disk_keeps_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path, write = tmp_path / "x.jsonl", os.write

    def full(descriptor: int, data: bytes) -> int:
        if how == "error":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data[:5])

    with Ledger(path, KEY) as ledger:
        ledger.append(line("a"))
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OutOfSpace, match="disk is full"):
            ledger.append(line("b"))
        monkeypatch.undo()
        assert line("b") not in ledger
        ledger.append(line("c"))
    assert [record["name"] for record in read(path)] == ["a", "c"]
