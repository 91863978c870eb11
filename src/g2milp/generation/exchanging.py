"""Masked rows redrawn by exchanges: a block at once, its removed entries as slots, under a judge.

First, where the family's degrees are free, masked rows and their columns get other degrees
(`degrees`), which the exchanges then keep.

A pass hides about a quarter of the entries of the masked rows, as the training did; the network
looks at the rest and scores which slot belongs to which row; exchanges within the family's
invariants draw an arrangement in proportion to exp(Σ score). Other quarters follow in the next
passes, so that nearly all entries move, each seeing what the passes before made: blocked Gibbs
sampling. The chain begins at the template's own arrangement, so that short chains err on the real
side. Afterwards numbers that belong to nothing else are drawn anew (`values`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.degrees.learned import Degrees
from g2milp.generation.exchange.engine import entries_of, exchange
from g2milp.generation.values.coefficients import tied
from g2milp.instance.edit import replace_rows
from g2milp.models.contrast.hiding import HIDDEN_SHARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from g2milp.generation.contract import Draft
    from g2milp.generation.exchange.invariants import Invariants
    from g2milp.generation.exchange.scores import Scores
    from g2milp.generation.exchange.structure import Structure
    from g2milp.generation.values.learned import Values
    from g2milp.instance.milp import Milp
    from g2milp.models.contrast.network import ContrastNet

PASSES = 8
EFFORT = 15.0
"""Moves that are tried for each entry: in all without a judge, in each pass with one."""


@dataclass(frozen=True)
class Exchanging:
    """How rows are redrawn; without a judge every legal exchange is accepted, in one pass."""

    invariants: Invariants
    structure: Structure
    values: Values
    judge: ContrastNet | None
    temperature: float = 1.0
    passes: int = PASSES
    degrees: Degrees = field(default_factory=Degrees)


def exchange_rows(
    drafts: Sequence[Draft], milps: Sequence[Milp], how: Exchanging
) -> list[tuple[Milp, dict[str, int]]]:
    """The instances with the entries of the drafts' masked rows exchanged, and what was done."""
    now = list(milps)
    made = [np.zeros(3, np.int64) for _ in drafts]
    busy = [k for k, draft in enumerate(drafts) if draft.masked_rows.size]
    kept: dict[int, NDArray[np.bool_]] = {}
    moved = [0] * len(drafts)
    for k in busy:
        rows, rng = drafts[k].masked_rows, drafts[k].rng
        stay = tied(now[k], rows)  # their coefficients follow the costs
        now[k], moved[k] = how.degrees.redrawn(now[k], rows, rng, stay)
        kept[k] = np.repeat(stay, now[k].row_degrees[rows])
    for _ in range(how.passes if how.judge is not None else 1):
        for k, (milp, moves) in zip(busy, _pass(drafts, now, kept, how), strict=True):
            now[k], made[k] = milp, made[k] + moves
    for k in busy:
        now[k] = how.values.redrawn(now[k], drafts[k].masked_rows, kept[k], drafts[k].rng)
    names = ("exchanges", "permutations", "refused")
    return [
        (milp, dict(zip(names, counts.tolist(), strict=True)) | ({"transfers": n} if n else {}))
        for milp, counts, n in zip(now, made, moved, strict=True)
    ]


def _pass(
    drafts: Sequence[Draft],
    now: Sequence[Milp],
    kept: Mapping[int, NDArray[np.bool_]],
    how: Exchanging,
) -> list[tuple[Milp, NDArray[np.int64]]]:
    """One pass over the drafts with masked rows; entries that are `kept` do not move."""
    busy = list(kept)
    rows = [drafts[k].masked_rows for k in busy]
    movable = [~kept[k] for k in busy]
    scores: list[Scores | None] = [None] * len(busy)
    if how.judge is not None:
        from g2milp.generation.exchange.judging import judged

        movable = [
            moves & (drafts[k].rng.random(moves.size) < HIDDEN_SHARE)
            for k, moves in zip(busy, movable, strict=True)
        ]
        hidden = [
            np.sort(entries_of(now[k], drafts[k].masked_rows)[moves])
            for k, moves in zip(busy, movable, strict=True)
        ]
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
            structure=how.structure,
            scores=judgement,
            temperature=how.temperature,
        )
        counts = np.array([count.exchanged, count.permuted, count.refused])
        results.append((replace_rows(now[k], patch), counts))
    return results
