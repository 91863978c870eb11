"""Which rows and columns of a template are masked.

    N = round(η · m) of the m rows that constrain something (Algorithm 2: N_iters = η·|V|)

and the same for columns. N is that of each template, not of the batch mean as in the authors'
code, and no row is masked twice: Algorithm 2 draws with replacement, so that with η = 0.1 about 5 %
of its passes redo what an earlier pass made (`repeats` asks for that). Halves are rounded to even,
as Python rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.generation.contract import Order, SampleOptions
    from g2milp.instance.milp import Milp


def draw_masks(
    milp: Milp, options: SampleOptions, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Masked rows and columns in the order in which they are to be redrawn; rows may repeat."""
    none = np.zeros(0, np.int64)
    rows, cols = none, none
    if options.scope in ("cols", "both"):
        every = np.arange(milp.n_cols, dtype=np.int64)
        cols = _masked(every, options.mask_ratio, options.order, rng)
    if options.scope in ("rows", "both"):
        candidates = constraining_rows(milp)
        if options.repeats:
            rows = rng.choice(candidates, round(options.mask_ratio * candidates.size))
        else:
            rows = _masked(candidates, options.mask_ratio, options.order, rng)
    return rows, cols


def once(visits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each index of `visits` once, in the order of the first visits."""
    first = np.unique(visits, return_index=True)[1]
    each: NDArray[np.int64] = visits[np.sort(first)]
    return each


def constraining_rows(milp: Milp) -> NDArray[np.int64]:
    """Rows with at least one finite side: only these can be masked."""
    return np.flatnonzero(np.isfinite(milp.row_lower) | np.isfinite(milp.row_upper))


def _masked(
    candidates: NDArray[np.int64], ratio: float, order: Order, rng: np.random.Generator
) -> NDArray[np.int64]:
    count = round(ratio * candidates.size)
    if order == "ascending":
        return candidates[:count]
    if order == "descending":
        return candidates[candidates.size - count :][::-1]
    return rng.permutation(candidates)[:count]
