"""Hostile model folders: refused by hash, shape or value, and nothing in them is run."""

from __future__ import annotations

import json
import pickle
import shutil
import struct
import sys

import numpy as np
import pytest

from g2milp.errors import DamagedArtifact, InputError
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.integrity import write_integrity

FLIPS = 1000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from g2milp.testing import training_milps

    settings = {"embedding": 4, "hidden": 4, "latent": 2, "depth": 1, "training.steps": 2}
    where = tmp_path_factory.mktemp("model") / "run"
    G2MILP(settings=settings).fit(training_milps()).save(where)
    return where


@pytest.fixture
def copy(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "run")
    return tmp_path / "run"


def test_a_whole_folder_loads(folder) -> None:
    assert G2MILP.load(folder).is_fitted


def test_every_flipped_bit_and_every_cut_is_refused(copy) -> None:
    rng = np.random.default_rng(0)
    files = [p for p in copy.iterdir() if p.is_file() and p.name != "MANIFEST.json"]
    for trial in range(FLIPS):
        path = files[trial % len(files)]
        good = path.read_bytes()
        data = bytearray(good)
        if trial % 5:
            data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        else:
            del data[int(rng.integers(len(data))) :]
        path.write_bytes(bytes(data))
        with pytest.raises(DamagedArtifact):
            G2MILP.load(copy)
        path.write_bytes(good)
    assert G2MILP.load(copy).is_fitted


def test_every_damage_to_the_manifest_is_refused_or_harmless(copy) -> None:
    """Only its words of who wrote it can change unseen: what is loaded is the same then."""
    from g2milp.generation.folder import fingerprint

    path = copy / "MANIFEST.json"
    good = path.read_bytes()
    whole = fingerprint(G2MILP.load(copy))
    rng = np.random.default_rng(1)
    loaded = 0
    for trial in range(FLIPS // 4):
        data = bytearray(good)
        if trial % 5:
            data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        else:
            del data[int(rng.integers(len(data))) :]
        path.write_bytes(bytes(data))
        try:
            assert fingerprint(G2MILP.load(copy)) == whole
            loaded += 1
        except InputError:
            continue
    assert loaded < FLIPS // 20


@pytest.mark.parametrize(
    "name", ["a" * 5000, "a/" * 3000 + "b", "", ".", "templates", "\ud800"], ids=ascii
)
def test_a_manifest_with_odd_names_is_refused(copy, name) -> None:
    path = copy / "MANIFEST.json"
    content = json.loads(path.read_text())
    content["files"][name] = {"size": 1, "sha256": ""}
    path.write_text(json.dumps(content))
    with pytest.raises(InputError):
        G2MILP.load(copy)


@pytest.mark.parametrize("seed", [-5, True, 1.5, "0", None])
def test_a_seed_that_is_none_is_refused(copy, seed) -> None:
    content = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**content, "seed": seed}))
    files = [str(p.relative_to(copy)) for p in copy.rglob("*") if p.is_file()]
    write_integrity(copy, [f for f in files if f != "MANIFEST.json"], kind="g2milp")
    with pytest.raises(DamagedArtifact, match="seed"):
        G2MILP.load(copy)


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was run",))


def header(content: object, body: bytes = b"") -> bytes:
    text = json.dumps(content).encode()
    return struct.pack("<Q", len(text)) + text + body


CRAFTED = {
    "pickle": pickle.dumps(Bomb()),
    "zip": b"PK\x03\x04" + bytes(100),
    "empty": b"",
    "huge header": struct.pack("<Q", 2**62) + b"{}",
    "no json": struct.pack("<Q", 2) + b"[[",
    "overlap": header(
        {n: {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} for n in ("a", "b")}, bytes(8)
    ),
    "beyond the end": header({"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}}),
    "negative shape": header(
        {"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}, b"abcd"
    ),
    "no tensors": header({}),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_tensors_with_a_right_hash_are_refused(copy, name) -> None:
    (copy / "model.safetensors").write_bytes(CRAFTED[name])
    files = [str(p.relative_to(copy)) for p in copy.rglob("*") if p.is_file()]
    write_integrity(copy, [f for f in files if f != "MANIFEST.json"], kind="g2milp")
    opened: list[str] = []

    def watch(event: str, _arguments: tuple[object, ...]) -> None:
        if watching and event in (
            "os.system",
            "subprocess.Popen",
            "socket.connect",
            "pickle.find_class",
        ):
            opened.append(event)

    watching = True
    sys.addaudithook(watch)
    with pytest.raises(InputError):
        G2MILP.load(copy)
    watching = False
    assert not opened


@pytest.mark.parametrize("value", [{"config": {}}, {"config": {"network": {"hidden": 10**9}}}, {}])
def test_crafted_statistics_with_a_right_hash_are_refused(copy, value) -> None:
    content = {**json.loads((copy / "statistics.json").read_text()), **value}
    if not value:
        content = {}
    (copy / "statistics.json").write_text(json.dumps(content))
    files = [str(p.relative_to(copy)) for p in copy.rglob("*") if p.is_file()]
    write_integrity(copy, [f for f in files if f != "MANIFEST.json"], kind="g2milp")
    with pytest.raises(InputError):
        G2MILP.load(copy)
