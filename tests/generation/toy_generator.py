"""A generator that learns nothing: masked rows get random columns. To test what is around it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from g2milp.generation.contract import Generator, Redrawn
from g2milp.instance.edit import ColumnPatch, RowPatch


class Toy(Generator):
    kind = "toy"
    scopes = frozenset({"rows", "cols", "both"})
    own_options: ClassVar = {"flavour": "plain", "spread": 1.0}

    def _fit(self, data, **how):
        self.largest_ = max(int(m.row_degrees.max(initial=1)) for m in data)

    def _redraw(self, drafts, options):
        return [
            Redrawn(
                rows=self._rows(d), cols=self._cols(d), notes={"flavour": options.own("flavour")}
            )
            for d in drafts
        ]

    def _rows(self, draft):
        if not draft.masked_rows.size:
            return None
        milp, rng = draft.template, draft.rng
        degrees = np.array([max(1, milp.row(int(i))[0].size) for i in draft.masked_rows])
        cols = [np.sort(rng.choice(milp.n_cols, k, replace=False)) for k in degrees]
        values = [rng.integers(1, 4, k).astype(float) for k in degrees]
        shift = rng.integers(-2, 3, draft.masked_rows.size)
        return RowPatch(
            rows=draft.masked_rows,
            lower=milp.row_lower[draft.masked_rows] + shift,
            upper=milp.row_upper[draft.masked_rows] + shift,
            indptr=np.concatenate([[0], np.cumsum(degrees)]),
            indices=np.concatenate(cols).astype(np.int32),
            values=np.concatenate(values),
        )

    def _cols(self, draft):
        if not draft.masked_cols.size:
            return None
        k, rng = draft.masked_cols.size, draft.rng
        lower = rng.integers(-2, 2, k).astype(float)
        return ColumnPatch(
            cols=draft.masked_cols,
            objective=rng.integers(-5, 6, k).astype(float),
            kinds=rng.integers(0, 2, k).astype(np.uint8),
            lower=lower,
            upper=np.where(rng.random(k) < 0.3, np.inf, lower + rng.integers(0, 4, k)),
        )

    def _state(self):
        return {"largest": np.array([self.largest_])}, {"note": "toy"}

    @classmethod
    def _from_state(cls, arrays, values):
        toy = cls()
        toy.largest_ = int(arrays["largest"][0])
        return toy
