from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from g2milp.datasets import manifest as module
from g2milp.datasets.manifest import MANIFEST_NAME, manifest_line, read_manifest, write_manifest
from g2milp.errors import AlreadyExists, DamagedArtifact

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    records = [{"file": "ä.mps", "hash": "0f", "seed": 3, "parent": None}, {"file": "b.lp"}]
    write_manifest(tmp_path, records)
    assert read_manifest(tmp_path) == [{**r, "schema_version": 1} for r in records]
    with pytest.raises(AlreadyExists):
        write_manifest(tmp_path, records)
    write_manifest(tmp_path, [], overwrite=True)
    assert read_manifest(tmp_path) == []


def test_no_manifest(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON"),
        ("[1]", "no JSON object"),
        ('{"file": "a.mps"}', "no schema_version"),
        ('{"file": "a.mps", "schema_version": true}', "no schema_version"),
        ('{"file": "a.mps", "schema_version": 2}', "newer than this g2milp"),
        ('{"schema_version": 1}', "None is no plain file name"),
        ('{"file": "../a.mps", "schema_version": 1}', "no plain file name"),
        ('{"file": "/etc/passwd", "schema_version": 1}', "no plain file name"),
        ('{"file": "..", "schema_version": 1}', "no plain file name"),
        ('{"file": "a\\\\b", "schema_version": 1}', "no plain file name"),
        ('{"file": "a\\u0000b", "schema_version": 1}', "no plain file name"),
        ("[" * 100_000, "no JSON"),
        ('{"file": "a", "schema_version": 1}\n{"file": "a", "schema_version": 1}', "listed twice"),
    ],
)
def test_damage_is_found_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    good = manifest_line({"file": "good.mps"}).decode()
    (tmp_path / MANIFEST_NAME).write_text(good + text + "\n")
    with pytest.raises(DamagedArtifact, match=message) as caught:
        read_manifest(tmp_path)
    assert f"{MANIFEST_NAME}:" in str(caught.value)


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_manifest(tmp_path, [{"file": "a.mps", "x": "y" * 500}])
    monkeypatch.setattr(module, "MAX_LINE", 100)
    with pytest.raises(DamagedArtifact, match="at most 100"):
        read_manifest(tmp_path)
    monkeypatch.setattr(module, "MAX_BYTES", 100)
    with pytest.raises(DamagedArtifact, match="100 allowed"):
        read_manifest(tmp_path)


def test_bad_records_are_not_written() -> None:
    with pytest.raises(ValueError, match="plain file name"):
        manifest_line({"file": "a/b"})
    with pytest.raises(ValueError, match="JSON"):
        manifest_line({"file": "a", "x": float("nan")})
