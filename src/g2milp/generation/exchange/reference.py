"""The inner loop of the exchanges in plain Python, which the native one equals move for move."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.generation.exchange.problem import Problem
    from g2milp.generation.exchange.scores import Judge

CONSTANT, BY_ROW, BY_COLUMN, FREE = range(4)


def run(problem: Problem, draws: NDArray[np.float64], judge: Judge) -> tuple[int, int, int]:
    """Try one move a line of `draws`; returns the numbers of exchanges, permutations, refusals."""
    state = _State(problem, judge)
    exchanged = permuted = refused = 0
    for move, (first, second, coin) in enumerate(draws.tolist()):
        entry = int(problem.entries[int(first * len(problem.entries))])
        free = problem.rule[problem.bucket[entry]] == FREE
        if free and coin < 0.5:
            if state.permute(entry, second):
                permuted += 1
            else:
                refused += 1
        elif state.exchange(entry, second, move, swap_values=coin >= 0.75):
            exchanged += 1
        else:
            refused += 1
    return exchanged, permuted, refused


class _State:
    """The rows as sets, the pairs of columns that stand in a row, the rows of each column."""

    def __init__(self, problem: Problem, judge: Judge) -> None:
        self.p = problem
        self.judge = judge
        self.support: list[set[int]] = []
        self.rows_of: dict[int, set[int]] = {}
        self.pairs: dict[tuple[int, int], int] = {}
        self.weave: dict[tuple[int, int], int] = {}
        for row in range(len(problem.indptr) - 1):
            cols = problem.indices[problem.indptr[row] : problem.indptr[row + 1]].tolist()
            self.support.append(set(cols))
            group = problem.row_of[row]
            if problem.woven:
                for i, c in enumerate(cols):
                    self._weave(c, cols[:i], 1)
            if problem.overlap[group]:
                for i, c in enumerate(cols):
                    for d in cols[:i]:
                        self._count_pair(c, d, 1)
            elif problem.antichain[group]:
                for c in cols:
                    self.rows_of.setdefault(c, set()).add(row)

    def permute(self, entry: int, second: float) -> bool:
        """Let two coefficients of one row and column group change places."""
        p = self.p
        row = p.entry_row[entry]
        start, end = int(p.indptr[row]), int(p.indptr[row + 1])
        other = start + int(second * (end - start))
        if p.bucket[other] != p.bucket[entry] or p.values[other] == p.values[entry]:
            return False
        p.values[entry], p.values[other] = p.values[other], p.values[entry]
        return True

    def exchange(self, entry: int, second: float, move: int, *, swap_values: bool) -> bool:
        """Let two entries of one bucket change rows, unless a rule forbids it."""
        p = self.p
        bucket = int(p.bucket[entry])
        start, end = int(p.bucket_start[bucket]), int(p.bucket_start[bucket + 1])
        other = int(p.bucket_entries[start + int(second * (end - start))])
        r, s = int(p.entry_row[entry]), int(p.entry_row[other])
        c, d = int(p.indices[entry]), int(p.indices[other])
        rule = p.rule[bucket]
        if r == s:
            return False
        if c == d:
            if rule != FREE or p.values[entry] == p.values[other]:
                return False
            p.values[entry], p.values[other] = p.values[other], p.values[entry]
            return True
        if d in self.support[r] or c in self.support[s]:
            return False
        if p.peeled[p.row_of[r]] and not (self._keeps_turn(r, c, d) and self._keeps_turn(s, d, c)):
            return False
        limits = self.judge.limits
        if limits.size and self.judge.gain(r, c, s, d) < limits[move]:
            return False
        tie = int(p.tie_of[p.row_of[r]])
        if tie >= 0 and not self._tied(tie, c, d, write=False):
            return False
        rest_r, rest_s = self.support[r] - {c}, self.support[s] - {d}
        if p.woven and not self._weaves(rest_r, c, rest_s, d):
            return False
        if not self._allowed(r, c, s, d):
            if p.woven:
                self._reweave(rest_r, d, c)
                self._reweave(rest_s, c, d)
            return False
        if tie >= 0:
            self._tied(tie, c, d, write=True)
        p.indices[entry], p.indices[other] = d, c
        if rule == BY_COLUMN or (rule == FREE and swap_values):
            p.values[entry], p.values[other] = p.values[other], p.values[entry]
        return True

    def _tied(self, tie: int, c: int, d: int, *, write: bool) -> bool:
        """Values that follow c and d when they change rows; whether they can is asked first."""
        p = self.p
        of_c, of_d = (
            p.tie_entries[p.tie_start[tie, col] : p.tie_start[tie, col + 1]] for col in (c, d)
        )
        if not (of_c.size and of_d.size):
            return of_c.size == of_d.size
        value_c, value_d = p.values[of_c[0]], p.values[of_d[0]]
        if value_c == value_d:
            return True
        if not (p.writable[of_c].all() and p.writable[of_d].all()):
            return False
        if write:
            p.values[of_c], p.values[of_d] = value_d, value_c
        return True

    def _weaves(self, rest_r: set[int], c: int, rest_s: set[int], d: int) -> bool:
        """Whether both rows share as many pairs of columns with others as before; then do it."""
        self._weave(c, rest_r, -1)
        self._weave(d, rest_s, -1)
        fine = self._gained(rest_r, c, d) == 0 and self._gained(rest_s, d, c) == 0
        self._weave(d if fine else c, rest_r, 1)
        self._weave(c if fine else d, rest_s, 1)
        return fine

    def _reweave(self, rest: set[int], old: int, new: int) -> None:
        self._weave(old, rest, -1)
        self._weave(new, rest, 1)

    def _weave(self, col: int, rest: Iterable[int], change: int) -> None:
        for x in rest:
            key = (col, x) if col < x else (x, col)
            self.weave[key] = self.weave.get(key, 0) + change

    def _gained(self, rest: set[int], old: int, new: int) -> int:
        def shared(col: int) -> int:
            return sum(self.weave.get((col, x) if col < x else (x, col), 0) for x in rest)

        return shared(new) - shared(old)

    def _keeps_turn(self, row: int, old: int, new: int) -> bool:
        """Whether `new` has the place of `old` in the peeling order of the row."""
        turn = self.p.turn
        return all(
            (turn[new] < turn[x]) == (turn[old] < turn[x]) for x in self.support[row] if x != old
        )

    def _allowed(self, r: int, c: int, s: int, d: int) -> bool:
        """Move c from r to s and d from s to r; undo it where an invariant breaks."""
        group = self.p.row_of[r]
        if self.p.overlap[group]:
            return self._allowed_pairs(r, c, s, d)
        self._move(r, c, d)
        self._move(s, d, c)
        if self.p.antichain[group] and (self._contained(r, d) or self._contained(s, c)):
            self._move(s, c, d)
            self._move(r, d, c)
            return False
        return True

    def _allowed_pairs(self, r: int, c: int, s: int, d: int) -> bool:
        rest_r, rest_s = self.support[r] - {c}, self.support[s] - {d}
        for x in rest_r:
            self._count_pair(c, x, -1)
        for x in rest_s:
            self._count_pair(d, x, -1)
        fine = not any(self._has_pair(d, x) for x in rest_r) and not any(
            self._has_pair(c, x) for x in rest_s
        )
        new_r, new_s = (d, c) if fine else (c, d)
        for x in rest_r:
            self._count_pair(new_r, x, 1)
        for x in rest_s:
            self._count_pair(new_s, x, 1)
        if fine:
            self.support[r] = rest_r | {d}
            self.support[s] = rest_s | {c}
        return fine

    def _move(self, row: int, old: int, new: int) -> None:
        self.support[row].remove(old)
        self.support[row].add(new)
        if self.p.antichain[self.p.row_of[row]]:
            self.rows_of[old].discard(row)
            self.rows_of.setdefault(new, set()).add(row)

    def _contained(self, row: int, new: int) -> bool:
        """Whether `row`, which has just got `new`, lies within another row or holds one."""
        group = self.p.row_of[row]
        mine = self.support[row]
        return any(
            other != row
            and self.p.row_of[other] == group
            and (mine <= self.support[other] or self.support[other] <= mine)
            for other in self.rows_of[new]
        )

    def _count_pair(self, c: int, d: int, change: int) -> None:
        key = (c, d) if c < d else (d, c)
        self.pairs[key] = self.pairs.get(key, 0) + change

    def _has_pair(self, c: int, d: int) -> bool:
        return self.pairs.get((c, d) if c < d else (d, c), 0) > 0
