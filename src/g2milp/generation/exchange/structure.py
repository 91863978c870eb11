"""What holds among a family's rows beyond the invariants, and only because of how they came about.

`Invariants` are rules that a single move can break. Structure shows in the whole: free exchanges
keep every rule and still wear it away. It is found by trying: where some exchanged copies of the
training instances differ from the originals always in the same direction, the exchange has to keep
more.

* ``peeled``   conflict graphs of these row groups come apart more evenly than those of exchanged
  copies: the sum of squared rests of the peeling (`peeling`) is always smaller
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.groups import row_groups
from g2milp.generation.exchange.peeling import peel
from g2milp.instance.edit import replace_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.instance.milp import Milp

TRIALS = 8
"""Exchanged copies that are looked at; chance alone makes all differ one way once in 2⁸."""


@dataclass(frozen=True)
class Structure:
    """Row groups whose exchanges keep more than the invariants."""

    peeled: frozenset[str] = frozenset()

    def describe(self) -> list[str]:
        """One sentence a group, for people."""
        return [
            f"rows {key!r}: their conflict graph comes apart in an order, which stays"
            for key in sorted(self.peeled)
        ]

    def to_dict(self) -> dict[str, Any]:
        """JSON values; `from_dict` is the inverse."""
        return {"peeled": sorted(self.peeled)}

    @classmethod
    def from_dict(cls, values: dict[str, Any], *, source: str = "structure") -> Structure:
        """Read back what `to_dict` gave; anything else is refused."""
        try:
            peeled = values["peeled"]
            texts = isinstance(peeled, list) and all(isinstance(key, str) for key in peeled)
        except (KeyError, TypeError) as error:
            raise DamagedArtifact(source, f"not a structure ({error})") from error
        if not texts:
            raise DamagedArtifact(source, "not a structure")
        return cls(frozenset(peeled))


def discover_structure(
    milps: Iterable[Milp], invariants: Invariants, *, trials: int = TRIALS
) -> Structure:
    """Compare the first instances with exchanged copies of them."""
    graphs = {key for key in invariants.single_overlap if not key.endswith("single")}
    some = list(islice(milps, trials)) if graphs else []
    evener: dict[str, list[bool]] = {}
    for trial in range(trials if some else 0):
        milp, rng = some[trial % len(some)], np.random.default_rng(trial)
        patch, moves = exchange(milp, np.arange(milp.n_rows), rng, invariants=invariants)
        if not moves.exchanged:
            continue
        copy = replace_rows(milp, patch)
        groups, luck = row_groups(milp), rng.random(milp.n_cols)
        for g, key in enumerate(groups.keys):
            if key in graphs:
                chosen = groups.of == g
                sums = [
                    float(np.square(peel(m, chosen, luck)[1].astype(np.float64)).sum())
                    for m in (milp, copy)
                ]
                evener.setdefault(key, []).append(sums[0] < sums[1])
    return Structure(
        frozenset(key for key, found in evener.items() if len(found) >= trials // 2 and all(found))
    )
