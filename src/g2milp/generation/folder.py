"""Model folders of every generator: tensors, JSON and hashes, no code and no pickle.

    model.safetensors   named arrays           statistics.json  what else was learned
    config.json         kind and defaults      README.md        what this is, for people
    templates/          the training instances, unless left out    MANIFEST.json  hashes, last

A folder is written beside its place and moved there when complete, so that there is never half of
one. It is input when read: hashes first, then shapes and values by the generator itself.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from g2milp.errors import AlreadyExists, DamagedArtifact, UsageError
from g2milp.generation.contract import Generator, SampleOptions
from g2milp.generation.integrity import (
    MANIFEST_NAME,
    check_integrity,
    read_json_object,
    write_integrity,
)
from g2milp.generation.options import as_json, resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset

TENSORS, CONFIG, STATISTICS, CARD = (
    "model.safetensors",
    "config.json",
    "statistics.json",
    "README.md",
)
TEMPLATES = "templates"
AnyGenerator = TypeVar("AnyGenerator", bound=Generator)


def save_generator(
    generator: Generator, directory: str | Path, *, templates: bool, overwrite: bool
) -> None:
    """Write the model folder of a fitted generator."""
    from g2milp.instance.io.atomic import write_bytes, write_json

    target = Path(directory)
    if (target / MANIFEST_NAME).exists() and not overwrite:
        raise AlreadyExists(
            f"{target} holds a model already",
            hint="Give another folder, or --overwrite (overwrite=True).",
        )
    target.mkdir(parents=True, exist_ok=True)
    (target / MANIFEST_NAME).unlink(missing_ok=True)
    arrays, values = generator._state()
    write_bytes(target / TENSORS, _tensor_bytes(arrays), overwrite=True)
    config = {
        "kind": generator.kind,
        "seed": generator.seed,
        "options": as_json(generator.defaults),
    }
    write_json(target / CONFIG, config, overwrite=True)
    write_json(target / STATISTICS, values, overwrite=True)
    write_bytes(target / CARD, _card(generator, templates).encode(), overwrite=True)
    files = [TENSORS, CONFIG, STATISTICS, CARD]
    shutil.rmtree(target / TEMPLATES, ignore_errors=True)
    if templates and generator.templates_ is not None and len(generator.templates_):
        files += _write_templates(generator.templates_, target / TEMPLATES)
    write_integrity(target, files, kind=generator.kind)


def load_generator(directory: str | Path, expected: type[AnyGenerator]) -> AnyGenerator:
    """Read a model folder; `expected` is the class, or `Generator` for any that is imported."""
    from g2milp.datasets.dataset import Dataset

    folder = Path(directory)
    manifest = check_integrity(folder)
    for name in (TENSORS, CONFIG, STATISTICS):
        if name not in manifest["files"]:
            raise DamagedArtifact(folder, f"{name} is not in {MANIFEST_NAME}")
    config = read_json_object(folder / CONFIG)
    cls = _class_of(folder, manifest["kind"], expected)
    arrays, values = _read_tensors(folder / TENSORS), read_json_object(folder / STATISTICS)
    try:
        generator = cls._from_state(arrays, values)
    except (UsageError, OverflowError) as error:  # a setting that no user could have given
        raise DamagedArtifact(folder / STATISTICS, str(error)) from error
    seed, options = config.get("seed"), config.get("options")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise DamagedArtifact(folder / CONFIG, f"the seed is no seed: {seed!r}")
    if not isinstance(options, dict):
        raise DamagedArtifact(folder / CONFIG, "`options` is missing")
    generator.seed = seed
    generator.defaults = _defaults(folder / CONFIG, generator, options)
    listed = [name for name in manifest["files"] if name.startswith(f"{TEMPLATES}/")]
    generator.templates_ = (
        Dataset.open(folder / TEMPLATES) if listed else Dataset.from_milps([], [])
    )
    return generator


def fingerprint(generator: Generator) -> str:
    """SHA-256 over everything that was learned: two equal ones generate the same."""
    import hashlib

    arrays, values = generator._state()
    digest = hashlib.sha256(_tensor_bytes(arrays))
    digest.update(json.dumps(values, sort_keys=True).encode())
    return digest.hexdigest()


def _defaults(path: Path, generator: Generator, options: dict[str, Any]) -> SampleOptions:
    known = {k: v for k, v in options.items() if k != "extra"}
    extra = options.get("extra")
    try:
        return resolve(generator, {**known, **(extra if isinstance(extra, dict) else {})})
    except (UsageError, TypeError) as error:
        raise DamagedArtifact(path, str(error)) from error


def _class_of(folder: Path, kind: str, expected: type[AnyGenerator]) -> type[AnyGenerator]:
    if getattr(expected, "kind", None) == kind:
        return expected
    for cls in _subclasses(expected):
        if getattr(cls, "kind", None) == kind:
            return cls
    wanted = getattr(expected, "kind", "generator")
    raise DamagedArtifact(folder, f"this folder holds a {kind!r}, not a {wanted!r}")


def _subclasses(cls: type[AnyGenerator]) -> list[type[AnyGenerator]]:
    direct = cls.__subclasses__()
    return [*direct, *(below for sub in direct for below in _subclasses(sub))]


def _write_templates(templates: Dataset, folder: Path) -> list[str]:
    from g2milp.generation.writing import write_folder

    names = write_folder(zip(templates.names, templates, strict=True), folder, overwrite=True)
    return sorted(f"{TEMPLATES}/{name}" for name in [*names, "manifest.jsonl"])


def _tensor_bytes(arrays: dict[str, NDArray[Any]]) -> bytes:
    from safetensors.numpy import save

    data: bytes = save({name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)})
    return data


def _read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays: dict[str, NDArray[Any]] = load(path.read_bytes())
    except SafetensorError as error:
        raise DamagedArtifact(path, str(error)) from error
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise DamagedArtifact(path, f"tensor {name!r} holds a NaN or an infinity")
    return arrays


def _card(generator: Generator, templates: bool) -> str:
    count = len(generator.templates_ or ())
    held = (
        f"`templates/` holds the {count} training instances as they are."
        if templates and count
        else "The training instances are not part of this folder."
    )
    return (
        f"---\nlibrary_name: g2milp\ntags: [milp, instance-generation]\n---\n"
        f"# A {generator.kind} model for MILP instances\n\n"
        f"Learned from {count} instances. {held}\n\n"
        f"```\ng2milp generate {os.curdir} -n 100 -o new/\n```\n"
    )
