"""Generated instances without names, order and scale; the keys stay beside the folder, not in it.

The certificate is taken along: a point and a dual in the units of the anonymous instance are the
original ones times powers of two, so it stays exact. What the manifest would tell of templates and
training instances goes into the key as well.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.instance.anonymise import Key, anonymise
from g2milp.instance.fingerprint import content_hash

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from g2milp.generation.contract import Sample

TELLING = ("parent", "parent_hash", "same_as", "nearest", "structure_hash", "duplicate_of")
"""What a manifest of anonymous instances leaves out."""
_STREAM = 0x616E6F6E
"""Keeps the draws of anonymisation apart from those of generation."""


def anonymous(sample: Sample, seed: int) -> tuple[Sample, Key]:
    """The sample made anonymous, and the key."""
    sequence = np.random.SeedSequence(seed, spawn_key=(sample.number, _STREAM))
    milp, key = anonymise(sample.milp, np.random.Generator(np.random.PCG64(sequence)))
    record = {**sample.record, "hash": content_hash(milp)}
    hidden = replace(
        sample,
        milp=milp,
        template_name="instance",
        record=record,
        point=_moved(sample.point, key.col_order, -key.col_shift),
        dual=_moved(sample.dual, key.row_order, -key.row_shift),
    )
    return hidden, key


def key_of(sample: Sample, key: Key) -> dict[str, Any]:
    """The key as JSON values, with what the manifest does not say."""
    told = {name: sample.record.get(name) for name in TELLING if name in sample.record}
    return {**told, **key.as_json()}


def write_key(key: dict[str, Any], folder: Path, stem: str) -> None:
    """Write one key to ``<folder>-keys/``."""
    from g2milp.instance.io.atomic import write_json

    keys = folder.with_name(f"{folder.name}-keys")
    keys.mkdir(parents=True, exist_ok=True)
    write_json(keys / f"{stem}.key.json", key, overwrite=True)


def untelling(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what it tells of other instances."""
    return {name: value for name, value in record.items() if name not in TELLING}


def _moved(
    point: Sequence[Fraction] | None, order: NDArray[np.int64], shift: NDArray[np.int64]
) -> list[Fraction] | None:
    if point is None:
        return None
    return [
        point[i] * Fraction(2) ** s for i, s in zip(order.tolist(), shift.tolist(), strict=True)
    ]
