"""`Degrees`: which blocks of rows and columns have free degrees, learned by trying.

The degrees of a block (a row group with a column group) are how many of the columns stand in each
of the rows, and in how many of the rows each of the columns stands. A block is a candidate if these
differ within instances and nothing binds its entries to their places: no rule of the family
(`Invariants`, `Structure`), no balance, no coefficients that belong to somewhere. Then some
training instances get other degrees (`transfer`), and what hangs on degrees is measured before and
after (`measures`). Where a measure moves in one direction in all trials, by more than it differs
among real instances, degrees are not free: they stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.degrees.evidence import Evidence
from g2milp.generation.degrees.measures import measures
from g2milp.generation.degrees.transfers import Block, Freedom, transfer
from g2milp.generation.exchange.groups import column_groups
from g2milp.instance.edit import replace_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.generation.degrees.transfers import Shares
    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.generation.exchange.structure import Structure
    from g2milp.generation.values.learned import Values
    from g2milp.instance.milp import Milp

TRIALS = 8
"""Copies with other degrees that are looked at; chance alone moves all one way once in 2⁷."""

NOTICEABLE = 0.5
"""Standard deviations among real instances that a measure may move."""

SURE = 3.0
"""The same in standard errors where there are fewer instances than trials."""


@dataclass(frozen=True)
class Degrees:
    """What is free; nothing by default."""

    freedom: Freedom = field(default_factory=Freedom)

    @classmethod
    def learn(
        cls, milps: Sequence[Milp], invariants: Invariants, structure: Structure, values: Values
    ) -> Degrees:
        """From the training instances and what is known of their rows and numbers."""
        if structure.peeled or structure.fine is not None or structure.ties:
            return cls()
        loose = {
            block
            for block, rule in invariants.blocks.items()
            if block[0] not in invariants.single_overlap
            and not block[0].startswith("=")  # a balance
            and not block[0].endswith("single")  # a bound
            and (rule == "constant" or block in values.coefficients.blocks)
        }
        if not loose:
            return cls()
        seen = Evidence()
        for milp in milps:
            seen.add(milp, loose)
        found = cls(seen.freedom(invariants.antichain))
        some = list(islice(milps, TRIALS))
        return found if found and _keeps_measures(some, found) else cls()

    def __bool__(self) -> bool:
        """Whether there is a block whose degrees are free."""
        return bool(self.freedom.blocks)

    def redrawn(
        self,
        milp: Milp,
        rows: NDArray[np.int64],
        rng: np.random.Generator,
        keep: NDArray[np.bool_] | None = None,
    ) -> tuple[Milp, int]:
        """The instance with other degrees of `rows` and of their columns, and how much was moved.

        Rows that are marked in `keep`, (k,), stay as they are.
        """
        if not self:
            return milp, 0
        patch, moved = transfer(milp, rows, rng, self.freedom, keep=keep)
        return (replace_rows(milp, patch) if moved else milp), moved

    def describe(self) -> list[str]:
        """One sentence a block, for people."""
        return [
            f"rows {row!r}, columns {col!r}: degrees of {side} vary, from {min(shares)} to "
            f"{max(shares)}"
            for (row, col), block in sorted(self.freedom.blocks.items())
            for side, shares in (("rows", block.rows), ("columns", block.cols))
            if shares
        ]

    def as_json(self) -> dict[str, Any]:
        """JSON values; `from_json` is the inverse."""
        free = self.freedom
        return {
            "blocks": [
                [row, col, _pairs(block.rows), _pairs(block.cols)]
                for (row, col), block in sorted(free.blocks.items())
            ],
            "rows": {key: sorted(levels) for key, levels in sorted(free.rows.items())},
            "cols": {key: sorted(levels) for key, levels in sorted(free.cols.items())},
            "antichain": sorted(free.antichain),
        }

    @classmethod
    def from_json(cls, content: object, where: str) -> Degrees:
        """Read back; refuses everything else."""
        try:
            assert isinstance(content, dict)
            rows, cols, antichain = content["rows"], content["cols"], content["antichain"]
            blocks = {
                (str(row), str(col)): Block(_shares(of_rows), _shares(of_cols))
                for row, col, of_rows, of_cols in content["blocks"]
            }
            assert isinstance(antichain, list)
            assert all(isinstance(key, str) for key in antichain)
            rows, cols = ({str(k): _levels(v) for k, v in side.items()} for side in (rows, cols))
            assert {row for row, _ in blocks} <= rows.keys()
            assert {col for _, col in blocks} <= cols.keys()
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise DamagedArtifact(where, "`degrees` are not what was learned of degrees") from error
        return cls(Freedom(blocks, rows, cols, frozenset(antichain)))


def _keeps_measures(milps: Sequence[Milp], degrees: Degrees) -> bool:
    """Whether other degrees leave everything else as it is among real instances.

    Of few instances chance says more than their differences, and copies of one move alike: then
    only what moves beyond `SURE` standard errors counts.
    """
    real = [measures(milp) for milp in milps]
    few = len(milps) < TRIALS
    moved: dict[str, list[float]] = {name: [] for name in real[0]}
    for trial in range(TRIALS):
        milp, known = milps[trial % len(milps)], real[trial % len(milps)]
        every = np.arange(milp.n_rows, dtype=np.int64)
        copy, _ = degrees.redrawn(milp, every, np.random.default_rng(trial))
        if _kinds(copy) != _kinds(milp):
            return False
        for name, (value, _) in measures(copy).items():
            moved[name].append(value - known[name][0])
    for name, steps in moved.items():
        values, noises = np.array([found[name] for found in real]).T
        spread = max(float(values.std()), float(noises.mean()) if few else 0.0)
        limit = SURE / len(milps) ** 0.5 if few else NOTICEABLE
        one_way = min(steps) > 0 or max(steps) < 0
        if one_way and abs(float(np.mean(steps))) > limit * spread:
            return False
    return True


def _kinds(milp: Milp) -> list[str]:
    """The group of each column; it goes by the median coefficient."""
    groups = column_groups(milp)
    return [groups.keys[g] for g in groups.of.tolist()]


def _pairs(shares: Shares) -> list[list[float]]:
    return [[level, share] for level, share in sorted(shares.items())]


def _shares(pairs: object) -> Shares:
    assert isinstance(pairs, list)
    assert all(isinstance(pair, list) and type(pair[1]) is float for pair in pairs)
    shares = dict(pairs)
    assert len(shares) == len(pairs)
    assert all(0.0 < share <= 1.0 for share in shares.values())
    assert not shares or _levels(list(shares))
    return shares


def _levels(content: object) -> frozenset[int]:
    assert isinstance(content, list)
    assert all(type(level) is int and 0 <= level < MAX_DEGREE for level in content)
    assert len(set(content)) == len(content) > 0
    return frozenset(content)


MAX_DEGREE = 1 << 24
"""Tables are as long as the largest degree; a file that says more is not believed."""
