"""Things that are no model files: pipes, devices, bombs. Refused at once, in little memory."""

from __future__ import annotations

import gzip
import os
import random
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from g2milp.errors import InputError, UnreadableFile
from g2milp.instance.io import files, opening
from g2milp.instance.io.limits import ReadLimits

MEBIBYTE = 1 << 20
GOOD = b"NAME T\nROWS\n N C\n L R\nCOLUMNS\n X C 1 R 1\nRHS\n RHS R 1\nENDATA\n"
IN_A_SMALL_PROCESS = """
import resource, sys, time
limit = int(sys.argv[2])
from g2milp.instance.io import files
from g2milp.errors import InputError
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
start = time.perf_counter()
try:
    files.read(sys.argv[1])
except InputError as error:
    assert sys.argv[1] in str(error)
    seconds = time.perf_counter() - start
    sys.stdout.write(f"{seconds:.3f} {type(error).__name__} {error.exit_code}")
"""


def refused(path: Path, reason: str) -> UnreadableFile:
    start = time.perf_counter()
    with pytest.raises(UnreadableFile, match=reason) as caught:
        files.read(path)
    assert time.perf_counter() - start < 2
    assert caught.value.exit_code == 3
    assert str(path) in str(caught.value)
    return caught.value


def refused_below_one_gigabyte(path: Path) -> None:
    """Refused in under 2 s by a process that may not use 1 GB."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SMALL_PROCESS, str(path), str(10**9)],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seconds, name, code = done.stdout.split()
    assert float(seconds) < 2, done.stdout
    assert name in ("UnreadableFile", "FormatError")
    assert code == "3"


def test_no_such_file(tmp_path) -> None:
    refused(tmp_path / "none.mps", "no such file")


def test_a_folder(tmp_path) -> None:
    (tmp_path / "folder.mps").mkdir()
    refused(tmp_path / "folder.mps", "is a folder")


def test_a_file_as_folder(tmp_path) -> None:
    (tmp_path / "a.mps").write_bytes(GOOD)
    refused(tmp_path / "a.mps" / "b.mps", "no such file")


def test_a_pipe(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.mps")
    refused(tmp_path / "pipe.mps", "not a regular file")


def test_a_socket(tmp_path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket.mps"))
        refused(tmp_path / "socket.mps", "not a regular file")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/urandom", "/dev/tty"])
def test_a_device(device: str, tmp_path) -> None:
    link = tmp_path / "device.mps"
    link.symlink_to(device)
    refused(link, "not a regular file|No such device")


def test_a_loop_of_links(tmp_path) -> None:
    (tmp_path / "a.mps").symlink_to(tmp_path / "b.mps")
    (tmp_path / "b.mps").symlink_to(tmp_path / "a.mps")
    refused(tmp_path / "a.mps", "loop")


def test_a_link_to_nothing(tmp_path) -> None:
    (tmp_path / "a.mps").symlink_to(tmp_path / "nothing")
    refused(tmp_path / "a.mps", "no such file")


def test_a_link_to_a_file_is_read(tmp_path) -> None:
    (tmp_path / "a").write_bytes(GOOD)
    (tmp_path / "b.mps").symlink_to(tmp_path / "a")
    assert files.read(tmp_path / "b.mps").n_cols == 1


def test_a_name_with_a_nul_byte() -> None:
    with pytest.raises(UnreadableFile, match="no file name"):
        files.read("a\0b.mps")


def test_a_name_that_is_too_long(tmp_path) -> None:
    refused(tmp_path / ("x" * 5000 + ".mps"), "too long")


def test_missing_rights() -> None:
    """As nobody, where this is root: root may read everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        path = folder / "secret.mps"
        path.write_bytes(GOOD)
        path.chmod(0)
        user = os.geteuid()
        try:
            if user == 0:
                os.seteuid(65534)
            refused(path, "no right")
        finally:
            os.seteuid(user)


@pytest.mark.parametrize("name", ["model", "model.txt", "model.mps.bz2", "model.cip", "mps", ".gz"])
def test_an_unknown_ending(name: str, tmp_path) -> None:
    path = tmp_path / name
    path.write_bytes(GOOD)
    refused(path, "not called .mps or .lp")


@pytest.mark.parametrize("name", ["UPPER.MPS", "two.parts.mps", "x.mps.GZ"])
def test_endings_in_other_spellings(name: str, tmp_path) -> None:
    (tmp_path / name).write_bytes(GOOD)
    assert files.read(tmp_path / name).n_cols == 1


def test_gzip_is_known_by_its_bytes(tmp_path) -> None:
    (tmp_path / "plain.mps.gz").write_bytes(GOOD)
    (tmp_path / "packed.mps").write_bytes(gzip.compress(GOOD))
    assert files.read(tmp_path / "plain.mps.gz") == files.read(tmp_path / "packed.mps")


@pytest.mark.parametrize(
    ("magic", "name"), [(b"BZh91AY", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"PK\x03\x04", "zip"),
                        (b"(\xb5/\xfd", "zstandard")]
)  # fmt: skip
def test_other_archives_are_named(magic: bytes, name: str, tmp_path) -> None:
    (tmp_path / "a.mps").write_bytes(magic + b"rest")
    refused(tmp_path / "a.mps", name)


def test_several_gzip_members_are_one_text(tmp_path) -> None:
    (tmp_path / "a.mps.gz").write_bytes(gzip.compress(GOOD[:30]) + gzip.compress(GOOD[30:]))
    assert files.read(tmp_path / "a.mps.gz").n_cols == 1


