"""How large an instance is; the paper leaves sizes out, since its method keeps them."""

from __future__ import annotations

from g2milp.evaluation.structure.base import Statistic

STATISTICS = (
    Statistic("n_rows", "size", "Number of rows.", lambda v: float(v.milp.n_rows)),
    Statistic("n_cols", "size", "Number of columns.", lambda v: float(v.milp.n_cols)),
    Statistic("n_nonzeros", "size", "Number of non-zeros.", lambda v: float(v.milp.n_nonzeros)),
)
