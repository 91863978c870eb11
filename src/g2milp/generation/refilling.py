"""Algorithm 2: mask, draw z ~ N(0, I), bias, degree, columns, weights, replace. In batches.

All instances of a block go through the network together. A *pass* masks some rows of each and
replaces them; the paper's way is one row a pass, each seeing what the passes before it made. A
model that was trained on blocks of rows takes blocks: its logits know the masked row's own latent
and the slots that the mask took from each column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from g2milp.generation.integrality.classes import column_classes, column_word
from g2milp.generation.integrality.kinds import BINARY, admissible_types
from g2milp.generation.integrality.laws import Laws, coefficient_word
from g2milp.generation.integrality.obeying import obeying
from g2milp.generation.masks import once
from g2milp.generation.supports import RETRIES, Budget, Supports, best, drawn
from g2milp.graph.features import build_graph, class_to_kind, sides_from_bias
from g2milp.instance.edit import ColumnPatch, RowPatch, replace_columns, replace_rows
from g2milp.instance.milp import Kind
from g2milp.models.masked_vae.refill import refill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.generation.contract import Draft
    from g2milp.instance.milp import Milp
    from g2milp.models.masked_vae.model import MaskedVAE
    from g2milp.models.masked_vae.refill import ColumnRefill, RowRefill

NONE = np.zeros(0, np.int64)


@dataclass(eq=False)
class Ongoing:
    """An instance while its rows are redrawn: what it is now, and what no pass changes."""

    milp: Milp
    laws: Laws

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """Class of each column; redrawn rows do not change them."""
        return column_classes(self.milp)

    @cached_property
    def supports(self) -> Supports:
        """Supports of all rows, kept up to date by whoever redraws one."""
        return Supports.of(self.milp)

    @cached_property
    def _ruled_out(self) -> dict[int, NDArray[np.float64] | None]:
        return {}

    def ruled_out(self, row_class: int) -> NDArray[np.float64] | None:
        """−∞ for columns of classes that such rows never have, else 0; None for unknown rows."""
        if row_class not in self._ruled_out:
            table, seen = self.laws.coefficients, np.unique(self.classes).tolist()
            fits = [c for c in seen if coefficient_word(row_class, c) in table]
            inside = np.isin(self.classes, fits)
            self._ruled_out[row_class] = np.where(inside, 0.0, -np.inf) if fits else None
        return self._ruled_out[row_class]


@dataclass(frozen=True)
class Manner:
    """How proposals become rows.

    Attributes
    ----------
    rows_per_pass
        1 is the paper's way.
    sample
        Draw columns and levels instead of taking the best.
    typed
        Only columns of classes that such rows have in the training set.
    temperature
        Scale of z.
    """

    rows_per_pass: int
    sample: bool
    typed: bool
    temperature: float


def refill_columns(
    model: MaskedVAE, drafts: Sequence[Draft], manner: Manner, laws: Laws
) -> list[ColumnPatch | None]:
    """New objective, type and bounds for the masked columns of each draft, all at once."""
    asked = [draft for draft in drafts if draft.masked_cols.size]
    if not asked:
        return [None] * len(drafts)
    form = model.config.network.row_form
    answers = refill(
        model,
        [build_graph(draft.template, form) for draft in asked],
        [NONE] * len(asked),
        [draft.masked_cols for draft in asked],
        [draft.rng for draft in asked],
        temperature=manner.temperature,
        sample=manner.sample,
    )
    patches = iter(
        _column_patch(draft, proposal, manner, laws)
        for draft, (_, proposal) in zip(asked, answers, strict=True)
    )
    return [next(patches) if draft.masked_cols.size else None for draft in drafts]


def refill_rows(
    model: MaskedVAE,
    drafts: Sequence[Draft],
    cols: Sequence[ColumnPatch | None],
    manner: Manner,
    laws: Laws,
) -> list[RowPatch | None]:
    """New content for the masked rows of each draft, pass by pass."""
    now = [
        Ongoing(draft.template if patch is None else replace_columns(draft.template, patch), laws)
        for draft, patch in zip(drafts, cols, strict=True)
    ]
    form = model.config.network.row_form
    step = manner.rows_per_pass
    visits = [d.masked_rows if d.visits is None else d.visits for d in drafts]
    longest = max((rows.size for rows in visits), default=0)
    for start in range(0, longest, step):
        busy = [k for k, each in enumerate(visits) if each.size > start]
        rows = [once(visits[k][start : start + step]) for k in busy]
        answers = refill(
            model,
            [build_graph(now[k].milp, form) for k in busy],
            rows,
            [NONE] * len(busy),
            [drafts[k].rng for k in busy],
            temperature=manner.temperature,
            sample=manner.sample,
        )
        for k, ids, (proposal, _) in zip(busy, rows, answers, strict=True):
            patch = _row_patch(now[k], ids, proposal, manner, drafts[k].rng)
            now[k].milp = replace_rows(now[k].milp, patch)
    return [
        rows_of(ongoing.milp, draft.masked_rows) if draft.masked_rows.size else None
        for ongoing, draft in zip(now, drafts, strict=True)
    ]


def _row_patch(
    ongoing: Ongoing,
    rows: NDArray[np.int64],
    proposal: RowRefill,
    manner: Manner,
    rng: np.random.Generator,
) -> RowPatch:
    milp = ongoing.milp
    lower, upper = sides_from_bias(milp, rows, proposal.bias)
    classes = 2 * milp.senses[rows].astype(np.int64)
    budget = Budget.of(milp, rows) if manner.sample else None
    if manner.sample:
        for row in rows.tolist():
            ongoing.supports.discard(milp.row(row)[0])
    columns: list[NDArray[np.int64]] = []
    weights: list[NDArray[np.float64]] = []
    for k, row_class in enumerate(classes.tolist()):
        count = int(np.clip(proposal.degree[k], 1, milp.n_cols))
        scores = proposal.logits(k)
        ruled_out = ongoing.ruled_out(row_class + (count == 1)) if manner.typed else None
        scores = scores if ruled_out is None else scores + ruled_out
        chosen = (
            best(scores, count)
            if budget is None
            else _sampled(scores, count, budget, ongoing.supports, rng)
        )
        columns.append(chosen)
        weights.append(proposal.weights(k, chosen, rng if manner.sample else None))
    patch = RowPatch(
        rows=rows,
        lower=lower,
        upper=upper,
        indptr=np.concatenate([[0], np.cumsum([c.size for c in columns])]).astype(np.int64),
        indices=np.concatenate(columns).astype(np.int32),
        values=np.concatenate(weights),
    )
    return obeying(milp, patch, ongoing.laws)


def _sampled(
    scores: NDArray[np.float64],
    count: int,
    budget: Budget,
    supports: Supports,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    scores = scores + budget.log_odds()
    for _ in range(RETRIES):
        chosen = drawn(scores, count, rng)
        if supports.is_new(chosen):
            break
    budget.use(chosen)
    supports.add(chosen)
    return chosen


def _column_patch(
    draft: Draft, proposal: ColumnRefill | None, manner: Manner, laws: Laws
) -> ColumnPatch:
    assert proposal is not None
    milp = draft.template
    scores = proposal.type_scores
    if manner.sample:
        scores = scores + draft.rng.gumbel(size=scores.shape)
    every = [
        _typed(draft, proposal, np.full(len(scores), t, np.int64)) for t in range(scores.shape[1])
    ]
    scores = np.where(admissible_types(milp, every, laws), scores, -np.inf)
    return _obeying_columns(milp, _typed(draft, proposal, np.argmax(scores, axis=1)), laws)


def _typed(draft: Draft, proposal: ColumnRefill, types: NDArray[np.int64]) -> ColumnPatch:
    """The masked columns as they are proposed, with these types."""
    milp, cols = draft.template, np.sort(draft.masked_cols)
    old = milp.kinds[cols]
    kinds = np.array([int(class_to_kind(t)) for t in types.tolist()], np.uint8)
    kinds = np.where(old >= Kind.SEMI_CONTINUOUS, old, kinds).astype(np.uint8)
    lower, upper = milp.col_lower[cols].copy(), milp.col_upper[cols].copy()
    if proposal.lower is not None and proposal.upper is not None:
        lower, upper = proposal.lower.copy(), proposal.upper.copy()
    binary = (types == BINARY) & (kinds == Kind.INTEGER)
    lower, upper = np.where(binary, 0.0, lower), np.where(binary, 1.0, upper)
    objective = -proposal.objective if milp.sense == "max" else proposal.objective
    return ColumnPatch(cols=cols, objective=objective, kinds=kinds, lower=lower, upper=upper)


def _obeying_columns(milp: Milp, patch: ColumnPatch, laws: Laws) -> ColumnPatch:
    """Costs and bounds moved to the laws of the class that each column has now."""
    assert patch.objective is not None
    assert patch.lower is not None
    assert patch.upper is not None
    classes = column_classes(replace_columns(milp, patch))[patch.cols]
    fields = {
        "objective": (patch.objective.copy(), laws.objective),
        "lower": (patch.lower.copy(), laws.col_lower),
        "upper": (patch.upper.copy(), laws.col_upper),
    }
    for c in np.unique(classes).tolist():
        of_class = classes == c
        for values, table in fields.values():
            law = table.get(column_word(c))
            if law is not None:
                group = values[of_class]
                values[of_class] = np.where(np.isfinite(group), law.bent(group), group)
    lower, upper = fields["lower"][0], fields["upper"][0]
    return ColumnPatch(
        cols=patch.cols,
        objective=fields["objective"][0],
        kinds=patch.kinds,
        lower=lower,
        upper=np.maximum(lower, upper),
    )


def rows_of(milp: Milp, rows: NDArray[np.int64]) -> RowPatch:
    """The present content of `rows` as a patch."""
    picked = [milp.row(int(i)) for i in rows]
    return RowPatch(
        rows=rows,
        lower=milp.row_lower[rows],
        upper=milp.row_upper[rows],
        indptr=np.concatenate([[0], np.cumsum([c.size for c, _ in picked])]).astype(np.int64),
        indices=np.concatenate([c for c, _ in picked]).astype(np.int32),
        values=np.concatenate([v for _, v in picked]),
    )