@pytest.mark.parametrize("cut", [1, 3, 8, 12, 30])
def test_truncated_gzip(cut: int, tmp_path) -> None:
    (tmp_path / "a.mps.gz").write_bytes(gzip.compress(GOOD)[:-cut])
    refused(tmp_path / "a.mps.gz", "cut off")


def test_a_gzip_header_only(tmp_path) -> None:
    (tmp_path / "a.mps.gz").write_bytes(gzip.compress(GOOD)[:10])
    refused(tmp_path / "a.mps.gz", "cut off")


@pytest.mark.parametrize("at", [-8, -5, -4, -1, 20])
def test_a_changed_byte_in_gzip(at: int, tmp_path) -> None:
    data = bytearray(gzip.compress(GOOD))
    data[at] ^= 0x55
    (tmp_path / "a.mps.gz").write_bytes(bytes(data))
    with pytest.raises(InputError):
        files.read(tmp_path / "a.mps.gz")


@pytest.mark.parametrize("tail", [b"\0", b"garbage", b"\x1f", GOOD])
def test_garbage_behind_gzip(tail: bytes, tmp_path) -> None:
    (tmp_path / "a.mps.gz").write_bytes(gzip.compress(GOOD) + tail)
    refused(tmp_path / "a.mps.gz", "garbage")


def test_a_bomb_of_zeros(tmp_path) -> None:
    path = tmp_path / "zeros.mps.gz"
    path.write_bytes(gzip.compress(bytes(256 * MEBIBYTE), 1))
    refused_below_one_gigabyte(path)


def test_a_bomb_of_comments(tmp_path) -> None:
    path = tmp_path / "comments.mps.gz"
    member = gzip.compress(b"* comment comment comment comment\n" * (4 * MEBIBYTE), 9)
    path.write_bytes(member * 8)
    refused_below_one_gigabyte(path)


def test_a_bomb_of_blanks_below_the_limit_of_expansion(tmp_path) -> None:
    """Nothing to refuse but the missing end: blank lines and comments cost next to nothing."""
    widths = random.Random(1)
    block = b"".join(
        b"*" * widths.randint(0, 1) + b" " * widths.randint(30, 60) + b"\n" for _ in range(20_000)
    )
    path = tmp_path / "blanks.mps.gz"
    path.write_bytes(gzip.compress(block * 100, 6))
    assert 30 < len(block) * 200 / path.stat().st_size < ReadLimits().expansion
    refused_below_one_gigabyte(path)


def test_a_hole_of_eight_gigabytes(tmp_path) -> None:
    path = tmp_path / "hole.mps"
    with path.open("wb") as stream:
        stream.truncate(8 << 30)
    refused_below_one_gigabyte(path)


def test_a_hole_within_the_limit(tmp_path) -> None:
    path = tmp_path / "hole.mps"
    with path.open("wb") as stream:
        stream.truncate(900 * MEBIBYTE)
    refused_below_one_gigabyte(path)


@pytest.mark.parametrize("suffix", ["mps", "lp"])
def test_a_line_of_ten_megabytes(suffix: str, tmp_path) -> None:
    path = tmp_path / f"line.{suffix}"
    path.write_bytes(b" " + b"x" * (10 * MEBIBYTE))
    refused_below_one_gigabyte(path)


@pytest.mark.parametrize(
    "text",
    [
        b"NAME\nROWS\n N C\n" + b" L %s\n" % (b"1" * 400_000),
        b"NAME\nROWS\n N C\nCOLUMNS\n X C " + b"9" * 1_000_000 + b"\n",
        b"NAME\nROWS\n N C\nCOLUMNS\n X C 1" + b" C 1" * 200_000 + b"\n",
        b"*g2milp " + b"[" * 500_000 + b"\n",
        b"Minimize\n" + b"+ " * 400_000 + b"\n",
        b"Minimize\n x" + b" + 1x" * 100_000 + b"\n",
        b"Minimize\n " + b"1" * 1_000_000 + b"\n",
        b"\\" * 1_000_000 + b"\n",
        b"\n" * (4 * MEBIBYTE),
    ],
    ids=["digits as a name", "digits", "fields", "brackets", "signs", "glued", "a number",
         "backslashes", "empty lines"],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["mps", "lp"])
def test_patterns_that_could_take_long(text: bytes, suffix: str, tmp_path) -> None:
    path = tmp_path / f"slow.{suffix}"
    path.write_bytes(text)
    start = time.perf_counter()
    with pytest.raises(InputError):
        files.read(path)
    assert time.perf_counter() - start < 2


def test_a_file_that_grows_while_it_is_read(tmp_path, monkeypatch) -> None:
    path = tmp_path / "grows.mps"
    path.write_bytes(GOOD)
    real = os.read

    def growing(handle: int, size: int) -> bytes:
        with path.open("ab") as stream:
            stream.write(b"* more\n" * 1000)
        return real(handle, size)

    monkeypatch.setattr(opening.os, "read", growing)
    with pytest.raises(UnreadableFile, match="more than the limit"):
        files.read(path, limits=ReadLimits(text_bytes=100_000))


def test_only_regular_files_pass_the_look_through_the_handle(tmp_path) -> None:
    path = tmp_path / "a.mps"
    path.write_bytes(GOOD)
    assert stat.S_ISREG(path.stat().st_mode)
    assert opening.read_bytes(path) == GOOD
