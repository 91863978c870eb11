"""A file is the old one or the new one, whatever fails and whenever we are killed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from g2milp.errors import AlreadyExists, OutOfSpace, UnreadableFile
from g2milp.instance.io import atomic


def test_the_file_is_complete_and_nothing_else_is_left(tmp_path) -> None:
    atomic.write_bytes(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_json_ends_with_a_line_end_and_holds_no_nan(tmp_path) -> None:
    atomic.write_json(tmp_path / "a.json", {"x": 1.5, "ü": None})
    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "x": 1.5,\n  "ü": null\n}\n'
    with pytest.raises(ValueError):
        atomic.write_json(tmp_path / "b.json", float("nan"))
    assert not (tmp_path / "b.json").exists()


def test_nothing_is_overwritten_unless_asked(tmp_path) -> None:
    atomic.write_bytes(tmp_path / "a", b"old")
    with pytest.raises(AlreadyExists, match="exists already"):
        atomic.write_bytes(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    atomic.write_bytes(tmp_path / "a", b"new", overwrite=True)
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_file_that_appears_meanwhile_is_kept(tmp_path) -> None:
    def write() -> None:
        with atomic.atomic_write(tmp_path / "a") as stream:
            stream.write(b"ours")
            (tmp_path / "a").write_bytes(b"theirs")

    with pytest.raises(AlreadyExists):
        write()
    assert (tmp_path / "a").read_bytes() == b"theirs"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_dangling_link_counts_as_there(tmp_path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "nothing")
    with pytest.raises(AlreadyExists):
        atomic.write_bytes(tmp_path / "a", b"new")


def test_a_failure_inside_leaves_the_old_file(tmp_path) -> None:
    atomic.write_bytes(tmp_path / "a", b"old")

    def write() -> None:
        with atomic.atomic_write(tmp_path / "a", overwrite=True) as stream:
            stream.write(b"half")
            raise KeyError("interrupted")

    with pytest.raises(KeyError):
        write()
    assert (tmp_path / "a").read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("call", ["fsync", "link"])
@pytest.mark.parametrize(
    ("number", "error"),
    [(errno.ENOSPC, OutOfSpace), (errno.EDQUOT, OutOfSpace), (errno.EIO, UnreadableFile)],
)
def test_every_call_may_fail(call: str, number: int, error: type, tmp_path, monkeypatch) -> None:
    def failing(*_args: object, **_more: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic.os, call, failing)
    if call == "link" and number == errno.EIO:
        atomic.write_bytes(tmp_path / "a", b"new")  # no hard links here: renamed instead
        assert (tmp_path / "a").read_bytes() == b"new"
        return
    with pytest.raises(error, match="a: "):
        atomic.write_bytes(tmp_path / "a", b"new")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_keeps_the_old_file(tmp_path, monkeypatch) -> None:
    atomic.write_bytes(tmp_path / "a", b"old")
    monkeypatch.setattr(atomic.os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OutOfSpace, match="not changed"):
        atomic.write_bytes(tmp_path / "a", b"new", overwrite=True)
    assert (tmp_path / "a").read_bytes() == b"old"


def test_missing_folders_and_folders_as_files(tmp_path) -> None:
    with pytest.raises(UnreadableFile, match="folder does not exist"):
        atomic.write_bytes(tmp_path / "none" / "a", b"")
    with pytest.raises(UnreadableFile, match="is a folder"):
        atomic.write_bytes(tmp_path, b"", overwrite=True)


def test_what_a_killed_process_left_is_swept(tmp_path) -> None:
    code = (
        "import os, signal, sys\n"
        "from g2milp.instance.io.atomic import atomic_write\n"
        "with atomic_write(sys.argv[1]) as stream:\n"
        "    stream.write(b'half')\n"
        "    stream.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=False)
    assert done.returncode == -9
    (left,) = tmp_path.iterdir()
    assert left.suffix == ".tmp"
    (tmp_path / ".g2milp-notours.tmp").write_bytes(b"")
    atomic.write_bytes(tmp_path / "a", b"new")
    assert {path.name for path in tmp_path.iterdir()} == {"a", ".g2milp-notours.tmp"}


def test_files_of_running_processes_are_left_alone(tmp_path) -> None:
    running = tmp_path / f".g2milp-{os.getppid()}-{'0' * 16}.tmp"
    running.write_bytes(b"half")
    atomic.write_bytes(tmp_path / "a", b"new")
    assert running.exists()


def test_names_as_paths_and_as_text(tmp_path) -> None:
    atomic.write_bytes(str(tmp_path / "a"), b"1")
    atomic.write_bytes(Path(tmp_path) / "b", b"2")
    assert (tmp_path / "b").read_bytes() == b"2"
