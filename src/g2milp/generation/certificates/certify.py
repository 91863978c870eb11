"""`--certify`: every instance made feasible (and bounded) by construction, with the proof.

The template's exact point is planted. Redrawn rows that cut it off have their side moved by the
least amount; those for which that is not enough are redrawn, `TRIES` times at most, together for
the whole block; what still does not fit stays the template's own row. Such rows count as masked,
for exactly round(η·rows) were, but not as changed: the manifest shows both and `kept_rows`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import G2MILPError, InputError
from g2milp.generation.assemble import assemble
from g2milp.generation.certificates.claim import Certificate
from g2milp.generation.certificates.dual import bound_of, dual_point, needs_no_dual
from g2milp.generation.certificates.linear_program import first_feasible_point
from g2milp.generation.certificates.patches import joined, taken
from g2milp.generation.certificates.planted import (
    Planted,
    PlantedPoints,
    objective_of,
    planted,
)
from g2milp.generation.certificates.repair import repair_columns, repair_rows
from g2milp.generation.integrality.laws import Laws
from g2milp.instance.edit import replace_columns, replace_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from g2milp.generation.contract import Draft, Redrawn
    from g2milp.generation.stream import Session
    from g2milp.instance.edit import ColumnPatch, RowPatch
    from g2milp.instance.milp import Milp

TRIES = 8
"""How often rows that do not admit the planted point are redrawn."""


@dataclass(frozen=True, eq=False)
class Certified:
    """An instance with its certificate."""

    milp: Milp
    certificate: Certificate
    notes: dict[str, Any]


@dataclass(eq=False)
class _Work:
    """One instance on its way: what is settled, and what is counted for the manifest."""

    draft: Draft
    planted: Planted
    base: Milp
    cols: ColumnPatch | None = None
    settled: RowPatch | None = None
    open_rows: RowPatch | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    moves: list[float] = field(default_factory=list)
    redrawn_rows: int = 0
    repaired_cols: int = 0


class Certifier:
    """Certifies the drafts of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.points = PlantedPoints(session.solutions)

    @cached_property
    def _laws(self) -> Laws:
        """Learned ranges of sides: the generator's own, else those of its training set."""
        own = getattr(self._session.generator, "laws_", None)
        if isinstance(own, Laws):
            return own
        known = self._session.generator.templates_
        return Laws.learn(known if known is not None and len(known) else self._session.templates)

    def certify(self, drafts: Sequence[Draft]) -> list[Certified]:
        """Redraw and certify all drafts of a block."""
        redrawn = self._session.redraw(drafts)
        finished: dict[int, Certified] = {}
        works: dict[int, _Work] = {}
        for at, (draft, made) in enumerate(zip(drafts, redrawn, strict=True)):
            if made.whole is not None:
                finished[at] = self._whole(draft, made)
            else:
                works[at] = self._begin(draft, made)
        for _ in range(TRIES):
            pending = [work for work in works.values() if work.open_rows is not None]
            if not pending:
                break
            self._redraw(pending)
        finished.update((at, self._finish(work)) for at, work in works.items())
        return [finished[at] for at in range(len(drafts))]

    def _begin(self, draft: Draft, made: Redrawn) -> _Work:
        point = self.points.of(draft.template, draft.template_name)
        work = _Work(draft, point, draft.template, notes=dict(made.notes))
        assemble(draft, made)  # its checks: masked only, senses kept
        if made.cols is not None and made.cols.cols.size:
            work.cols, work.repaired_cols = repair_columns(draft.template, made.cols, point.point)
            work.base = replace_columns(draft.template, work.cols)
        if made.rows is not None and made.rows.rows.size:
            self._admit(work, made.rows)
        return work

    def _admit(self, work: _Work, patch: RowPatch) -> None:
        """Settle the rows of `patch` that admit the point; the others stay open."""
        repaired = repair_rows(work.base, patch, work.planted.point, self._laws)
        failed = np.zeros(patch.rows.size, bool)
        failed[repaired.failed] = True
        work.moves += repaired.moves
        settled = taken(repaired.patch, ~failed)
        work.settled = settled if work.settled is None else joined(work.settled, settled)
        work.open_rows = taken(patch, failed) if failed.any() else None

    def _redraw(self, pending: Sequence[_Work]) -> None:
        drafts = []
        for work in pending:
            assert work.open_rows is not None
            work.redrawn_rows += work.open_rows.rows.size
            drafts.append(
                replace(
                    work.draft,
                    template=_with_rows(work.base, work.settled),
                    masked_rows=work.open_rows.rows,
                    masked_cols=np.zeros(0, np.int64),
                    visits=None,
                )
            )
        for work, draft, made in zip(pending, drafts, self._session.redraw(drafts), strict=True):
            assemble(draft, made)
            work.open_rows = None
            if made.rows is not None and made.rows.rows.size:
                self._admit(work, made.rows)

    def _finish(self, work: _Work) -> Certified:
        milp = _with_rows(work.base, work.settled)
        dual, bound = None, None
        kept = 0 if work.open_rows is None else work.open_rows.rows.size
        if self._session.options.certify == "bounded":
            milp, dual, bound, undone = self._bounded(work, milp)
            kept += undone
        planted_point = work.planted
        certificate = Certificate(
            kind=self._session.options.certify or "feasible",
            level=planted_point.level,
            origin=planted_point.origin,
            objective=objective_of(milp, planted_point.point),
            point=planted_point.point,
            bound=bound,
            dual=dual,
            max_violation=planted_point.max_violation,
            moved_sides=len(work.moves),
            largest_move=max(work.moves, default=0.0),
            redrawn_rows=work.redrawn_rows,
            kept_rows=kept,
            repaired_cols=work.repaired_cols,
        )
        return Certified(milp, certificate, work.notes)

    def _bounded(self, work: _Work, milp: Milp) -> tuple[Milp, list[Fraction], Fraction, int]:
        """A dual point; costs, then rows, go back to the template's until there is one."""
        undone = 0
        candidates = [milp]
        if work.cols is not None and not needs_no_dual(milp):
            work.repaired_cols += _points_outwards(work.base, work.cols)
            costs = replace(work.cols, objective=work.draft.template.objective[work.cols.cols])
            candidates.append(replace_columns(milp, costs))
        candidates.append(work.draft.template)
        for candidate in candidates:
            dual = dual_point(candidate)
            bound = None if dual is None else bound_of(candidate, dual)
            if dual is not None and bound is not None:
                if candidate is work.draft.template and candidate is not milp:
                    undone = 0 if work.settled is None else work.settled.rows.size
                return candidate, dual, bound, undone
        raise InputError(
            f"the template {work.draft.template_name} is not provably bounded",
            hint="Leave it out, give its variables bounds, or ask for --certify feasible.",
        )

    def _whole(self, draft: Draft, made: Redrawn) -> Certified:
        """An instance without a template: its point is found by a short solve of itself."""
        assert made.whole is not None
        milp = made.whole
        found = planted(milp, first_feasible_point(milp), "solved")
        if found is None:
            raise G2MILPError(
                f"no feasible point of instance {draft.number} was found in a short solve",
                hint="This generator makes instances without a template: it cannot plant a point.",
            )
        dual, bound = None, None
        if self._session.options.certify == "bounded":
            dual = dual_point(milp)
            bound = None if dual is None else bound_of(milp, dual)
            if bound is None:
                raise G2MILPError(f"instance {draft.number} is not provably bounded")
        certificate = Certificate(
            kind=self._session.options.certify or "feasible",
            level=found.level,
            origin=found.origin,
            objective=objective_of(milp, found.point),
            point=found.point,
            bound=bound,
            dual=dual,
            max_violation=found.max_violation,
        )
        return Certified(milp, certificate, dict(made.notes))


def _with_rows(base: Milp, patch: RowPatch | None) -> Milp:
    return base if patch is None or not patch.rows.size else replace_rows(base, patch)


def _points_outwards(milp: Milp, patch: ColumnPatch) -> int:
    """How many redrawn costs point to an infinite bound."""
    cost = milp.objective[patch.cols] * (-1.0 if milp.sense == "max" else 1.0)
    lower, upper = milp.col_lower[patch.cols], milp.col_upper[patch.cols]
    outwards = ((cost > 0) & ~np.isfinite(lower)) | ((cost < 0) & ~np.isfinite(upper))
    return int(outwards.sum())
