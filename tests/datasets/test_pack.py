from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from g2milp.datasets.pack import open_pack, write_pack
from g2milp.errors import DamagedArtifact
from g2milp.testing import assert_milp_equal, random_milp, tiny_milps

if TYPE_CHECKING:
    from pathlib import Path


def test_every_instance_comes_back_bit_for_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    milps = [*tiny_milps().values(), *(random_milp(rng) for _ in range(10))]
    write_pack(tmp_path / "x.safetensors", milps)
    for ours, expected in zip(open_pack(tmp_path / "x.safetensors"), milps, strict=True):
        assert_milp_equal(ours, expected)
        assert not ours.values.flags.writeable


def test_it_is_a_safetensors_file(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    milp = tiny_milps()["range"]
    write_pack(tmp_path / "x.safetensors", [milp])
    assert load_file(tmp_path / "x.safetensors")["values"].tolist() == milp.values.tolist()


def test_no_instances(tmp_path: Path) -> None:
    write_pack(tmp_path / "x.safetensors", [])
    assert open_pack(tmp_path / "x.safetensors") == []


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    write_pack(path, [tiny_milps()["semi"], tiny_milps()["range"]])
    content = path.read_bytes()
    original = open_pack(path)
    for at in range(len(content)):
        changed = bytearray(content)
        changed[at] ^= 4
        damaged = tmp_path / f"d{at}"
        damaged.write_bytes(changed)
        try:
            found = open_pack(damaged)
        except DamagedArtifact:
            continue
        # What is outside the hash are spaces and the like in the header.
        assert found == original
        assert at < 8 + int.from_bytes(content[:8], "little")


@pytest.mark.parametrize(
    "change",
    [
        {"cols": -1},
        {"cols": 10**9},
        {"rows": 0},
        {"nonzeros": "2"},
        {"sense": "up"},
        {"offset": "x"},
        {"offset": "nan"},
    ],
)
def test_a_header_that_lies_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "x.safetensors"
    write_pack(path, [tiny_milps()["range"]])
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    entries = json.loads(header["__metadata__"]["instances"])
    entries[0].update(change)
    header["__metadata__"]["instances"] = json.dumps(entries)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
    with pytest.raises(DamagedArtifact):
        open_pack(path, verify=False)
