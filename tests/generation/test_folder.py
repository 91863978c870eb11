from __future__ import annotations

import json

import pytest

from g2milp.errors import AlreadyExists, DamagedArtifact, UnreadableFile
from g2milp.generation.contract import Generator


@pytest.fixture
def folder(toy, tmp_path):
    toy.save(tmp_path / "model")
    return tmp_path / "model"


def test_a_loaded_generator_generates_the_same(toy, folder):
    from toy_generator import Toy

    loaded = Toy.load(folder)
    assert list(loaded.sample(5, seed=2)) == list(toy.sample(5, seed=2))
    assert loaded.mask_ratio == toy.mask_ratio
    assert isinstance(Generator.load(folder), Toy)


def test_without_templates_it_needs_some(toy, tmp_path, family):
    from toy_generator import Toy

    toy.save(tmp_path / "export", templates=False)
    assert not (tmp_path / "export" / "templates").exists()
    loaded = Toy.load(tmp_path / "export")
    with pytest.raises(ValueError, match="no template"):
        loaded.sample(1)
    assert len(loaded.sample(2, templates=family)) == 2


def test_nothing_is_overwritten_unless_told(toy, folder):
    with pytest.raises(AlreadyExists):
        toy.save(folder)
    toy.save(folder, overwrite=True)


def test_every_flipped_bit_is_seen(folder):
    from toy_generator import Toy

    names = ["model.safetensors", "config.json", "statistics.json", "README.md"]
    names += [f"templates/{p.name}" for p in (folder / "templates").iterdir()]
    for name in names:
        path = folder / name
        good = path.read_bytes()
        bad = bytearray(good)
        bad[len(bad) // 2] ^= 4
        path.write_bytes(bytes(bad))
        with pytest.raises(DamagedArtifact, match="SHA-256"):
            Toy.load(folder)
        path.write_bytes(good[:-1])
        with pytest.raises(DamagedArtifact, match="size"):
            Toy.load(folder)
        path.unlink()
        with pytest.raises(DamagedArtifact, match="not there"):
            Toy.load(folder)
        path.write_bytes(good)
    Toy.load(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format_version": 99}, "newer"),
        ({"format_version": "1"}, "format_version"),
        ({"kind": "stranger"}, "stranger"),
        ({"files": {"../../etc/passwd": {}}}, "no file of this folder"),
        ({"files": {"/etc/passwd": {}}}, "no file of this folder"),
        ({"files": []}, "missing"),
    ],
)
def test_a_wrong_manifest_is_refused(folder, change, words):
    from toy_generator import Toy

    path = folder / "MANIFEST.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(DamagedArtifact, match=words):
        Toy.load(folder)


def test_unfinished_and_missing_folders_are_named(folder, tmp_path):
    from toy_generator import Toy

    (folder / "MANIFEST.json").unlink()
    with pytest.raises(DamagedArtifact, match="no finished model"):
        Toy.load(folder)
    with pytest.raises(UnreadableFile):
        Toy.load(tmp_path / "nowhere")
