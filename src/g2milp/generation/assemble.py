"""From a template and what was redrawn to an instance: the only way a generator's work enters one.

First the columns, then the rows (the paper's "vc"). Every promise that the tool makes about what
stays is enforced here for all generators: only masked rows and columns change, an equality stays an
equality and a range a range, nothing else of the template is touched, not even a bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.errors import InvalidMilp
from g2milp.instance.edit import replace_columns, replace_rows

if TYPE_CHECKING:
    from g2milp.generation.contract import Draft, Redrawn
    from g2milp.instance.edit import RowPatch
    from g2milp.instance.milp import Milp


def assemble(draft: Draft, redrawn: Redrawn) -> Milp:
    """The template with the patches of `redrawn` put in, after checking them."""
    if redrawn.whole is not None:
        if redrawn.rows is not None or redrawn.cols is not None:
            raise InvalidMilp("a generator returned a whole instance and patches as well")
        return redrawn.whole
    milp = draft.template
    if redrawn.cols is not None and redrawn.cols.cols.size:
        _only_masked(redrawn.cols.cols, draft.masked_cols, "columns")
        milp = replace_columns(milp, redrawn.cols)
    if redrawn.rows is not None and redrawn.rows.rows.size:
        _only_masked(redrawn.rows.rows, draft.masked_rows, "rows")
        _same_senses(draft.template, redrawn.rows)
        milp = replace_rows(milp, redrawn.rows)
    return milp


def _only_masked(changed: np.ndarray, masked: np.ndarray, what: str) -> None:
    foreign = np.setdiff1d(changed, masked)
    if foreign.size:
        raise InvalidMilp(f"a generator changed {what} that were not masked: {foreign[:5]}")


def _same_senses(template: Milp, patch: RowPatch) -> None:
    """A row is one row: the patch may move sides, but not make or drop one."""
    lower, upper = template.row_lower[patch.rows], template.row_upper[patch.rows]
    broken = (
        (np.isfinite(lower) != np.isfinite(patch.lower))
        | (np.isfinite(upper) != np.isfinite(patch.upper))
        | ((lower == upper) != (patch.lower == patch.upper))
        | ~(patch.lower <= patch.upper)
    )
    if broken.any():
        at = int(patch.rows[np.flatnonzero(broken)[0]])
        raise InvalidMilp(f"a generator changed the sense of row {template.row_names[at]!r}")
