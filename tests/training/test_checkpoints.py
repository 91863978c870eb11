"""Checkpoints: whole or refused."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from g2milp.training.checkpoints import (
    VECTORS,
    Checkpoint,
    Position,
    digest_of,
    read_newest,
    write_checkpoint,
)

SIZE = 50


def checkpoint(step: int) -> Checkpoint:
    rng = np.random.default_rng(step)
    vectors = {name: rng.normal(size=SIZE).astype(np.float32) for name in VECTORS}
    return Checkpoint(Position(step=step, taken=step, best_step=step, best_value=0.5), vectors)


def test_the_last_two_are_kept_and_the_newest_is_read(tmp_path) -> None:
    for step in (10, 20, 30):
        write_checkpoint(tmp_path, checkpoint(step))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"step-0000000{s}.{e}" for s in (20, 30) for e in ("json", "safetensors")]
    found, skipped = read_newest(tmp_path, SIZE)
    assert found is not None
    assert found.position == checkpoint(30).position
    assert not skipped
    for name in VECTORS:
        assert np.array_equal(found.vectors[name], checkpoint(30).vectors[name])


def test_nothing_there_is_no_error(tmp_path) -> None:
    assert read_newest(tmp_path / "none", SIZE) == (None, [])


def test_every_flipped_bit_and_cut_is_seen(tmp_path) -> None:
    """Damaged vectors or a damaged position: the checkpoint before is used instead."""
    write_checkpoint(tmp_path, checkpoint(10))
    write_checkpoint(tmp_path, checkpoint(20))
    rng = np.random.default_rng(0)
    for ending in ("safetensors", "json"):
        path = tmp_path / f"step-000000020.{ending}"
        good = path.read_bytes()
        for trial in range(600):
            data = bytearray(good)
            if trial % 2:
                data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
            else:
                del data[int(rng.integers(len(data))) :]
            path.write_bytes(bytes(data))
            found, skipped = read_newest(tmp_path, SIZE)
            assert found is not None
            if found.position.step == 20:  # white space
                assert found.position == checkpoint(20).position
                assert ending == "json"
            else:
                assert found.position.step == 10
                assert len(skipped) == 1
        path.write_bytes(good)


@pytest.mark.parametrize(
    "position",
    [
        None,
        {},
        {"step": 20, "code": "import os"},
        {"step": -1},
        {"step": True},
        {"step": 1.5},
        {"rate_scale": float("nan")},
        {"best_value": "0.5"},
        {"rate_scale": None},
        {"step": 21},
    ],
)
def test_a_position_that_makes_no_sense_is_refused(tmp_path, position) -> None:
    write_checkpoint(tmp_path, checkpoint(10))
    write_checkpoint(tmp_path, checkpoint(20))
    record = tmp_path / "step-000000020.json"
    content = json.loads(record.read_text())
    content["position"] = {**content["position"], **position} if position else position
    tensors = (tmp_path / "step-000000020.safetensors").read_bytes()
    content["sha256"] = digest_of(tensors, content["position"])
    record.write_text(json.dumps(content))
    found, skipped = read_newest(tmp_path, SIZE)
    assert found is not None
    assert found.position.step == 10
    assert skipped


def test_a_position_of_another_checkpoint_is_refused(tmp_path) -> None:
    """Weights of step 20 at step 10 would train on silently, and end elsewhere."""
    write_checkpoint(tmp_path, checkpoint(10))
    write_checkpoint(tmp_path, checkpoint(20))
    record = tmp_path / "step-000000020.json"
    content = json.loads(record.read_text())
    content["position"]["rate_scale"] = 0.5
    record.write_text(json.dumps(content))
    found, skipped = read_newest(tmp_path, SIZE)
    assert found is not None
    assert found.position.step == 10
    assert "SHA-256" in skipped[0]


def test_vectors_of_another_network_are_refused(tmp_path) -> None:
    write_checkpoint(tmp_path, checkpoint(10))
    found, skipped = read_newest(tmp_path, SIZE + 1)
    assert found is None
    assert "does not fit" in skipped[0]


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was loaded",))


def test_a_pickle_is_not_loaded(tmp_path) -> None:
    write_checkpoint(tmp_path, checkpoint(10))
    (tmp_path / "step-000000010.safetensors").write_bytes(pickle.dumps(Bomb()))
    assert read_newest(tmp_path, SIZE)[0] is None
