"""Checkpoints: everything that the next step depends on, complete or not there.

Each is a safetensors file with flat vectors and a JSON file with the rest, its SHA-256 and size;
the JSON is written last. Random numbers are no part of it: step n draws from a generator seeded by
(seed, n). The last two are kept; the newest whose hash is right is loaded.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from g2milp.errors import DamagedArtifact
from g2milp.instance.io.atomic import write_bytes, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FOLDER = "checkpoints"
FORMAT_VERSION = 2
KEPT = 2
MAX_JSON = 1 << 20
VECTORS = ("parameters", "first", "second", "best")
_NAME = re.compile(r"step-(\d{9})\.json")


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where training stands after `step` steps.

    `taken` updates were made (steps with a gradient that is not finite are skipped), the learning
    rate is scaled by `rate_scale`, `returns` is how often training went back, `best_value` at
    `best_step` is the least that selection has seen.
    """

    step: int = 0
    taken: int = 0
    rate_scale: float = 1.0
    returns: int = 0
    best_step: int = 0
    best_value: float | None = None


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A position and its vectors (float32, one entry a parameter)."""

    position: Position
    vectors: dict[str, NDArray[np.float32]] = field(repr=False)


def write_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Add a checkpoint and remove those before the last two."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"step-{checkpoint.position.step:09d}"
    data = save(dict(sorted(checkpoint.vectors.items())))
    write_bytes(folder / f"{stem}.safetensors", data, overwrite=True)
    position = asdict(checkpoint.position)
    content = {
        "format_version": FORMAT_VERSION,
        "position": position,
        "sha256": digest_of(data, position),
    }
    write_json(folder / f"{stem}.json", content, overwrite=True)
    for step in _steps(folder)[:-KEPT]:
        for ending in ("json", "safetensors"):
            (folder / f"step-{step:09d}.{ending}").unlink(missing_ok=True)


def read_newest(folder: Path, n_parameters: int) -> tuple[Checkpoint | None, list[str]]:
    """The newest checkpoint that is whole, and why each newer one is not."""
    skipped: list[str] = []
    for step in reversed(_steps(folder)):
        try:
            return _read(folder / f"step-{step:09d}.json", n_parameters), skipped
        except DamagedArtifact as error:
            skipped.append(str(error))
    return None, skipped


def digest_of(data: bytes, position: Any) -> str:
    """SHA-256 of vectors and position: a changed step is as wrong as a changed weight."""
    digest = hashlib.sha256(data)
    digest.update(json.dumps(position, sort_keys=True).encode())
    return digest.hexdigest()


def _steps(folder: Path) -> list[int]:
    if not folder.is_dir():
        return []
    found = (_NAME.fullmatch(path.name) for path in folder.iterdir())
    return sorted(int(match[1]) for match in found if match)


def _read(path: Path, n_parameters: int) -> Checkpoint:
    tensors = path.with_suffix(".safetensors")
    try:
        if path.stat().st_size > MAX_JSON:
            raise DamagedArtifact(path, "too large")
        content = json.loads(path.read_bytes())
        if tensors.stat().st_size > 64 + 4096 + 4 * len(VECTORS) * n_parameters:
            raise DamagedArtifact(tensors, "larger than this model's checkpoints are")
        data = tensors.read_bytes()
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedArtifact(path, f"cannot be read ({error})") from error
    if not isinstance(content, dict) or content.get("format_version") != FORMAT_VERSION:
        raise DamagedArtifact(path, "no checkpoint of this version")
    if digest_of(data, content.get("position")) != content.get("sha256"):
        raise DamagedArtifact(tensors, "the content is not what was written (SHA-256 differs)")
    return Checkpoint(
        _position(path, content.get("position")), _vectors(tensors, data, n_parameters)
    )


def _position(path: Path, content: Any) -> Position:
    if not isinstance(content, dict) or content.keys() != {f.name for f in fields(Position)}:
        raise DamagedArtifact(path, "the position is not complete")
    position = Position(**content)
    counts = (position.step, position.taken, position.returns, position.best_step)
    best = position.best_value
    numbers = (position.rate_scale, 0.0 if best is None else best)
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in counts):
        raise DamagedArtifact(path, "a count is no count")
    if any(not isinstance(n, float) or not np.isfinite(n) for n in numbers):
        raise DamagedArtifact(path, "a number is not finite")
    if path.stem != f"step-{position.step:09d}":
        raise DamagedArtifact(path, "the position is not that of its name")
    return position


def _vectors(path: Path, data: bytes, n_parameters: int) -> dict[str, NDArray[np.float32]]:
    try:
        vectors: dict[str, NDArray[np.float32]] = load(data)
    except SafetensorError as error:
        raise DamagedArtifact(path, str(error)) from error
    if sorted(vectors) != sorted(VECTORS):
        raise DamagedArtifact(path, "the vectors are not those of a checkpoint")
    for name, vector in vectors.items():
        if vector.shape != (n_parameters,) or vector.dtype != np.float32:
            raise DamagedArtifact(path, f"{name!r} does not fit this network")
        if not np.isfinite(vector).all():
            raise DamagedArtifact(path, f"{name!r} holds a NaN or an infinity")
    return vectors
