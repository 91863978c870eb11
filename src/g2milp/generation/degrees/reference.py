"""The inner loop of the transfers in plain Python, which the native one equals move for move."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from g2milp.generation.degrees.problem import Lists, Problem


def run(problem: Problem, draws: NDArray[np.float64]) -> int:
    """Try one move a line of `draws`: which entry, to where, luck, which way; returns moves."""
    state = _State(problem)
    moved = 0
    for first, second, luck, way in draws.tolist():
        k = int(first * len(problem.row_at))
        moved += (state.to_column if way < 0.5 else state.to_row)(k, second, luck)
    return moved


class _State:
    """Rows as sets, the rows of each column, and all degrees."""

    def __init__(self, problem: Problem) -> None:
        self.p = p = problem
        self.cols: dict[int, set[int]] = {}
        self.rows: dict[int, set[int]] = {}
        self.in_rows: Counter[tuple[int, int]] = Counter()
        self.in_cols: Counter[tuple[int, int]] = Counter()
        self.row_total: Counter[int] = Counter()
        self.col_total: Counter[int] = Counter()
        for row in range(len(p.indptr) - 1):
            group = int(p.row_of[row])
            for col in p.indices[p.indptr[row] : p.indptr[row + 1]].tolist():
                self.row_total[row] += 1
                self.col_total[col] += 1
                self.in_cols[group, col] += 1
                self.in_rows[row, int(p.col_of[col])] += 1
                self.cols.setdefault(row, set()).add(col)
                if p.antichain[group]:
                    self.rows.setdefault(col, set()).add(row)

    def to_column(self, k: int, second: float, luck: float) -> bool:
        """(r, c) → (r, d) for a like column d."""
        p = self.p
        r, c = int(p.row_at[k]), int(p.col_at[k])
        group, kind = int(p.row_of[r]), int(p.col_of[c])
        d = int(_pick(p.members, kind, second))
        seen, law, block = p.col_seen, p.col_law, self._block(group, kind)
        if d in self.cols[r]:
            return False
        if not _at(seen, kind, self.col_total[c] - 1) or not _at(seen, kind, self.col_total[d] + 1):
            return False
        degrees = self.in_cols[group, c], self.in_cols[group, d]
        if not _wanted(law, block, degrees, int(p.heads[group]), luck):
            return False
        self._put(r, c, -1)
        self._put(r, d, 1)
        if p.antichain[group] and self._contained(r, d):
            self._put(r, d, -1)
            self._put(r, c, 1)
            return False
        p.col_at[k] = d
        return True

    def to_row(self, k: int, second: float, luck: float) -> bool:
        """(r, c) → (s, c) for a like masked row s."""
        p = self.p
        r, c = int(p.row_at[k]), int(p.col_at[k])
        group, kind = int(p.row_of[r]), int(p.col_of[c])
        s = int(_pick(p.peers, group, second))
        seen, law, block = p.row_seen, p.row_law, self._block(group, kind)
        if c in self.cols.setdefault(s, set()):
            return False
        if not _at(seen, group, self.row_total[r] - 1):
            return False
        if not _at(seen, group, self.row_total[s] + 1):
            return False
        degrees = self.in_rows[r, kind], self.in_rows[s, kind]
        size = int(p.members[0][kind + 1] - p.members[0][kind])
        if not _wanted(law, block, degrees, size, luck):
            return False
        self._put(r, c, -1)
        self._put(s, c, 1)
        if p.antichain[group] and (self._contained(s, c) or self._lost(r)):
            self._put(s, c, -1)
            self._put(r, c, 1)
            return False
        p.row_at[k] = s
        return True

    def _block(self, group: int, kind: int) -> int:
        return int(self.p.block[group * (len(self.p.members[0]) - 1) + kind])

    def _put(self, row: int, col: int, change: int) -> None:
        p = self.p
        group = int(p.row_of[row])
        self.row_total[row] += change
        self.col_total[col] += change
        self.in_cols[group, col] += change
        self.in_rows[row, int(p.col_of[col])] += change
        sides = [(self.cols, row, col)]
        if p.antichain[group]:
            sides.append((self.rows, col, row))
        for lists, key, item in sides:
            mine = lists.setdefault(key, set())
            mine.add(item) if change > 0 else mine.remove(item)

    def _contained(self, row: int, col: int) -> bool:
        """Whether `row`, which has just got `col`, lies within another row or holds one."""
        mine = self.cols[row]
        return any(
            mine <= self.cols[other] or self.cols[other] <= mine
            for other in self.rows[col]
            if self._like(row, other)
        )

    def _lost(self, row: int) -> bool:
        """Whether `row`, which has just lost a column, lies within another row."""
        mine = self.cols[row]
        if not mine:
            return True
        scarce = min(mine, key=lambda col: len(self.rows[col]))
        return any(
            mine <= self.cols[other] for other in self.rows[scarce] if self._like(row, other)
        )

    def _like(self, row: int, other: int) -> bool:
        return other != row and bool(self.p.row_of[other] == self.p.row_of[row])


def _pick(lists: Lists, k: int, luck: float) -> float:
    start, end = int(lists[0][k]), int(lists[0][k + 1])
    return float(lists[1][start + int(luck * (end - start))])


def _at(lists: Lists, k: int, i: int) -> float:
    start, end = int(lists[0][k]), int(lists[0][k + 1])
    return float(lists[1][start + i]) if 0 <= i < end - start else 0.0


def _wanted(law: Lists, block: int, degrees: tuple[int, int], size: int, luck: float) -> bool:
    """Metropolis; products only, in the order of the native version: no rounding differs."""
    giving, taking = degrees
    before = _at(law, block, giving) * _at(law, block, taking) * giving * (size - taking)
    after = (
        _at(law, block, giving - 1)
        * _at(law, block, taking + 1)
        * (taking + 1)
        * (size - giving + 1)
    )
    return before > 0.0 and luck * before < after
