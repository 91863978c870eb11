"""What holds among a family's rows beyond the invariants, and only because of how they came about.

`Invariants` are rules that a single move can break. Structure shows in the whole: free exchanges
keep every rule and still wear it away. It is found by trying: where some exchanged copies of the
training instances differ from the originals always in the same direction, the exchange has to keep
more.

* ``peeled``   conflict graphs of these row groups come apart more evenly than those of exchanged
  copies: the sum of squared rests of the peeling (`peeling`) is always smaller
* ``fine``     pairs of columns stand in several rows together, more (or less) often than in
  exchanged copies: the rows are *woven*. Then every row keeps how many of its pairs others have
  too, like rows are also of like size, and the rules are those of these finer groups
* ``ties``     coefficients that belong to another row (`ties`), looked for in woven families
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.groups import row_groups, sized_row_groups
from g2milp.generation.exchange.invariants import PAIR_BUDGET, Invariants, discover
from g2milp.generation.exchange.peeling import peel
from g2milp.generation.exchange.ties import KINDS, Tie, discover_ties
from g2milp.instance.edit import replace_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.instance.milp import Milp

TRIALS = 8
"""Exchanged copies that are looked at; chance alone makes all differ one way once in 2⁷."""

WORN = 0.02
"""The share of shared pairs that copies have to lose or gain for the rows to count as woven."""


@dataclass(frozen=True)
class Structure:
    """What exchanges keep beyond the invariants; nothing by default."""

    peeled: frozenset[str] = frozenset()
    fine: Invariants | None = None
    ties: tuple[Tie, ...] = ()

    def describe(self) -> list[str]:
        """One sentence a rule, for people."""
        lines = [
            f"rows {key!r}: their conflict graph comes apart in an order, which stays"
            for key in sorted(self.peeled)
        ]
        if self.fine is not None:
            lines.append("every row keeps how many pairs of its variables stand in other rows too")
            lines += self.fine.describe()
        return lines + [tie.describe() for tie in self.ties]

    def to_dict(self) -> dict[str, Any]:
        """JSON values; `from_dict` is the inverse."""
        return {
            "peeled": sorted(self.peeled),
            "fine": None if self.fine is None else self.fine.to_dict(),
            "ties": [[tie.row, tie.col, tie.key, tie.kind] for tie in self.ties],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any], *, source: str = "structure") -> Structure:
        """Read back what `to_dict` gave; anything else is refused."""
        try:
            peeled, fine = values["peeled"], values.get("fine")
            ties = tuple(Tie(*tie) for tie in values.get("ties", []))
            texts = isinstance(peeled, list) and all(
                isinstance(key, str)
                for key in [
                    *peeled,
                    *(text for tie in ties for text in (tie.row, tie.col, tie.key)),
                ]
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise DamagedArtifact(source, f"not a structure ({error})") from error
        if not texts or any(tie.kind not in KINDS for tie in ties):
            raise DamagedArtifact(source, "not a structure")
        known = None if fine is None else Invariants.from_dict(fine, source=source)
        return cls(frozenset(peeled), known, ties)


def discover_structure(
    milps: Iterable[Milp], invariants: Invariants, *, trials: int = TRIALS
) -> Structure:
    """Compare the first instances with exchanged copies of them; `milps` are read twice."""
    graphs = {key for key in invariants.single_overlap if not key.endswith("single")}
    loose = replace(invariants, antichain=frozenset())
    some = list(islice(milps, trials))
    evener: dict[str, list[bool]] = {}
    worn: list[float] = []
    for trial in range(trials if some else 0):
        milp, rng = some[trial % len(some)], np.random.default_rng(trial)
        pairs = shared_pairs(milp)
        if not graphs and not pairs:
            continue
        patch, moves = exchange(milp, np.arange(milp.n_rows), rng, invariants=loose, effort=5.0)
        if not moves.exchanged:
            continue
        copy = replace_rows(milp, patch)
        if pairs:
            worn.append((pairs - (shared_pairs(copy) or 0.0)) / pairs)
        groups, luck = row_groups(milp), rng.random(milp.n_cols)
        for g, key in enumerate(groups.keys):
            if key in graphs:
                chosen = groups.of == g
                sums = [
                    float(np.square(peel(m, chosen, luck)[1].astype(np.float64)).sum())
                    for m in (milp, copy)
                ]
                evener.setdefault(key, []).append(sums[0] < sums[1])
    enough = trials // 2
    peeled = frozenset(key for key, found in evener.items() if len(found) >= enough and all(found))
    one_way = len(worn) >= enough and len({np.sign(share) for share in worn}) == 1
    if not one_way or abs(float(np.mean(worn))) < WORN:
        return Structure(peeled)
    fine = discover(milps, sized_row_groups)
    return Structure(frozenset(), fine, discover_ties(milps, fine))


def shared_pairs(milp: Milp) -> float | None:
    """Pairs of rows that share a pair of columns, Σ C(k, 2) over pairs of columns in k rows.

    None where there are too many pairs to look at.
    """
    from scipy.sparse import csr_array

    degrees = milp.row_degrees.astype(np.float64)
    if float(degrees @ degrees) > PAIR_BUDGET:
        return None
    pattern = csr_array(
        (np.ones(milp.n_nonzeros, np.int32), milp.indices, milp.indptr),
        shape=(milp.n_rows, milp.n_cols),
    )
    together = (pattern.T @ pattern).tocoo()
    apart = together.coords[0] < together.coords[1]
    times = together.data[apart].astype(np.float64)
    return float((times * (times - 1) / 2).sum())
