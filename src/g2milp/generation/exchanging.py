"""Masked rows redrawn by exchanges: a block at once, its removed entries as slots, under a judge.

A pass hides about half of the entries of the masked rows, as the training did; the network looks at
the rest and scores which slot belongs to which row; exchanges within the family's invariants draw
an arrangement in proportion to exp(Σ score). Other halves follow in the next passes, so that all
entries move, each seeing what the passes before made: blocked Gibbs sampling. The chain begins at
the template's own arrangement, so that short chains err on the real side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.exchange.engine import entries_of, exchange
from g2milp.instance.edit import replace_rows
from g2milp.models.contrast.hiding import HIDDEN_SHARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.generation.contract import Draft
    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.generation.exchange.scores import Scores
    from g2milp.instance.milp import Milp
    from g2milp.models.contrast.network import ContrastNet

PASSES = 4
EFFORT = 15.0
"""Moves that are tried for each entry: in all without a judge, in each pass with one."""


@dataclass(frozen=True)
class Exchanging:
    """How rows are redrawn; without a judge every legal exchange is accepted, in one pass."""

    invariants: Invariants
    judge: ContrastNet | None
    temperature: float = 1.0
    passes: int = PASSES


def exchange_rows(
    drafts: Sequence[Draft], milps: Sequence[Milp], how: Exchanging
) -> list[tuple[Milp, dict[str, int]]]:
    """The instances with the entries of the drafts' masked rows exchanged, and what was done."""
    now = list(milps)
    made = [np.zeros(3, np.int64) for _ in drafts]
    for _ in range(how.passes if how.judge is not None else 1):
        busy = [k for k, draft in enumerate(drafts) if draft.masked_rows.size]
        for k, (milp, moves) in zip(busy, _pass(drafts, now, busy, how), strict=True):
            now[k], made[k] = milp, made[k] + moves
    names = ("exchanges", "permutations", "refused")
    return [
        (milp, dict(zip(names, counts.tolist(), strict=True)))
        for milp, counts in zip(now, made, strict=True)
    ]


def _pass(
    drafts: Sequence[Draft], now: Sequence[Milp], busy: Sequence[int], how: Exchanging
) -> list[tuple[Milp, NDArray[np.int64]]]:
    rows = [drafts[k].masked_rows for k in busy]
    movable: list[NDArray[np.bool_] | None] = [None] * len(busy)
    scores: list[Scores | None] = [None] * len(busy)
    if how.judge is not None:
        from g2milp.generation.exchange.judging import judged

        entries = [entries_of(now[k], drafts[k].masked_rows) for k in busy]
        chosen = [
            drafts[k].rng.random(places.size) < HIDDEN_SHARE
            for k, places in zip(busy, entries, strict=True)
        ]
        hidden = [np.sort(places[moves]) for places, moves in zip(entries, chosen, strict=True)]
        movable = list(chosen)
        scores = [*judged(how.judge, [now[k] for k in busy], rows, hidden)]
    results = []
    for k, moves, judgement in zip(busy, movable, scores, strict=True):
        patch, count = exchange(
            now[k],
            drafts[k].masked_rows,
            drafts[k].rng,
            invariants=how.invariants,
            effort=EFFORT,
            movable=moves,
            scores=judgement,
            temperature=how.temperature,
        )
        counts = np.array([count.exchanged, count.permuted, count.refused])
        results.append((replace_rows(now[k], patch), counts))
    return results
