from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time

import pytest

from g2milp.errors import AlreadyExists, InputError, OutOfSpace, UsageError
from g2milp.execution.shards import Shard
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session

N = 40


def session_of(toy, seed=5, **options):
    return Session(toy, seed=seed, templates=None, options=toy.options(**options))


def digest(folder) -> dict[str, str]:
    return {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.iterdir())
        if p.is_file()
    }


def test_jobs_and_shards_do_not_change_a_byte(toy, tmp_path):
    options = {"distinct": True, "mask_ratio": 0.09, "certify": "bounded"}
    generate_folder(session_of(toy, **options), N, tmp_path / "one")
    generate_folder(session_of(toy, **options), N, tmp_path / "two", jobs=2)
    expected = digest(tmp_path / "one")
    assert digest(tmp_path / "two") == expected
    for count in (2, 3):
        folder = tmp_path / f"shards{count}"
        for index in reversed(range(count)):
            outcome = generate_folder(
                session_of(toy, **options), N, folder, shard=Shard(index, count)
            )
            assert outcome.complete == (index == 0)
        assert digest(folder) == expected
    assert sum(name.endswith(".mps.gz") for name in expected) == N


def test_the_folder_is_what_the_stream_gives(toy, tmp_path):
    from g2milp.datasets.dataset import Dataset

    generate_folder(session_of(toy, distinct=True, mask_ratio=0.09), N, tmp_path / "new")
    dataset = Dataset.open(tmp_path / "new")
    assert list(dataset) == list(toy.sample(N, seed=5, distinct=True, mask_ratio=0.09))
    assert [r["number"] for r in dataset.manifest] == list(range(N))


def test_the_same_call_again_does_nothing_and_others_are_refused(toy, tmp_path):
    first = generate_folder(session_of(toy), 5, tmp_path)
    before = digest(tmp_path)
    again = generate_folder(session_of(toy), 5, tmp_path)
    assert (first.written, again.written, again.found) == (5, 0, 5)
    assert digest(tmp_path) == before
    with pytest.raises(AlreadyExists, match=r"\(certify, seed\)"):
        generate_folder(session_of(toy, seed=6, certify="feasible"), 5, tmp_path)
    generate_folder(session_of(toy, seed=6), 3, tmp_path, overwrite=True)
    assert len(list(tmp_path.glob("*.mps.gz"))) == 3


def test_an_interrupted_first_block_is_no_obstacle_and_leaves_no_file(toy, tmp_path, monkeypatch):
    from g2milp.generation import run

    real, left = run.write_sample, iter(range(3))

    def dying(*arguments, **how):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return real(*arguments, **how)

    monkeypatch.setattr(run, "write_sample", dying)
    with pytest.raises(KeyboardInterrupt):
        generate_folder(session_of(toy, certify="bounded"), 5, tmp_path / "new")
    assert len(digest(tmp_path / "new")) == 9
    monkeypatch.setattr(run, "write_sample", real)
    generate_folder(session_of(toy, seed=6), 2, tmp_path / "new")
    assert sum(name.endswith(".mps.gz") for name in digest(tmp_path / "new")) == 2
    assert len(digest(tmp_path / "new")) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_strange_templates_are_refused_before_anything_is_written(toy, tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(type(toy), "strange", lambda self, milp: ["sides: 5, in training 1"])
    generate_folder(session_of(toy), N, tmp_path / "own", jobs=1)
    foreign = Session(toy, seed=0, templates=list(toy.templates_)[:2], options=toy.options())
    with pytest.raises(InputError, match="template 0 is not like"):
        generate_folder(foreign, N, tmp_path / "new", jobs=jobs)
    assert not (tmp_path / "new").exists()


def test_a_folder_of_others_is_left_alone(toy, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(AlreadyExists):
        generate_folder(session_of(toy), 2, tmp_path)
    with pytest.raises(UsageError):
        generate_folder(session_of(toy), 0, tmp_path)


def test_a_full_disk_leaves_nothing_half_written_and_can_be_continued(toy, tmp_path, monkeypatch):
    from g2milp.instance.io import files

    generate_folder(session_of(toy), N, tmp_path / "whole")
    real, left = files.write_bytes, iter(range(20))

    def failing(path, data, **how):
        if next(left, None) is None:
            raise OutOfSpace(f"{path}: no space left on device")
        real(path, data, **how)

    monkeypatch.setattr(files, "write_bytes", failing)
    with pytest.raises(OutOfSpace):
        generate_folder(session_of(toy), N, tmp_path / "new")
    assert not (tmp_path / "new" / "manifest.jsonl").exists()
    monkeypatch.setattr(files, "write_bytes", real)
    outcome = generate_folder(session_of(toy), N, tmp_path / "new")
    assert outcome.found == 16
    assert digest(tmp_path / "new") == digest(tmp_path / "whole")


SCRIPT = """
import sys
from toy_generator import Toy
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
toy = Toy.load(sys.argv[1])
options = toy.options(distinct=True, certify="feasible")
session = Session(toy, seed=5, templates=None, options=options)
generate_folder(session, 40, sys.argv[2])
"""


def test_killed_at_random_moments_it_ends_with_the_same_bytes(toy, tmp_path):
    toy.save(tmp_path / "model")
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "model")]
    start = time.perf_counter()
    subprocess.run([*command, str(tmp_path / "whole")], check=True)
    whole_seconds = time.perf_counter() - start
    target = tmp_path / "killed"
    for attempt in range(4):
        process = subprocess.Popen([*command, str(target)])
        time.sleep(whole_seconds * (0.45 + 0.13 * attempt))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run([*command, str(target)], check=True)
    assert digest(target) == digest(tmp_path / "whole")
    assert not list(target.glob(".g2milp-*"))
