"""Novelty: copies, changed rows, and the nearest training instance against real–real distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.novelty.overlap import Nearest, nearest, parts_of, shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.evaluation.profile import Profile

FAR = 0.75
"""An instance that shares less than a quarter with its nearest one has no known template."""


@dataclass(frozen=True)
class Novelty:
    """How new a generated set is.

    Attributes
    ----------
    copies
        Share of the instances that equal a reference instance in content.
    isomorphic
        Share that equals one up to the order of rows and columns (copies included).
    repeated
        Share that is isomorphic to an earlier instance of the generated set.
    changed_rows
        Mean share of an instance's rows that its template (or nearest reference) does not have.
    least_changed
        The smallest such share.
    nearest_median, real_nearest_median
        Median distance to the nearest reference instance, and that among reference instances.
    near_copies
        Share of instances nearer to a reference instance than half the median real–real distance,
        or isomorphic to one: copies are near-copies.
    parents_from
        ``"manifest"`` or ``"nearest"``: where the template of an instance was taken from.
    """

    copies: float
    isomorphic: float
    repeated: float
    changed_rows: float
    least_changed: float
    nearest_median: float
    real_nearest_median: float | None
    near_copies: float
    parents_from: str


@dataclass(frozen=True)
class Lineage:
    """The template of each generated instance, as an index into the reference; −1: unknown."""

    parents: tuple[int, ...]
    parents_from: str


def lineage(
    reference_names: Sequence[str],
    parent_names: Sequence[str | None],
    reference: Sequence[Profile],
    generated: Sequence[Profile],
    closest: Nearest,
) -> Lineage:
    """Take the manifest's templates; where there are none, an isomorphic one or the nearest."""
    place = {name: i for i, name in enumerate(reference_names)}
    known = [place.get(name, -1) if name is not None else -1 for name in parent_names]
    if any(i >= 0 for i in known):
        return Lineage(tuple(known), "manifest")
    same = {profile.structure: i for i, profile in enumerate(reference)}
    guessed = [
        same.get(profile.structure, int(i) if d < FAR else -1)
        for profile, i, d in zip(generated, closest.index, closest.distance, strict=True)
    ]
    return Lineage(tuple(guessed), "nearest")


def nearest_reference(reference: Sequence[Profile], generated: Sequence[Profile]) -> Nearest:
    """The nearest reference instance of each generated one."""
    return nearest([parts_of(p) for p in generated], [parts_of(p) for p in reference])


def nearest_among(reference: Sequence[Profile]) -> Nearest | None:
    """The nearest other reference instance of each; None where there is only one."""
    if len(reference) < 2:
        return None
    parts = [parts_of(p) for p in reference]
    return nearest(parts, parts, skip_self=True)


def novelty(
    reference: Sequence[Profile],
    generated: Sequence[Profile],
    closest: Nearest,
    origin: Lineage,
    real: Nearest | None,
) -> Novelty:
    """Put the measures together; `real` is what `nearest_among` gives for the reference."""
    contents = {p.content for p in reference}
    structures = {p.structure for p in reference}
    count = max(1, len(generated))
    changed = [
        1.0 - _row_overlap(profile, reference[parent if parent >= 0 else int(near)])
        for profile, parent, near in zip(generated, origin.parents, closest.index, strict=True)
    ]
    usual = float(np.median(real.distance)) if real is not None else None
    limit = 0.5 * usual if usual is not None else 0.0
    is_copy = np.array([p.structure in structures for p in generated], dtype=np.bool_)
    near = is_copy | (closest.distance < limit)
    return Novelty(
        copies=sum(p.content in contents for p in generated) / count,
        isomorphic=int(is_copy.sum()) / count,
        repeated=1.0 - len({p.structure for p in generated}) / count,
        changed_rows=float(np.mean(changed)),
        least_changed=float(np.min(changed)),
        nearest_median=float(np.median(closest.distance)),
        real_nearest_median=usual,
        near_copies=int(near.sum()) / count,
        parents_from=origin.parents_from,
    )


def _row_overlap(a: Profile, b: Profile) -> float:
    left, right = np.sort(a.rows).astype(np.uint64), np.sort(b.rows).astype(np.uint64)
    return shared(left, right) / left.size if left.size else 1.0
