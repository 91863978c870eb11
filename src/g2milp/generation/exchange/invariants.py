"""What holds in every training instance, found in the data: rules that an exchange must not break.

Of rows of one group (see `groups`):

* ``single overlap``  any two of them share at most one column (each conflict pair stands once)
* ``antichain``       no row's support lies within another's (no duplicate, no dominated row)

Of coefficients of one block (a row group with a column group), which decide where a coefficient
goes when two entries change places:

* ``constant``        one value only
* ``by row``          equal within each row, or of constant sum in each row: they stay with the row
* ``by column``       equal within each column: they follow the column
* ``free``            neither: a coin decides, and coefficients may be permuted within a row
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from g2milp.errors import DamagedArtifact
from g2milp.generation.exchange.groups import column_groups, row_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from g2milp.generation.exchange.groups import Groups
    from g2milp.instance.milp import Milp

Rule: TypeAlias = Literal["constant", "by row", "by column", "free"]
RULES: tuple[Rule, ...] = ("constant", "by row", "by column", "free")

PAIR_BUDGET = 20_000_000
"""Groups whose rows hold more column pairs than this are not searched for overlaps: memory."""


@dataclass(frozen=True)
class Invariants:
    """The rules that all training instances obey, by keys of groups that mean the same everywhere.

    Row groups and blocks that training never showed are bound by nothing.
    """

    single_overlap: frozenset[str] = frozenset()
    antichain: frozenset[str] = frozenset()
    blocks: dict[tuple[str, str], Rule] = field(default_factory=dict)

    def describe(self) -> list[str]:
        """One sentence a rule, for people."""
        # Rows of one entry cannot share two variables: of them only the antichain says something.
        single = {key for key in self.single_overlap if key.endswith("single")}
        lines = [
            f"rows {key!r}: two of them never share two variables"
            for key in sorted(self.single_overlap - single)
        ]
        lines += [
            f"rows {key!r}: "
            + ("no variable stands in two" if key in single else "none is contained in another")
            for key in sorted(self.antichain - (self.single_overlap - single))
        ]
        words = {
            "constant": "all coefficients are equal",
            "by row": "coefficients belong to the constraint",
            "by column": "coefficients belong to the variable",
        }
        lines += [
            f"rows {row!r}, columns {col!r}: {words[rule]}"
            for (row, col), rule in sorted(self.blocks.items())
            if rule != "free"
        ]
        return lines

    def to_dict(self) -> dict[str, Any]:
        """JSON values; `from_dict` is the inverse."""
        return {
            "single_overlap": sorted(self.single_overlap),
            "antichain": sorted(self.antichain),
            "blocks": [[row, col, rule] for (row, col), rule in sorted(self.blocks.items())],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any], *, source: str = "invariants") -> Invariants:
        """Read back what `to_dict` gave; anything else is refused."""
        try:
            blocks = {(str(row), str(col)): rule for row, col, rule in values["blocks"]}
            overlap, antichain = values["single_overlap"], values["antichain"]
            texts = all(isinstance(key, str) for key in [*overlap, *antichain])
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedArtifact(source, f"not a list of invariants ({error})") from error
        if not texts or any(rule not in RULES for rule in blocks.values()):
            raise DamagedArtifact(source, "not a list of invariants")
        return cls(frozenset(overlap), frozenset(antichain), blocks)


def discover(
    milps: Iterable[Milp],
    rows_of: Callable[[Milp], Groups] = row_groups,
    cols_of: Callable[[Milp], Groups] = column_groups,
) -> Invariants:
    """Find the rules that hold in all instances, in time linear in their entries (see budget).

    `rows_of` and `cols_of` say what like rows and like columns are.
    """
    seen_rows: set[str] = set()
    overlap_broken: set[str] = set()
    antichain_broken: set[str] = set()
    evidence: dict[tuple[str, str], _BlockEvidence] = {}
    for milp in milps:
        rows, cols = rows_of(milp), cols_of(milp)
        seen_rows.update(rows.keys)
        for g, key in enumerate(rows.keys):
            members = np.flatnonzero(rows.of == g)
            if key not in overlap_broken or key not in antichain_broken:
                overlap, contained = _support_relations(milp, members)
                if overlap:
                    overlap_broken.add(key)
                if contained:
                    antichain_broken.add(key)
        _look_at_blocks(milp, rows.of, rows.keys, cols.of, cols.keys, evidence)
    return Invariants(
        frozenset(seen_rows - overlap_broken),
        frozenset(seen_rows - antichain_broken),
        {key: found.rule() for key, found in evidence.items()},
    )


def _support_relations(milp: Milp, rows: NDArray[np.int64]) -> tuple[bool, bool]:
    """Whether two of these rows share two columns, and whether one's support lies in another's.

    Both are read off B Bᵀ, B the 0/1 pattern of the rows. Beyond the budget both count as broken.
    """
    from scipy.sparse import csr_array

    if rows.size < 2:
        return False, False
    degrees = milp.row_degrees[rows]
    taken = np.isin(milp.entry_rows, rows)
    column = milp.indices[taken]
    per_column = np.bincount(column, minlength=milp.n_cols)
    if float(per_column.astype(np.float64) @ per_column) > PAIR_BUDGET:
        return True, True
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    pattern = csr_array(
        (np.ones(column.size, np.int32), column, indptr), shape=(rows.size, milp.n_cols)
    )
    shared = (pattern @ pattern.T).tocoo()
    first, second = shared.coords
    apart = first != second
    common, first, second = shared.data[apart], first[apart], second[apart]
    return bool((common > 1).any()), bool((common == degrees[first]).any())


@dataclass
class _BlockEvidence:
    """What has been seen of one block; a rule survives until an instance contradicts it."""

    value: float | None = None
    constant: bool = True
    by_row: bool = True
    by_column: bool = True
    column_repeats: bool = False
    row_sum: float | None = None
    sum_constant: bool = True
    rows_seen: int = 0

    def rule(self) -> Rule:
        if self.constant:
            return "constant"
        if self.by_row or (self.sum_constant and self.rows_seen > 1):
            return "by row"
        return "by column" if self.by_column and self.column_repeats else "free"


def _look_at_blocks(
    milp: Milp,
    row_of: NDArray[np.int32],
    row_keys: tuple[str, ...],
    col_of: NDArray[np.int32],
    col_keys: tuple[str, ...],
    evidence: dict[tuple[str, str], _BlockEvidence],
) -> None:
    """Confront each block's rules with one instance."""
    block = row_of[milp.entry_rows].astype(np.int64) * len(col_keys) + col_of[milp.indices]
    order = np.argsort(block, kind="stable")
    edges = np.flatnonzero(np.diff(block[order])) + 1
    for entries in np.split(order, edges):
        if not entries.size:
            continue
        key = (
            row_keys[block[entries[0]] // len(col_keys)],
            col_keys[block[entries[0]] % len(col_keys)],
        )
        found = evidence.setdefault(key, _BlockEvidence())
        values, rows, cols = milp.values[entries], milp.entry_rows[entries], milp.indices[entries]
        found.value = float(values[0]) if found.value is None else found.value
        found.constant &= bool((values == found.value).all())
        if found.constant:
            continue
        found.by_row &= _equal_within(rows, values)
        found.by_column &= _equal_within(cols, values)
        found.column_repeats |= np.unique(cols).size < cols.size
        sums = np.bincount(rows, weights=values)[np.unique(rows)]
        found.row_sum = float(sums[0]) if found.row_sum is None else found.row_sum
        found.sum_constant &= bool(np.allclose(sums, found.row_sum, rtol=1e-12, atol=0.0))
        found.rows_seen += sums.size


def _equal_within(segment: NDArray[np.int32], values: NDArray[np.float64]) -> bool:
    """Whether all values of each segment are equal."""
    order = np.argsort(segment, kind="stable")
    same = np.diff(segment[order]) == 0
    return bool((np.diff(values[order])[same] == 0).all())
