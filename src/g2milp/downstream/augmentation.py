"""Training sets: some real instances, and draws of generated ones whose templates are among them.

A repeat has its own split of the real set and its own draw from every pool. A generated instance
may enter only if its kin are neither in the validation part nor in the test set nor among real
instances that were left out; how many were passed over for that is part of the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from g2milp.downstream.leakage import Identity

SPLIT_TAG, DRAW_TAG = 0x5B17, 0xD4A8
REAL_ONLY = "real only"


@dataclass(frozen=True)
class Augmentation:
    """Generated sets that are mixed in equal shares, and what to call the mixture."""

    name: str
    folders: tuple[Path, ...]


@dataclass(frozen=True)
class Draw:
    """Indices drawn from each pool; `short` is how many were asked for and not there."""

    chosen: tuple[tuple[int, ...], ...]
    excluded: int
    short: int


def parse_augmentation(text: str) -> tuple[str | None, list[str]]:
    """``[NAME=]DATA[,DATA…]`` as (name, folders)."""
    name, equals, rest = text.partition("=")
    folders = [part for part in (rest if equals else text).split(",") if part]
    if not folders or (equals and not name.strip()):
        raise UsageError(f"--augment takes [NAME=]DATA[,DATA…], not {text!r}")
    return (name.strip() if equals else None), folders


def split_families(
    identities: Sequence[Identity], share: float, seed: int
) -> tuple[list[int], list[int]]:
    """Training and validation indices; kin stay together. Nothing is held out where share is 0."""
    n = len(identities)
    wanted = round(share * n)
    if wanted == 0:
        return list(range(n)), []
    families: dict[str, list[int]] = {}
    of_key: dict[str, str] = {}
    for i, one in enumerate(identities):
        known = sorted({of_key[key] for key in one.kin if key in of_key})
        root = known[0] if known else one.structure
        for other in known[1:]:
            families[root] += families.pop(other)
            of_key = {key: root if home == other else home for key, home in of_key.items()}
        families.setdefault(root, []).append(i)
        of_key |= dict.fromkeys(one.kin, root)
    order = np.random.default_rng([seed, SPLIT_TAG]).permutation(len(families))
    members = list(families.values())
    held: list[int] = []
    for place in order.tolist():
        if len(held) + len(members[place]) <= wanted:
            held += members[place]
    if not held or len(held) == n:
        raise UsageError(
            f"{n} instances in {len(families)} families cannot be split into training and "
            "validation",
            hint="Give more real instances, or hold out none: --set validation_share=0.",
        )
    chosen = set(held)
    return [i for i in range(n) if i not in chosen], sorted(held)


def draw(
    pools: Sequence[Sequence[Identity]], count: int, forbidden: frozenset[str], seed: int
) -> Draw:
    """`count` instances, an equal share of every pool, none with kin in `forbidden`.

    No two of those drawn have isomorphic graphs: what is the same is not added twice.
    """
    chosen: list[tuple[int, ...]] = []
    excluded = 0
    seen: set[str] = set()
    for place, pool in enumerate(pools):
        wanted = count // len(pools) + (place < count % len(pools))
        order = np.random.default_rng([seed, DRAW_TAG, place]).permutation(len(pool)).tolist()
        taken: list[int] = []
        for i in order:
            if len(taken) == wanted:
                break
            if pool[i].kin & forbidden or pool[i].structure in seen:
                excluded += 1
                continue
            taken.append(i)
            seen.add(pool[i].structure)
        chosen.append(tuple(sorted(taken)))
    return Draw(tuple(chosen), excluded, count - sum(len(taken) for taken in chosen))
